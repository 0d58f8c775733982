from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import BING, PRACTICE, PROTOCOL


class LastmodMissing(QueryRule):
    """Entries have no lastmod

    When: entries of an XML sitemap, an index or a feed have no lastmod (in feeds: no date, or an
    empty one). It is reported once per file, with the number of entries. lastmod-invalid reports an
    empty lastmod.

    Why: lastmod is optional, but it is the one hint that Google and Bing use to decide what to
    crawl again.

    Fix: Add the date of the last change if it is known and true. Otherwise omit it.
    """

    severity = Severity.NOTICE
    message = "{missing} of {_entries} {_have} no lastmod ({_share})"
    references = (PROTOCOL, PRACTICE, BING)

    query = """
        select sitemap, count_if(missing) as missing, count(*) as entries,
            round(100 * count_if(missing) / count(*), 1) as share,
            count_noun(count(*), 'entry') as _entries,
            if(count_if(missing) = 1, 'has', 'have') as _have,
            percent(count_if(missing) / count(*)) as _share
        from (
            select sitemap, lastmod is null
                or kind in ('rss', 'atom') and trimmed(lastmod) = '' as missing
            from entries
            where kind <> 'text'
        )
        group by sitemap
        having bool_or(missing)
    """
