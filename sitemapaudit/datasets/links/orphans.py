"""The orphans of a run: listed pages that visitors cannot find by links.

They are facts of the link graph; rules decide what to say of them.
"""

from typing import Final

from sitemapaudit.items import OrphanKind

ORPHANS: Final = f"""
    select urls.url, if(
            urls.inlinks + coalesce(duplicates.inlinks, 0) = 0,
            '{OrphanKind.NO_INLINKS}', '{OrphanKind.UNREACHABLE}'
        ) as kind, not exists (from link_gaps) as certain
    from urls
    left join duplicate_links as duplicates using (url)
    anti join twin_links using (url)
    where urls.indexable and urls.inlinks is not null and urls.clicks is distinct from 0 and (
        urls.inlinks + coalesce(duplicates.inlinks, 0) = 0
        or (
            urls.clicks is null and duplicates.clicks is null
            and urls.linked_only_from_orphans is not null
        )
    )
"""
"""Listed, indexable pages without a link, or without a way from a home page.

They are not ``certain`` if the graph may be incomplete. A URL with ``clicks`` 0 is a home page.
Visitors find a page with a twin under the address of that.
"""
