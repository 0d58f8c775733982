from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import OUT_OF_ORDER
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PROTOCOL_FAQ, XSD


class SitemapElementOrder(QueryRule):
    """Elements of entries are not in the order of the schema

    When: the children of an entry are not in the order loc, lastmod, changefreq, priority,
    extensions. It is reported once per file, with the number of entries.

    Why: The schema defines the order, and a validating reader rejects the file. The FAQ of the
    protocol says that the position does not matter, and engines follow that.

    Fix: Write the elements in this order if a strict reader uses the file.
    """

    severity = Severity.NOTICE
    message = "has elements out of order in {place}"
    references = (
        XSD,
        PROTOCOL_FAQ,
    )

    needs = (OUT_OF_ORDER,)
    query = """
        select sitemap, min(position) as position, count(*) as entries,
            if(count(*) = 1, '', count_noun(count(*), 'entry') || ', first in ')
                || format('entry {:,}', min(position)) as place
        from entries
        where out_of_order
        group by sitemap
    """
