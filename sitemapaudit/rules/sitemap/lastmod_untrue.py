from __future__ import annotations

from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Comparing
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE

LEAST: Final = 20
"""Untrue lastmods of a sitemap from which on it is told."""
SHARE: Final = 0.5
"""The share of them from which on it is told."""
LITTLE_TEXT: Final = 50
"""Words below which scripts may be what fills the page."""
EXAMPLES: Final = 5

_DATED: Final = """
    select sitemap, url, max(lastmod_at) as lastmod, bool_and(contains(lastmod, ':')) as timed
    from {run}.entries
    where kind <> 'sitemapindex' and url is not null and lastmod_at is not null
    group by sitemap, url
"""

_TEXTS: Final = f"""
    select url, fetched_at, content_hash as sent,
        if(rendered_error is null, rendered_content_hash, null) as rendered,
        coalesce(scripts > 0 and words < {LITTLE_TEXT}, false) as hollow
    from {{run}}.pages
    where status = 200 and content_hash is not null and error is null and challenge is null
        and not cut
"""


class LastmodUntrue(Comparing):
    """Between two runs, lastmods and contents did not change together

    When: a comparison finds at least 20 URLs of a sitemap whose lastmod changed and whose
    main text did not, and these are at least half of those whose lastmod changed; or as many
    whose main text changed and whose lastmod did not, and these are at least half of those
    whose main text changed. Only entries with a valid lastmod in both runs count, and only
    pages that answered 200 and were read to the end in both: as rendered, where a browser
    opened them in both; pages with under 50 words beside scripts count no other way. Lastmods
    are compared by the day where one is a date alone. One that did not change may be true all
    the same, and is not told, if it lies behind the time at which the earlier run read the
    page, or is the date of that day.

    Why: Engines use lastmods as long as they prove true, and ignore those of a site that are
    not: pages that did change are then found late.

    Fix: Set the lastmod when the content changes in a way that matters, and at no other time:
    not at each build, not for a new footer.
    """

    severity = Severity.WARNING
    message = (
        "lists {untrue} URLs whose {changed} changed since the earlier run and whose {unchanged}"
        " did not, of {considered} whose {changed} changed, such as {example}"
    )
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    query = f"""
        with dated_before as not materialized ({_DATED.format(run="old")}),
        dated_after as not materialized ({_DATED.format(run="new")}),
        texts_before as not materialized ({_TEXTS.format(run="old")}),
        texts_after as not materialized ({_TEXTS.format(run="new")}),
        contents as not materialized (
            select url, before.fetched_at as read_at,
                if(
                    before.rendered is not null and after.rendered is not null,
                    before.rendered <> after.rendered, before.sent <> after.sent
                ) as rewritten
            from texts_before as before join texts_after as after using (url)
            where (before.rendered is not null and after.rendered is not null)
                or not (before.hollow or after.hollow)
        ), judged as (
            select sitemap, url, before.lastmod as before, after.lastmod as after, rewritten,
                if(
                    before.timed and after.timed, before.lastmod <> after.lastmod,
                    before.lastmod::date <> after.lastmod::date
                ) as redated,
                -- A date alone ends 36 hours after it begins in UTC: somewhere it is that day.
                after.lastmod + if(after.timed, interval 0 hours, interval 36 hours)
                    > read_at as later
            from dated_before as before join dated_after as after using (sitemap, url)
            join contents using (url)
            where redated or (rewritten and not coalesce(later, false))
        ), counted as (
            select sitemap, 'lastmod' as changed, 'content' as unchanged,
                count(*) filter (not rewritten) as untrue, count(*) as considered,
                arg_min(url, url, {EXAMPLES}) filter (not rewritten) as urls,
                arg_min(before, url, {EXAMPLES}) filter (not rewritten) as before,
                arg_min(after, url, {EXAMPLES}) filter (not rewritten) as after
            from judged
            where redated
            group by sitemap
            union all
            select sitemap, 'content', 'lastmod',
                count(*) filter (not redated), count(*),
                arg_min(url, url, {EXAMPLES}) filter (not redated),
                arg_min(before, url, {EXAMPLES}) filter (not redated),
                arg_min(after, url, {EXAMPLES}) filter (not redated)
            from judged
            where rewritten
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
        where untrue >= {LEAST} and untrue >= {SHARE} * considered
    """
