from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.pages.fingerprint import BITS
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.rules.needs import CHANGED_PAGES
from sitemapaudit.rules.rule import ComparisonRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE

MIN_PAGES: Final = 5
"""The minimum number of pages that changed later than the sitemap."""
MIN_DAYS: Final = 7
"""The minimum number of days between the sitemap and such a change."""
MAX_SIMILARITY: Final = 0.9
"""The similarity of two main texts up to which the page counts as changed."""

_LISTINGS: Final = """
    select sitemap, count(*) as number, bit_xor(hash(loc, lastmod)) as content,
        max(lastmod_at) as newest
    from {run}.entries
    where kind <> 'sitemapindex' and url is not null
    group by sitemap
"""

_TEXTS: Final = f"""
    select url, fetched_at, content_hash, fingerprint
    from {{run}}.pages
    where status = 200 and fingerprint is not null and error is null and challenge is null
        and not truncated and not coalesce(scripts > 0 and words < {LITTLE_TEXT_WORDS}, false)
"""


class SitemapStale(ComparisonRule):
    """Sitemap is no longer updated, although its pages change

    When: a comparison finds a sitemap with the same entries and lastmods in both runs, and at least
    5 of its pages changed at least 7 days after it was written. The latest of three times counts as
    the time when it was written: its `Last-Modified` header, its lastmod in the sitemap index, and
    the newest lastmod of its entries; the header or the index must give one. A page changed when it
    says so itself (`dateModified` of JSON-LD, `article:modified_time`), or after the earlier run
    read it, if the later run found another main text, with an estimated 10 % or more of the
    three-word sequences changed. Only entries with a valid lastmod count, and only files and pages
    that were read completely. A date that the page states for the day on which it was read does not
    count: some pages state the time of the request.

    Why: The job that writes the file probably stopped. Engines do not learn of new and changed
    pages from it.

    Fix: Find out why the file is no longer written, such as a scheduled job or a plugin that fails,
    and watch that job.
    """

    severity = Severity.WARNING
    message = (
        "has not changed since {written}, but {changed} of its pages changed up to {days} days"
        " later, such as {example}"
    )
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    needs = (CHANGED_PAGES,)
    query = f"""
        with listed_before as not materialized ({_LISTINGS.format(run="old")}),
        listed_after as not materialized ({_LISTINGS.format(run="new")}),
        announced as (
            select url as sitemap, max(lastmod_at) as lastmod
            from new.entries
            where kind = 'sitemapindex' and url is not null
            group by url
        ), files as (
            select sitemap, greatest(last_modified, announced.lastmod, after.newest) as written
            from new.sitemaps left join announced using (sitemap)
            join listed_before as before using (sitemap)
            join listed_after as after using (sitemap)
            where status = 200 and error is null and complete and not truncated
                and xml_error is null and gzip_error is null
                and before.number = after.number and before.content = after.content
                and coalesce(last_modified, announced.lastmod) is not null
        ), texts_before as not materialized ({_TEXTS.format(run="old")}),
        texts_after as not materialized ({_TEXTS.format(run="new")}),
        changes as (
            select url, before.fetched_at as changed_at
            from texts_before as before join texts_after as after using (url)
            where before.content_hash <> after.content_hash
                and 1 - 2 * bit_count(
                    xor(unhex(before.fingerprint)::bit, unhex(after.fingerprint)::bit)
                ) / {BITS} <= {MAX_SIMILARITY}
            union all
            select url, date_modified_at
            from new.pages
            where date_modified_at < fetched_at - interval 1 day and error is null
        ), late as (
            select sitemap, written, url, max(changed_at) as changed_at
            from new.entries join files using (sitemap) join changes using (url)
            where lastmod_at is not null
                and changed_at >= written + interval {MIN_DAYS} days
            group by all
        )
        select sitemap, strftime(any_value(written), '%Y-%m-%d') as written, count(*) as changed,
            floor(max(epoch(changed_at) - epoch(written)) / 86400)::bigint as days,
            arg_max(url, (changed_at, url)) as example,
            strftime(max(changed_at), '%Y-%m-%dT%H:%M:%SZ') as newest_change
        from late
        group by sitemap
        having count(*) >= {MIN_PAGES}
    """
