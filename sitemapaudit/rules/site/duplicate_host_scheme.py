from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, SEARCH_CONSOLE


class DuplicateHostScheme(Query):
    """A URL is listed under two schemes or hosts

    When: two listed URLs are equal but for http and https, or for a leading `www.` of the
    host. The finding is about each of them but the best one: one that is indexable, then https,
    then the shortest.

    Why: To engines these are different pages with the same content; each has only a part of
    the signals.

    Fix: List the canonical one, and redirect the other to it.
    """

    severity = Severity.WARNING
    message = "is listed as {better} too"
    references = (
        GOOGLE_CANONICAL,
        SEARCH_CONSOLE,
    )

    query = """
        with keyed as not materialized (
            select url, verdict, regexp_replace(url, '^https?://(www\\.)?', '') as rest from urls
        ), repeated as (
            select hash(rest) as key from keyed group by key having count(*) > 1
        ), compared as (
            select url, first_value(url) over alike as better
            from keyed semi join repeated on repeated.key = hash(rest)
            window alike as (
                partition by rest
                order by verdict = 'indexable' desc, starts_with(url, 'https:') desc,
                    length(url), url
            )
        )
        from compared where url <> better
    """
