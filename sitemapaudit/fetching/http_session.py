"""The client session: connections with limited response heads, and checked addresses."""

import asyncio
import socket
import time
from collections.abc import Mapping
from typing import Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.proxies import SCHEMES, proxy_for

MAX_HEAD_BYTES: Final = 262_144
"""The limit for the head of a response, in bytes."""

MAX_HEADERS: Final = 2_000
"""The limit for header lines of a response."""

RESPONSE_LIMITS: Final[dict[str, Any]] = {
    "max_line_size": MAX_HEAD_BYTES,
    "max_field_size": MAX_HEAD_BYTES,
    "max_headers": MAX_HEADERS,
}
"""The limits of a response head, by aiohttp's names."""

_DNS_SECONDS: Final = 300
"""Seconds that the address of a host is used before its name is resolved again."""

_ADDED_BY_AIOHTTP: Final = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
"""Headers that aiohttp would add; the settings define what is sent."""


def sent_url(url: str) -> URL:
    """Return a normalized URL for aiohttp, so that it is sent as it is.

    yarl removes an empty query: it becomes a part of the path.
    """
    path, mark, query = url.partition("?")
    if not mark or query:
        return URL(url, encoded=True)
    whole = URL(path, encoded=True)
    return URL.build(
        scheme=whole.scheme, authority=whole.raw_authority, path=f"{whole.raw_path}?", encoded=True
    )


def new_session(
    resolver: AbstractResolver,
    headers: Mapping[str, str],
    local: tuple[str, int] | None,
    *,
    reuses: bool,
) -> aiohttp.ClientSession:
    """Return a session that connects to the addresses of a resolver.

    The downloader alone limits the number of connections. Every request gets the ``headers`` that
    it does not set. ``local`` is the address to connect from. Without ``reuses``, each request
    opens a connection.
    """
    connector = aiohttp.TCPConnector(
        limit=0,
        ttl_dns_cache=_DNS_SECONDS,
        resolver=resolver,
        local_addr=local,
        force_close=not reuses,
    )
    return aiohttp.ClientSession(
        connector=connector,
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        skip_auto_headers=_ADDED_BY_AIOHTTP,
        **RESPONSE_LIMITS,
    )


class GuardedResolver(AbstractResolver):
    """Resolves host names to the addresses that a policy allows; its sessions share them."""

    def __init__(self, policy: AddressPolicy | None) -> None:
        self._policy = policy
        self._known: dict[tuple[str, int, int], tuple[float, list[ResolveResult]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host. Raises OSError if there is none."""
        place = host, port, int(family)
        until, known = self._known.get(place, (0.0, []))
        if time.monotonic() >= until:
            known = await self._look_up(host, port, family)
            self._known[place] = time.monotonic() + _DNS_SECONDS, known
        return known

    async def _look_up(
        self, host: str, port: int, family: socket.AddressFamily
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        if self._policy is not None:
            self._policy.learn(host, [str(place[0]) for *_, place in found])
        results = [
            ResolveResult(
                hostname=host, host=str(place[0]), port=port, family=kind, proto=proto, flags=0
            )
            for kind, _, proto, _, place in found
            if self._policy is None or self._policy.allows(host, port, str(place[0]))
        ]
        if self._policy is not None:
            self._policy.note(host, [result["host"] for result in results])
        if not results:
            raise OSError(f"{host} has no address that may be used")
        return results

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


async def learn_addresses(policy: AddressPolicy) -> None:
    """Look up the audited hosts when a run begins, except those that a proxy looks up."""

    async def learn(host: str) -> None:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        policy.learn(host, [str(place[0]) for *_, place in found])

    hosts = [host for host in policy.audited if not _is_proxied(host)]
    # A host without an address is a fault of the site, or of its spelling, at its first request.
    await asyncio.gather(*map(learn, hosts), return_exceptions=True)


def _is_proxied(host: str) -> bool:
    return any(proxy_for(scheme, host) for scheme in SCHEMES)
