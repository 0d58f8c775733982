from typing import Final

from sitemapaudit.items import Severity, Verdict
from sitemapaudit.rules.needs import BUILD, BUILT_FILES, EXTENT
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE

_PATH: Final = "regexp_extract(twin_form({0}), '/.*')"
"""SQL: the path of a URL without its ending, in lower case."""

_PLACE: Final = f"{_PATH} || if(regexp_matches({{0}}, '/(index[.]html?)?([?]|$)'), '/', '')"
"""SQL: the same, and a slash at the end of folders."""

_BELOW: Final = "rtrim(nullif(regexp_extract({}, '^(?:/[^/]+){}(/.*)', 1), ''), '/')"
"""SQL: a place without the first segments: a site can be published below a path."""


class BuiltNotListed(QueryRule):
    """Page of the build is in no sitemap

    When: a build folder is audited (``folder=``) with all its pages, and an HTML file in it is an
    indexable page whose canonical, if it has one, is its own address, and no sitemap lists it
    under any of its addresses, not even with another host, ending or slash, or below another path
    where no page is: other rules report those. Sitemaps that list no URL at all are another fault.

    Why: Search engines find the page late, or not at all.

    Fix: List the page, or mark it with noindex if it must not be found.
    """

    version = 2
    severity = Severity.WARNING
    message = "{file} is an indexable page that no sitemap lists"
    about_sitemaps = True
    references = (GOOGLE_BUILD, PRACTICE)

    depends_on = (BUILD, *EXTENT)
    needs = (BUILT_FILES,)
    query = f"""
        with listed_files as (
            select distinct file from pages semi join urls using (url)
        ), listed_forms as (
            select distinct {_PATH.format("url")} as form from urls
        ), missing_forms as (
            select distinct {_PATH.format("url")} as form, {_PLACE.format("url")} as place
            from urls
            where verdict in ('{Verdict.NOT_FOUND}', '{Verdict.UNCHECKED}')
        ), other_forms as (
            from listed_forms
            union select {_BELOW.format("place", "{1}")} from missing_forms
            union select {_BELOW.format("place", "{2}")} from missing_forms
        ), unlisted as (
            select url, file, {_PATH.format("url")} as form,
                {_BELOW.format(_PLACE.format("url"), "{1}")} as below
            from pages anti join listed_files using (file)
            where file is not null and is_html and verdict = '{Verdict.INDEXABLE}'
        )
        select url, file
        from unlisted anti join other_forms using (form)
        where exists (from urls)
            and not exists (from missing_forms where missing_forms.form = unlisted.below)
        order by url
    """
