from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class DuplicateTrailingSlash(QueryRule):
    """URL is listed with and without a trailing slash, or in different letter case

    When: two listed URLs differ only in a final `/` of the path, or in letter case. All of them are
    reported except one: indexable URLs come first, then alphabetical order decides. It is an error
    if both are indexable, so that neither is canonicalized to the other, and their main text is the
    same or unknown. Otherwise it is a warning: a case-sensitive server may serve two different
    pages.

    Why: Engines see different pages, and the signals are split between them.

    Fix: Choose one spelling, redirect the other to it, and list only the first.
    """

    severity = Severity.ERROR
    message = "is also listed as {other}"
    cause = "are also listed with or without a slash, or in other letter case"
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
