from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import SEVERAL_ORIGINS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, SEARCH_CONSOLE


class DuplicateHostScheme(QueryRule):
    """URL is listed with both http and https, or with and without www

    When: two listed URLs differ only in the scheme, http or https, or in a leading `www.` of the
    host. All of them are reported except the preferred one: indexable URLs come first, then https,
    then the shortest.

    Why: Engines see different pages with the same content, and the signals are split between them.

    Fix: List only the canonical URL, and redirect the other to it.
    """

    severity = Severity.WARNING
    message = "is also listed as {preferred}"
    cause = "are also listed with another scheme, or with or without www"
    references = (
        GOOGLE_CANONICAL,
        SEARCH_CONSOLE,
    )

    needs = (SEVERAL_ORIGINS,)
    query = """
        with keyed as not materialized (
            select url, verdict, regexp_replace(url, '^https?://(www\\.)?', '') as rest from urls
        ), repeated as (
            select hash(rest) as key from keyed group by key having count(*) > 1
        ), compared as (
            select url, first_value(url) over alike as preferred
            from keyed semi join repeated on repeated.key = hash(rest)
            window alike as (
                partition by rest
                order by verdict = 'indexable' desc, starts_with(url, 'https:') desc,
                    length(url), url
            )
        )
        from compared where url <> preferred
    """
