from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.rules.needs import MANY_DATED_ENTRIES
from sitemapaudit.rules.rule import ComparisonRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE

MIN_UNTRUE: Final = 20
"""The minimum number of untrue lastmods of a sitemap."""
MIN_SHARE: Final = 0.5
"""Their minimum share of the URLs with the same change."""
EXAMPLES: Final = 5
"""The maximum number of URLs in the evidence."""

_DATED: Final = """
    select sitemap, url, max(lastmod_at) as lastmod, bool_and(contains(lastmod, ':')) as timed
    from {run}.entries
    where kind <> 'sitemapindex' and url is not null and lastmod_at is not null
    group by sitemap, url
"""

_TEXTS: Final = f"""
    select url, fetched_at, content_hash as raw,
        if(rendered_error is null, rendered_content_hash, null) as rendered,
        coalesce(scripts > 0 and words < {LITTLE_TEXT_WORDS}, false) as little_text
    from {{run}}.pages
    where status = 200 and content_hash is not null and error is null and challenge is null
        and not truncated
"""


class LastmodUntrue(ComparisonRule):
    """lastmod and content did not change together between two runs

    When: a comparison finds at least 20 URLs of a sitemap with a changed lastmod and the same main
    text, and they are at least half of the URLs with a changed lastmod; or at least 20 URLs with a
    changed main text and the same lastmod, and they are at least half of the URLs with a changed
    main text. Only entries with a valid lastmod in both runs count, and only pages that returned
    200 and were read completely in both. The rendered text is compared if a browser opened the page
    in both runs; otherwise pages with scripts and fewer than 50 words do not count. Lastmods are
    compared by day if one of them is a date without a time. An unchanged lastmod may be true after
    all, and is not reported, if it is later than the time when the earlier run read the page, or is
    the date of that day.

    Why: Engines use lastmods as long as they prove true, and ignore those of a site where they do
    not. Pages that did change are then found late.

    Fix: Set lastmod when the content changes significantly, and at no other time: not at each
    build, and not for a new footer.
    """

    severity = Severity.WARNING
    message = (
        "{untrue} of {considered} URLs with changed {changed} have the same {unchanged}"
        " as in the earlier run, such as {example}"
    )
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    needs = (MANY_DATED_ENTRIES,)
    query = f"""
        with dated_before as not materialized ({_DATED.format(run="old")}),
        dated_after as not materialized ({_DATED.format(run="new")}),
        texts_before as not materialized ({_TEXTS.format(run="old")}),
        texts_after as not materialized ({_TEXTS.format(run="new")}),
        contents as not materialized (
            select url, before.fetched_at as read_at,
                if(
                    before.rendered is not null and after.rendered is not null,
                    before.rendered <> after.rendered, before.raw <> after.raw
                ) as content_changed
            from texts_before as before join texts_after as after using (url)
            where (before.rendered is not null and after.rendered is not null)
                or not (before.little_text or after.little_text)
        ), changes as (
            select sitemap, url, before.lastmod as before, after.lastmod as after, content_changed,
                if(
                    before.timed and after.timed, before.lastmod <> after.lastmod,
                    before.lastmod::date <> after.lastmod::date
                ) as lastmod_changed,
                -- In UTC-12, a date ends 36 hours after it begins in UTC.
                after.lastmod + if(after.timed, interval 0 hours, interval 36 hours)
                    > read_at as after_read
            from dated_before as before join dated_after as after using (sitemap, url)
            join contents using (url)
            where lastmod_changed or (content_changed and not coalesce(after_read, false))
        ), counted as (
            select sitemap, 'lastmod' as changed, 'content' as unchanged,
                count(*) filter (not content_changed) as untrue, count(*) as considered,
                arg_min(url, url, {EXAMPLES}) filter (not content_changed) as urls,
                arg_min(before, url, {EXAMPLES}) filter (not content_changed) as before,
                arg_min(after, url, {EXAMPLES}) filter (not content_changed) as after
            from changes
            where lastmod_changed
            group by sitemap
            union all
            select sitemap, 'content', 'lastmod',
                count(*) filter (not lastmod_changed), count(*),
                arg_min(url, url, {EXAMPLES}) filter (not lastmod_changed),
                arg_min(before, url, {EXAMPLES}) filter (not lastmod_changed),
                arg_min(after, url, {EXAMPLES}) filter (not lastmod_changed)
            from changes
            where content_changed
            group by sitemap
        )
        select sitemap, changed, unchanged, untrue, considered, urls[1] as example,
            [
                {{
                    url: urls[n], lastmod_before: strftime(before[n], '%Y-%m-%dT%H:%M:%SZ'),
                    lastmod: strftime(after[n], '%Y-%m-%dT%H:%M:%SZ')
                }}
                for n in range(1, len(urls) + 1)
            ] as examples
        from counted
        where untrue >= {MIN_UNTRUE} and untrue >= {MIN_SHARE} * considered
    """
