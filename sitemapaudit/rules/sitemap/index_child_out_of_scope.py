from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import INDEXES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_INDEX, PROTOCOL


class IndexChildOutOfScope(QueryRule):
    """Sitemap index lists a sitemap outside its scope

    When: a child is on another origin than the index, and the robots.txt of that origin could be
    read but declares neither the child nor the index: error. A child on the same origin is not in
    the directory of the index or below, and has no separate Sitemap line: warning. The final URL
    of the index defines its scope.

    Why: An index may list only sitemaps of the same site, in its own directory or below. Engines
    may ignore the child.

    Fix: Move the child below the index, or declare it in the robots.txt of its host.
    """

    severity = Severity.ERROR
    message = "lists {child}, which {problem}"
    references = (
        PROTOCOL,
        GOOGLE_INDEX,
    )

    needs = (INDEXES,)
    query = """
        with children as (
            select entries.url as child, entries.sitemap, min(position) as position,
                origin, directory, origin_of(entries.url) as child_origin
            from entries join sitemap_files using (sitemap)
            where entries.kind = 'sitemapindex' and entries.url is not null
            group by all
        )
        select sitemap, position, child,
            'is on another origin and not declared in the robots.txt there' as problem,
            'error' as severity
        from children
        semi join origins_with_robots on origins_with_robots.origin = child_origin
        anti join declared_sitemaps
            on declared_sitemaps.origin = child_origin and declared_sitemaps.sitemap = child
        anti join authorized_sitemaps
            on authorized_sitemaps.origin = child_origin
            and authorized_sitemaps.sitemap = children.sitemap
        where child_origin <> children.origin
        union all
        select sitemap, position, child, 'is outside ' || directory, 'warning'
        from children
        anti join declared_sitemaps
            on declared_sitemaps.origin = child_origin and declared_sitemaps.sitemap = child
        where child_origin = origin and not starts_with(child, directory)
    """
