from sitemapaudit.items import OrphanKind, Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_LINKS


class OrphanUnreachable(QueryRule):
    """Listed page cannot be reached from the home page

    When: links were recorded (``links=record``), a listed page is indexable, and pages link to it,
    but none that visitors can reach by links from the home page. Redirects and canonicals count as
    in orphan-no-inlinks. Nothing is reported if the home page was not read, or if the link graph
    may be incomplete; links-inconclusive says why.

    Why: Visitors who begin at the home page cannot find the page, and neither can crawlers. A link
    from an orphan does not help: only the sitemap leads there.

    Fix: Link to one of these pages from a page that the home page leads to. One link is enough for
    all pages that can be reached from there.
    """

    severity = Severity.WARNING
    message = "is linked by {pages}, such as {example}, but cannot be reached from the home page"
    cause = "are linked, but cannot be reached from the home page"
    references = (GOOGLE_LINKS,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = f"""
        with lost as (
            select url from orphans where certain and kind = '{OrphanKind.UNREACHABLE}'
        ), served as (
            select url, url as address from lost
            union
            select lost.url, pages.url from lost join pages on pages.canonical = lost.url
        ), addresses as (
            select served.url, link_nodes.id
            from served join link_nodes on link_nodes.url = served.address
        ), entrances as (
            from addresses
            union
            select addresses.url, moves.id from addresses join moves on moves.reached = addresses.id
        ), inbound as (
            select distinct entrances.url, link_nodes.url as source
            from entrances
            join edges on edges.target = entrances.id
            join link_nodes on link_nodes.id = edges.source
            where link_nodes.url <> entrances.url
        )
        select url, count_noun(count(*), 'page') as pages,
            min(source) as example
        from inbound group by url
    """
