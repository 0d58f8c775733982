from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class DuplicateTrailingSlash(Query):
    """A URL is listed with and without a final slash, or in different letter case

    When: two listed URLs are equal but for a final `/` of the path, or for letter case. The
    finding is about each of them but one: an indexable one, then the first of the alphabet. It
    is an error where both are indexable, so that neither names the other as its canonical, and
    their main text is the same or not known: a server that tells letter case apart may mean two
    pages by it.

    Why: To engines these are different pages; the signals are split between them.

    Fix: Choose one form, redirect the other to it, and list only the first.
    """

    severity = Severity.ERROR
    message = "is listed as {other} too"
    references = (GOOGLE_CANONICAL,)

    query = """
        with keyed as not materialized (
            select url, verdict,
                lower(case
                    when contains(url, '/?') then regexp_replace(url, '^([^?]*)/\\?', '\\1?')
                    when ends_with(url, '/') and not contains(url, '?') then left(url, -1)
                    else url
                end) as rest
            from urls
        ), repeated as (
            select hash(rest) as key from keyed group by key having count(*) > 1
        ), variants as (
            select url, rest, keyed.verdict = 'indexable' as indexable, content_hash
            from keyed semi join repeated on repeated.key = hash(rest) left join pages using (url)
        ), compared as (
            select url, indexable, content_hash, first_value(variants) over (
                partition by rest order by indexable desc, url
            ) as best
            from variants
        )
        select url, best.url as other,
            if(
                indexable and best.indexable
                    and coalesce(content_hash = best.content_hash, true),
                'error', 'warning'
            ) as severity
        from compared
        where url <> other
    """
