"""One request per site with the User-Agent of a browser, if the site denies access.

It shows whether the site refuses this program or your address. Its treatment of real crawlers
remains unknown: sites recognize them by address (a reverse and a forward DNS lookup).
"""

from collections.abc import Callable
from typing import Final

from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.hosts.host import Origin
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.challenges import find_challenge
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.verdicts import DENIED

BROWSER: Final = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/142.0.0.0 Safari/537.36"
)
_FORBIDDEN: Final = 403
"""401 and 407 require a password from every client, and 429 fewer requests."""


class AgentComparison:
    """Compares once per audited origin, if its first sitemap or its first page is denied.

    Other denied pages say nothing about who may read the site. ``record`` receives each comparison.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        hosts: Hosts,
        record: Callable[[ComparedAgents], None],
        *,
        enabled: bool,
    ) -> None:
        self._fetcher = fetcher
        self._hosts = hosts
        self._record = record
        agent = str(fetcher.crawler.settings.get("USER_AGENT"))
        poses = agent.startswith("Mozilla/") and "compatible" not in agent
        self._enabled = enabled and not poses

    def expect(self, url: str) -> None:
        """Record that a listed page will be fetched."""
        origin = self._hosts.origin_of(url)
        if origin.first_page is None:
            origin.first_page = url

    async def of_page(self, page: Page) -> None:
        """Compare if a page is the first listed one of its site, and denied."""
        origin = self._hosts.origin_of(page.url)
        if origin.first_page == page.url and not origin.is_compared:
            await self._compare_denied(origin, page.url, page.status, page.challenge)

    async def of_response(self, response: Response) -> None:
        """Compare if a response is that of the first sitemap of its site, and denied."""
        origin = self._hosts.origin_of(response.url)
        if not origin.has_sitemap:
            origin.has_sitemap = True
            challenge = find_challenge(response)
            await self._compare_denied(origin, response.url, response.status, challenge)

    async def _compare_denied(
        self, origin: Origin, url: str, status: int | None, challenge: str | None
    ) -> None:
        if not self._enabled or origin.name not in self._hosts.sites:
            return
        if status == _FORBIDDEN or challenge is not None:
            origin.is_compared = True
            self._record(await self._compare(url, challenge or str(status)))

    async def _compare(self, url: str, denied: str) -> ComparedAgents:
        headers, meta = {"User-Agent": BROWSER}, {"dont_retry": True}
        request = self._fetcher.page_request(url, alone=True, headers=headers, meta=meta)
        response = await self._fetcher.fetch(request)
        challenge = find_challenge(response)
        seen = challenge or str(response.status or response.error)
        refused = bool(challenge) or response.status in DENIED or response.status is None
        return ComparedAgents(url, denied, seen, refused)
