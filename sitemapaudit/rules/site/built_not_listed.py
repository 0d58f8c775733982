from sitemapaudit.items import Severity, Verdict
from sitemapaudit.rules.needs import BUILD, BUILT_FILES, EXTENT
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class BuiltNotListed(QueryRule):
    """Page of the build is in no sitemap

    When: a build folder is audited (``folder=``) with all its pages, and an HTML file in it is an
    indexable page whose canonical, if it has one, is its own address, and no sitemap lists it
    under any of its addresses.

    Why: Search engines find the page late, or not at all.

    Fix: List the page, or mark it with noindex if it must not be found.
    """

    severity = Severity.WARNING
    message = "{file} is an indexable page that no sitemap lists"
    references = (GOOGLE_BUILD, PRACTICE)

    depends_on = (BUILD, *EXTENT)
    needs = (BUILT_FILES,)
    query = f"""
        with listed_files as (
            select distinct file from pages semi join urls using (url)
        )
        select url, file
        from pages anti join listed_files using (file)
        where file is not null and is_html and verdict = '{Verdict.INDEXABLE}'
        order by url
    """
