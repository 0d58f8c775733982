from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import INVALID_ELEMENTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import SEARCH_CONSOLE, XSD, YANDEX


class SitemapElementInvalid(QueryRule):
    """Sitemap has elements that the schema does not allow

    When: an entry has an element in the sitemap namespace that the schema does not allow there, or
    has loc, lastmod, changefreq or priority more than once; or the root has a child in that
    namespace that is not an entry, such as a sitemap in a urlset. An element without a namespace,
    as generators write it with xmlns="", counts too. It is reported once per file and
    problem, with the number of entries.

    Why: The file violates the schema. Engines report the tags, and may ignore the entry.

    Fix: Fix the generator. Elements that are not part of a sitemap need their own namespace.
    """

    severity = Severity.ERROR
    message = "{problem} in {place}"
    references = (
        XSD,
        SEARCH_CONSOLE,
        YANDEX,
    )

    needs = INVALID_ELEMENTS
    query = """
        with entry_problems as (
            select sitemap, position,
                'has the unknown element ' || unnest(unknown_elements) as problem
            from entries
            where len(unknown_elements) > 0
            union all
            select sitemap, position, 'has ' || unnest(repeated_elements) || ' more than once'
            from entries
            where len(repeated_elements) > 0
        ), unexpected as (
            select sitemap, unnest(unexpected_elements) as element
            from sitemaps where len(unexpected_elements) > 0
        )
        select sitemap, min(position) as position, problem,
            if(count(*) = 1, '', count_noun(count(*), 'entry') || ', first in ')
                || format('entry {:,}', min(position)) as place
        from entry_problems
        group by sitemap, problem
        union all
        select sitemap, null, 'has the element ' || element.name || ' among its entries',
            if(count(*) = 1, '', count_noun(count(*), 'place') || ', first in ')
                || format('line {:,}', min(element.line))
        from unexpected
        group by sitemap, element.name
    """
