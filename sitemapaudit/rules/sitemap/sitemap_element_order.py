from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PROTOCOL_FAQ, XSD


class SitemapElementOrder(Query):
    """The elements of entries are not in the order of the schema

    When: the children of an entry are not in the order loc, lastmod, changefreq, priority,
    extensions. Told once for each file, with the number of entries.

    Why: The schema gives the order, and a validating reader refuses the file; the protocol's
    own FAQ says that the position does not matter, and engines hold to that.

    Fix: Write the elements in this order, if a strict reader uses the file.
    """

    severity = Severity.NOTICE
    message = "has elements out of order in {place}"
    references = (
        XSD,
        PROTOCOL_FAQ,
    )

    query = """
        select sitemap, min(position) as position, count(*) as entries,
            if(count(*) = 1, '', count(*) || ' entries, the first of them ')
                || 'entry ' || min(position) as place
        from entries
        where disordered
        group by sitemap
    """
