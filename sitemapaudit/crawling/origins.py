"""At which origin a site answers: a bare host name may be meant by https or by http."""

from __future__ import annotations

from typing import Final

from sitemapaudit.answer import Answer
from sitemapaudit.config import Site
from sitemapaudit.crawling.fetching import Fetcher
from sitemapaudit.crawling.hosts import Hosts, robots_url
from sitemapaudit.items import Error, Robots

_DISCONNECTED: Final = frozenset({Error.REFUSED, Error.RESET, Error.TIMEOUT})


class Origins:
    """Reads the robots.txt of a site from the origin at which it answers."""

    def __init__(self, hosts: Hosts, fetcher: Fetcher) -> None:
        self._hosts = hosts
        self._fetcher = fetcher

    def known(self, site: Site) -> Robots | None:
        """Return the row of a site whose robots.txt was read before the run was resumed."""
        first = self._hosts.row(site.origin)
        second = self._hosts.row(site.fallback) if site.fallback else None
        return first or (second if second and second.judged else None)

    async def connect(self, site: Site) -> Robots | None:
        """Read robots.txt; for a bare host name by http, where https does not connect.

        Returns None if it was read before, as that of another site.
        """
        origin, answer = site.origin, await self._fetch(site.origin)
        if site.fallback and _speaks_no_https(answer):
            second = await self._fetch(site.fallback)
            if second.error is None:
                origin, answer = site.fallback, second
        self._hosts.judged.add(origin)
        return await self._hosts.open(origin, answer)

    async def _fetch(self, origin: str) -> Answer:
        return await self._fetcher.fetch(self._fetcher.robots_request(robots_url(origin)))


def _speaks_no_https(answer: Answer) -> bool:
    """Whether nobody answers by HTTPS; a certificate that is not trusted is an answer."""
    if answer.error is Error.TLS:
        return "certificate" not in (answer.error_detail or "")
    return answer.error in _DISCONNECTED
