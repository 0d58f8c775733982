from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import CANONICALIZED, FOLLOWS_CANONICALS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import RFC_6596


class CanonicalChain(QueryRule):
    """Listed page starts a canonical chain

    When: all usable canonicals in the response of the URL itself name the same other URL, that
    URL was fetched, and it is canonicalized in turn to a URL other than itself. Up to twenty
    canonicals are followed. If the chain returns to the listed page, it is a loop: error. Any
    other chain, including a loop among other URLs: warning.

    Why: Engines may follow only one step, or ignore the whole chain.

    Fix: Point to the end of the chain.
    """

    severity = Severity.ERROR
    message = "is canonicalized to {canonical}, which is canonicalized to {next_canonicals}"
    references = (RFC_6596,)

    depends_on = (FOLLOWS_CANONICALS,)
    needs = (CANONICALIZED,)
    query = f"""
        with recursive steps as (
            select pages.url, [pages.canonical] as chain
            from pages semi join urls using (url)
            where pages.canonical <> pages.url
            union all
            select steps.url, steps.chain || [pages.canonical]
            from steps join pages on pages.url = steps.chain[-1]
            where pages.canonical <> pages.url and steps.chain[-1] <> steps.url
                and not list_contains(steps.chain[:-2], steps.chain[-1])
                and len(steps.chain) < {MAX_HOPS}
        )
        select url, chain[1] as canonical,
            array_to_string(chain[2:], ', which is canonicalized to ') as next_canonicals,
            if(chain[-1] = url, 'error', 'warning') as severity
        from (select url, max_by(chain, len(chain)) as chain from steps group by url)
        where len(chain) > 1
    """
