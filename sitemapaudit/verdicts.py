"""The verdict law: how each listed URL gets exactly one verdict.

1. The page's own response decides first (``decide_verdict``).
2. Where a browser rendered the page, the rendering can change that verdict
   (``decide_rendered_verdict``, and ``effective_verdict`` in SQL).
3. A page with the text that its host serves for a random URL is a soft 404
   (``sitemapaudit.datasets.url_table``, which compares the texts).
4. A listed URL without a page is unchecked.

"indexable" is null if the verdict does not determine it (``INDEXABLE`` in SQL).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sitemapaudit.http.indexable_types import is_indexable_type
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.items import Error, Page, Rendering, Verdict

DENIED: Final = frozenset({401, 403, 407, 429})
GONE: Final = frozenset({404, 410})
NO_CONTENT: Final = 204
"""The 2xx status whose body is always empty: to a search engine, a soft 404."""

MEANINGS: Final[Mapping[Verdict, str]] = {
    Verdict.UNCHECKED: "selected, but not fetched",
    Verdict.BLOCKED: "disallowed by robots.txt",
    Verdict.UNREACHABLE: "no usable response: DNS, TLS, connection or timeout",
    Verdict.DENIED: "status 401, 403, 407 or 429: others may see a different response",
    Verdict.SERVER_ERROR: "server error (status 5xx)",
    Verdict.NOT_FOUND: "status 404 or 410",
    Verdict.CLIENT_ERROR: "other client error (status 4xx)",
    Verdict.REDIRECTED: "redirects to another URL",
    Verdict.UNSUPPORTED_TYPE: "a file of a type that Google does not index",
    Verdict.NOINDEX: "has a noindex directive",
    Verdict.CANONICALIZED: "has another URL as its canonical",
    Verdict.SOFT_404: "status 2xx, but looks like an error page",
    Verdict.INDEXABLE: "status 200, and nothing prevents indexing",
}

_OURS: Final = frozenset({Error.INTERNAL, Error.LIMIT, Error.NOT_IN_BUILD})

UNKNOWN: Final = ", ".join(f"'{verdict}'" for verdict in Verdict if verdict.indexable is None)
"""SQL: the verdicts that do not determine whether a URL is indexable."""

NOT_INDEXABLE: Final = ", ".join(
    f"'{verdict}'" for verdict in Verdict if verdict.indexable is False
)
"""SQL: the verdicts of URLs that are known not to be indexable."""

INDEXABLE: Final = f"if(verdict in ({UNKNOWN}), null, verdict = '{Verdict.INDEXABLE}')"
"""SQL: whether a URL is indexable, by the column ``verdict``; null if it is unknown."""

# Scripts can fill a page and can spoil it. They cannot undo a noindex or a canonical of the
# source, because a search engine may obey it before it renders.
_CHANGED_BY_SCRIPTS: Final = f"""
    case
        when rendered is null then verdict
        when verdict in ('{Verdict.SOFT_404}', '{Verdict.INDEXABLE}') then rendered
        when verdict = '{Verdict.CANONICALIZED}'
            and rendered in ('{Verdict.REDIRECTED}', '{Verdict.NOINDEX}') then rendered
        else verdict
    end
"""

MACROS: Final = f"""
    create or replace macro effective_verdict(verdict, rendered) as {_CHANGED_BY_SCRIPTS};
"""
"""SQL: ``effective_verdict(verdict, rendered_verdict)`` of a page."""

PAGE_VERDICTS: Final = """
    create table page_verdicts as
    select url, coalesce(urls.verdict, effective_verdict(pages.verdict, rendered_verdict))
        as verdict
    from pages left join urls using (url)
"""
"""SQL: the final verdict of every page, listed or not, from the tables of a run."""


def decide_verdict(page: Page) -> Verdict:
    """Return the verdict of a page's own response."""
    if page.error in _OURS:
        return Verdict.UNCHECKED
    if page.allowed is False:
        return Verdict.BLOCKED
    if page.error is not None:
        return Verdict.UNREACHABLE
    if page.status is None:
        return Verdict.UNCHECKED
    if page.status in DENIED or page.challenge:
        return Verdict.DENIED
    return _decide_by_status(page, page.status)


def _decide_by_status(page: Page, status: int) -> Verdict:
    if status >= 500:
        return Verdict.SERVER_ERROR
    if status >= 400:
        return Verdict.NOT_FOUND if status in GONE else Verdict.CLIENT_ERROR
    if status in REDIRECT_STATUSES or page.redirect_kind is not None:
        return Verdict.REDIRECTED
    if 200 <= status < 300 and _has_unsupported_type(page):
        return Verdict.UNSUPPORTED_TYPE
    if page.noindex:
        return Verdict.NOINDEX
    if page.canonical is not None and page.canonical != page.url:
        return Verdict.CANONICALIZED
    # An unknown 3xx counts as 300 (RFC 9110 section 15).
    if status == NO_CONTENT or not 200 <= status < 300 or page.bytes == 0:
        return Verdict.SOFT_404
    # Scripts can fill a page without text: then its source is no evidence.
    if page.soft_404 and not (page.words == 0 and page.scripts):
        return Verdict.SOFT_404
    return Verdict.INDEXABLE


def _has_unsupported_type(page: Page) -> bool:
    if page.is_html or page.bytes == 0:
        return False
    return is_indexable_type(page.content_type, page.url) is False


def decide_rendered_verdict(rendering: Rendering, page: Page) -> Verdict:
    """Return the verdict after scripts ran; ``page`` is what was read from the rendered HTML."""
    moved = any(navigation.by == "document" for navigation in rendering.navigations)
    if moved and rendering.final_url != rendering.url:
        return Verdict.REDIRECTED
    return decide_verdict(page)
