from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_BUILD


class CanonicalTargetMissingFromSitemap(Query):
    """The canonical of a listed page is listed nowhere

    When: a listed page names another URL of its own host as its canonical (a leading `www.`,
    the scheme and the port apart), and no sitemap lists that. Nothing is said unless the
    sitemaps of the site were looked for, and all of them could be read; nor of a target that
    answers with an error or not at all, redirects, is noindex or names another canonical in
    turn: it is the canonical that is to be mended there.

    Why: A sitemap is to list the canonical addresses; here it lists the copy, and not the
    original.

    Fix: List the target in place of the page.
    """

    severity = Severity.WARNING
    message = "names the canonical {canonical}, which no sitemap lists"
    references = (GOOGLE_BUILD,)

    query = """
        select urls.url, urls.canonical
        from urls
        anti join urls as listed on listed.url = urls.canonical
        left join pages as target on target.url = urls.canonical
        where urls.verdict = 'canonicalized'
            and origin_of(urls.canonical) not in (from partly_known)
            and bare_host_of(urls.canonical) = bare_host_of(urls.url)
            and coalesce(target.verdict, 'unchecked')
                in ('indexable', 'unchecked', 'blocked', 'denied')
    """
