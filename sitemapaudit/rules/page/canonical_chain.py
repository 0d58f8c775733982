from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import RFC_6596


class CanonicalChain(Query):
    """The canonical of a listed page names another canonical

    When: the one address that the usable canonicals of the URL's own answer name is another
    one, was asked for, and names in turn an address that is not itself; up to twenty are
    followed. If one of them is the listed page again, it is a loop: error. Else, a circle
    among the others included: warning.

    Why: Engines may follow one step, and may pass over the whole.

    Fix: Point to the end of the chain.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, which names {beyond}"
    references = (RFC_6596,)

    query = """
        with recursive step as (
            select pages.url, [pages.canonical] as chain
            from pages semi join urls using (url)
            where pages.canonical <> pages.url
            union all
            select step.url, step.chain || [pages.canonical]
            from step join pages on pages.url = step.chain[-1]
            where pages.canonical <> pages.url and step.chain[-1] <> step.url
                and not list_contains(step.chain[:-2], step.chain[-1]) and len(step.chain) < 20
        )
        select url, chain[1] as canonical,
            array_to_string(chain[2:], ', which names ') as beyond,
            if(chain[-1] = url, 'error', 'warning') as severity
        from (select url, max_by(chain, len(chain)) as chain from step group by url)
        where len(chain) > 1
    """
