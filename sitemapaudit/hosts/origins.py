"""The origin of a site: a bare host name can mean https or http."""

from __future__ import annotations

from typing import Final

from sitemapaudit.config import Site
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.hosts.hosts import Hosts, robots_url
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Robots

_NO_CONNECTION: Final = frozenset({Error.REFUSED, Error.RESET, Error.TIMEOUT})


class Origins:
    """Reads the robots.txt of a site from the origin that responds."""

    def __init__(self, hosts: Hosts, fetcher: Fetcher) -> None:
        self._hosts = hosts
        self._fetcher = fetcher

    def restored(self, site: Site) -> Robots | None:
        """Return the row of a site whose robots.txt was read before the run was resumed."""
        first = self._hosts.row(site.origin)
        second = self._hosts.row(site.fallback) if site.fallback else None
        return first or (second if second and second.audited else None)

    async def connect(self, site: Site) -> Robots | None:
        """Read robots.txt; of a bare host name by http, if https does not connect.

        Return None if it was read before, for another site.
        """
        origin, response = site.origin, await self._fetch(site.origin)
        if site.fallback and _lacks_https(response):
            second = await self._fetch(site.fallback)
            if second.error is None:
                origin, response = site.fallback, second
        self._hosts.audited.add(origin)
        return await self._hosts.open(origin, response)

    async def _fetch(self, origin: str) -> Response:
        return await self._hosts.download(robots_url(origin))


def _lacks_https(response: Response) -> bool:
    """Return whether there is no HTTPS server; one with an untrusted certificate is one."""
    if response.error is Error.TLS:
        return "certificate" not in (response.error_detail or "")
    return response.error in _NO_CONNECTION
