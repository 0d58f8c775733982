"""What a URL's own answer says of it: the first verdict that holds."""

from __future__ import annotations

from typing import Final

from sitemapaudit.answer import REDIRECTS
from sitemapaudit.items import Error, Page, Verdict

DENIED: Final = frozenset({401, 403, 407, 429})
GONE: Final = frozenset({404, 410})
NO_CONTENT: Final = 204
"""The status 2xx whose body cannot but be empty: to an engine, a page that is not there."""

_OURS: Final = frozenset({Error.INTERNAL, Error.LIMIT})


def judge(page: Page) -> Verdict:
    """Return the verdict on a page, as far as its own answer shows it."""
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
    return _by_status(page, page.status)


def _by_status(page: Page, status: int) -> Verdict:
    if status >= 500:
        return Verdict.SERVER_ERROR
    if status >= 400:
        return Verdict.NOT_FOUND if status in GONE else Verdict.CLIENT_ERROR
    if status in REDIRECTS:
        return Verdict.REDIRECTED
    if page.noindex:
        return Verdict.NOINDEX
    if page.canonical is not None and page.canonical != page.url:
        return Verdict.CANONICALIZED
    # A 3xx that is unknown is to be treated as 300 (RFC 9110 section 15).
    if status == NO_CONTENT or not 200 <= status < 300 or page.bytes == 0:
        return Verdict.SOFT_404
    # Scripts can fill a page that has no text of its own: that is not known.
    if page.soft_404 and not (page.words == 0 and page.scripts):
        return Verdict.SOFT_404
    return Verdict.INDEXABLE
