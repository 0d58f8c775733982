from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import SEARCH_CONSOLE, XSD, YANDEX


class SitemapElementInvalid(Query):
    """The sitemap has elements that the schema does not allow

    When: an entry has an element in the namespace of sitemaps that the schema does not know at
    its place, or loc, lastmod, changefreq or priority more than once; or the root has a child
    in that namespace that is no entry, such as a sitemap in a urlset. Told once for each file
    and fault, with the number of entries.

    Why: The file does not keep to the schema: engines report the tags, and may pass over the
    entry.

    Fix: Correct what generates the file. What is no part of a sitemap needs a namespace of its
    own.
    """

    severity = Severity.ERROR
    message = "{problem} in {place}"
    references = (
        XSD,
        SEARCH_CONSOLE,
        YANDEX,
    )

    query = """
        with faults as (
            select sitemap, position, 'has the unknown element ' || unnest(unknown) as problem
            from entries
            where len(unknown) > 0
            union all
            select sitemap, position, 'has ' || unnest(repeated) || ' more than once'
            from entries
            where len(repeated) > 0
        ), strangers as (
            select sitemap, unnest(strangers) as stranger from sitemaps where len(strangers) > 0
        )
        select sitemap, min(position) as position, problem,
            if(count(*) = 1, '', count(*) || ' entries, the first of them ')
                || 'entry ' || min(position) as place
        from faults
        group by sitemap, problem
        union all
        select sitemap, null, 'has the element ' || stranger.name || ' among its entries',
            if(count(*) = 1, '', count(*) || ' places, the first of them ')
                || 'line ' || min(stranger.line)
        from strangers
        group by sitemap, stranger.name
    """
