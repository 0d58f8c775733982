from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_INDEX, PROTOCOL


class IndexChildOutOfScope(Query):
    """An index lists a sitemap that is out of its scope

    When: a child is on another origin than the index, and the robots.txt of the child's
    origin, which could be read, declares neither the child nor the index: error. A child of
    the same origin that does not lie in the directory of the index or below, and has no
    Sitemap line of its own: warning. Scope follows the address at which the index answers.

    Why: An index speaks for sitemaps of its own site, in its own directory or below; engines
    may pass over the child.

    Fix: Move the child below the index, or declare it in the robots.txt of its host.
    """

    severity = Severity.ERROR
    message = "lists {child}, which {problem}"
    references = (
        PROTOCOL,
        GOOGLE_INDEX,
    )

    query = """
        with children as (
            select entries.url as child, entries.sitemap, min(position) as position,
                origin, directory, origin_of(entries.url) as child_origin
            from entries join files using (sitemap)
            where entries.kind = 'sitemapindex' and entries.url is not null
            group by all
        )
        select sitemap, position, child,
            'is on another origin, and the robots.txt of that does not declare it' as problem,
            'error' as severity
        from children
        semi join read_hosts on read_hosts.origin = child_origin
        anti join declared on declared.origin = child_origin and declared.sitemap = child
        anti join vouched
            on vouched.origin = child_origin and vouched.sitemap = children.sitemap
        where child_origin <> children.origin
        union all
        select sitemap, position, child, 'lies outside ' || directory, 'warning'
        from children
        anti join declared on declared.origin = child_origin and declared.sitemap = child
        where child_origin = origin and not starts_with(child, directory)
    """
