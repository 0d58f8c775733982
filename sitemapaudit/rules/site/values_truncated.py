from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import TRUNCATED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class ValuesTruncated(QueryRule):
    """Values are too long to be read completely

    When: a text of a page, sitemap, entry or robots.txt has more than 8,192 characters, a list has
    more than 2,000 items, or the lists together have more than 1,048,576 bytes. Only that much is
    kept, and a URL that is longer is neither resolved nor fetched. Examples: a canonical, robots
    directives, the images of an entry.

    Why: Search engines have limits too, most of them lower. What exceeds a limit is ignored.

    Fix: Shorten the values. Usually a template or a plugin repeats something, or inserts the
    content of a file where its URL belongs.
    """

    severity = Severity.WARNING
    message = "has values that are too long and were truncated: {columns}"
    cause = "have values that are too long: {columns}"
    references = (PRACTICE,)

    needs = TRUNCATED
    query = """
        select * replace (array_to_string(columns, ', ') as columns)
        from (
            select url, null as sitemap, null as position, truncated_columns as columns
            from pages semi join listed using (url)
            union all
            select url, null, null,
                list_transform(rendered_truncated_columns, lambda name: 'rendered_' || name)
            from pages semi join listed using (url)
            union all
            select url, sitemap, position, truncated_columns from entries
            union all
            select null, sitemap, null, truncated_columns from sitemaps
            union all
            select url, null, null, truncated_columns from robots
        )
        where len(columns) > 0
    """
