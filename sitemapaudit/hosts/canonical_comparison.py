"""Requests with the User-Agents of crawlers for a page whose canonical is outside the head.

Some sites send metadata in the head to some crawlers only: Next.js streams it into the body for all
User-Agents that its list ``htmlLimitedBots`` does not name.
"""

from collections.abc import Callable
from typing import Final

from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Page
from sitemapaudit.pages.canonical import OUTSIDE_HEAD, TAG
from sitemapaudit.pages.page_reader import LargeBodyError, read_page
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals

_MOBILE: Final = "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36"
_CHROME: Final = "Chrome/142.0.0.0"
CRAWLERS: Final = {
    "Googlebot": f"{_MOBILE} (KHTML, like Gecko) {_CHROME} Mobile Safari/537.36"
    " (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Bingbot": "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0;"
    f" +http://www.bing.com/bingbot.htm) {_CHROME} Safari/537.36",
}
"""The User-Agents of crawlers, as their owners document them."""


class CanonicalComparison:
    """Compares the first such page of each audited origin; ``record`` receives the result."""

    def __init__(
        self,
        fetcher: Fetcher,
        hosts: Hosts,
        record: Callable[[ComparedCanonicals], None],
        *,
        enabled: bool,
    ) -> None:
        self._fetcher = fetcher
        self._hosts = hosts
        self._record = record
        self._enabled = enabled

    async def of_page(self, page: Page) -> None:
        """Compare if a page is the first one of its site with a canonical outside the head."""
        if not self._enabled or _is_in_head(page) is not False:
            return
        origin = self._hosts.origin_of(page.url)
        if origin.has_compared_canonicals or origin.name not in self._hosts.sites:
            return
        origin.has_compared_canonicals = True
        places = {name: await self._fetch_as(name, page.url) for name in CRAWLERS}
        in_head, outside = (
            [name for name, place in places.items() if place is wanted] for wanted in (True, False)
        )
        self._record(ComparedCanonicals(page.url, in_head, outside))

    async def _fetch_as(self, name: str, url: str) -> bool | None:
        """Return whether a crawler gets the canonical in the head; None if that is unknown."""
        policy = self._hosts.origin_of(url).policy
        if policy is None or not policy.allows(url, name):
            return None
        headers, meta = {"User-Agent": CRAWLERS[name]}, {"dont_retry": True}
        request = self._fetcher.page_request(url, alone=True, headers=headers, meta=meta)
        try:
            response = await self._fetcher.fetch(request)
            return _is_in_head(read_page(response, Page(url), name, only_small=True))
        except LargeBodyError:
            return None


def _is_in_head(page: Page) -> bool | None:
    """Return whether the tag of the canonical is in the head; None if there is no usable one."""
    if not page.was_read:
        return None
    reasons = [each.ignore_reason for each in page.canonicals if each.source == TAG]
    if None in reasons:
        return True
    return False if OUTSIDE_HEAD in reasons else None
