"""One request a host to an address that cannot exist: what the host says of such."""

from __future__ import annotations

import secrets
from typing import Final

from sitemapaudit import urls
from sitemapaudit.crawling.frontier import Wanted
from sitemapaudit.items import Page, Role, Verdict
from sitemapaudit.urlset import UrlSet

THIN: Final = 150
"""Words below which a text is so short that it may be that of an error page."""


class Probes:
    """Decides which hosts are asked for a random address.

    A page is compared with the answer if it looks as if it stood for a page
    that is not there: its text is thin, or is that of another page as well. A home page is there.
    A ``shard`` does not know the other pages: any may be repeated there.
    """

    def __init__(self, *, shard: bool = False) -> None:
        self._shard = shard
        self._probed: set[str] = set()
        self._texts = UrlSet()

    def wanted(self, page: Page) -> Wanted | None:
        """Return the address to ask for, if this page is the first of its host to need it."""
        origin = urls.origin(page.url)
        if origin in self._probed or not self._is_doubtful(page, origin):
            return None
        self._probed.add(origin)
        return Wanted(f"{origin}/{secrets.token_hex(12)}", Role.PROBE, page.url)

    def restore(self, page: Page) -> None:
        """Take note of an answer that came before the run was resumed."""
        if page.role is Role.PROBE:
            self._probed.add(urls.origin(page.url))

    def _is_doubtful(self, page: Page, origin: str) -> bool:
        if page.role is not Role.LISTED or page.verdict is not Verdict.INDEXABLE:
            return False
        if page.words is None or page.content_hash is None or page.url == f"{origin}/":
            return False
        repeated = not self._texts.add(f"{origin} {page.content_hash}")
        return page.words < THIN or repeated or self._shard
