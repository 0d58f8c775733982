"""Decides whether a failed request is the fault of this machine, or of its network.

What this machine ran out of is its fault. So is a failure of the network if it concerns the audited
hosts too: there is no route to any of them, none of their names gets an answer, or none of those
that responded accepts a connection any more. The failure of one host, of one address family, or of
one name is the site's.
"""

import asyncio
import errno
import os
import socket
from collections.abc import Iterable
from typing import Final

import aiohttp
from scrapy import Request
from scrapy.settings import BaseSettings

from sitemapaudit import urls
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.failures import TRANSIENT, classify_error
from sitemapaudit.items import Error
from sitemapaudit.machine import DESCRIPTORS, MachineFault, causes, find_shortage, remedy_of

_ANSWERS: Final = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
"""Errors with which a resolver says that a name has no address."""

_KNOWN_NAME: Final = "example.com"
"""A name that every resolver knows (RFC 2606)."""

_MOST: Final = 3
"""The audited names that are looked up to test a resolver."""

_SPARE: Final = 4
"""Fewer descriptors than these may have been none a moment ago."""

_ANY_PORT: Final = 9

SILENT: Final = 10
"""The number of requests that time out one after the other, after which hosts are tested."""

_SECONDS: Final = 10.0
"""The longest time for the connection of such a test."""


class NetworkControl:
    """Tests this machine when a request failed. Nothing is sent but DNS queries.

    Connections are opened only to hosts that responded before.
    """

    def __init__(self, addresses: AddressPolicy, settings: BaseSettings) -> None:
        self._audited = addresses.audited
        self._local = local_address(settings)
        self._resolving = asyncio.Lock()
        self._connecting = asyncio.Lock()
        self._seconds = min(settings.getfloat("DOWNLOAD_TIMEOUT") or _SECONDS, _SECONDS)
        self._silent = 0
        self._silence: MachineFault | None = None
        self._responded: dict[str, int] = {}
        """Audited hosts that responded, and their ports."""

    def note_response(self, url: str) -> None:
        """Record that a host responded."""
        self._silent = 0
        host = urls.host(url).strip("[]")
        if host not in self._responded and host in self._audited:
            self._responded[host] = urls.port(url)

    async def find_fault(self, request: Request, exception: Exception) -> MachineFault | None:
        """Return why this machine made a request fail; None if it did not."""
        shortage = find_shortage(exception)
        error = classify_error(exception)
        if shortage is not None or error not in TRANSIENT:
            return shortage
        found = list(causes(exception))
        if _is_of_proxy(request, error, found):
            return MachineFault(f"the proxy cannot be reached: {exception}", "check the proxy")
        if error is Error.DNS:
            return _lack_of_descriptors() or await self._resolver_fault(found)
        fault = self._route_fault(urls.host(request.url), found)
        if fault is None and error is Error.TIMEOUT and not request.meta.get("proxy"):
            fault = await self._silence_fault()
        return fault

    async def _silence_fault(self) -> MachineFault | None:
        """Return the fault if no host accepts a connection any more that responded before."""
        self._silent += 1
        if self._silent >= SILENT and self._responded:
            async with self._connecting:
                if self._silent >= SILENT and self._silence is None:
                    self._silence = await self._test_hosts()
        return self._silence

    async def _test_hosts(self) -> MachineFault | None:
        hosts = [*self._responded.items()][:_MOST]
        for host, port in hosts:
            if await self._accepts(host, port):
                self._silent = 0
                return None
        names = " and ".join(host for host, _ in hosts)
        verb = "does" if len(hosts) == 1 else "do"
        return MachineFault(
            f"at least {SILENT} requests in a row timed out, and {names} {verb} not accept a"
            " connection any more",
            "check the network of this machine, and whether a firewall blocks it",
        )

    async def _accepts(self, host: str, port: int) -> bool:
        """Return whether an address of a host accepts or refuses a connection, if one is known."""
        known = self._audited[host][:_MOST]
        for address in known:
            connecting = asyncio.open_connection(address, port, local_addr=self._local)
            try:
                _, writer = await asyncio.wait_for(connecting, self._seconds)
            except TimeoutError:
                continue
            except OSError:
                return True
            writer.close()
            return True
        return not known

    def _route_fault(self, host: str, found: Iterable[BaseException]) -> MachineFault | None:
        """Return the fault if no audited host has a route, or no port is left for one."""
        failures = [self._route_error(each) for known in self._audited.values() for each in known]
        if failures and None not in failures:
            names = ", ".join(self._audited)
            return _network_fault(f"this machine has no route to {names}: {failures[0]}")
        if any(getattr(each, "errno", None) == errno.EADDRNOTAVAIL for each in found):
            return self._port_fault(host)
        return None

    def _port_fault(self, host: str) -> MachineFault | None:
        """Return the fault if an address could be used, but every port to it is in use."""
        if None not in map(self._route_error, self._audited.get(host, ())):
            return None
        return _network_fault(f"this machine failed: {os.strerror(errno.EADDRNOTAVAIL)}")

    def _route_error(self, address: str) -> str | None:
        """Return why this machine cannot send to an address; None if it can.

        To connect a datagram socket sends nothing, but looks up the route.
        """
        try:
            place = socket.getaddrinfo(address, _ANY_PORT, type=socket.SOCK_DGRAM)[0]
            with socket.socket(*place[:3]) as probe:
                if self._local is not None:
                    probe.bind(self._local)
                probe.connect(place[4])
        except OSError as error:
            return error.strerror or str(error)
        return None

    async def _resolver_fault(self, found: Iterable[BaseException]) -> MachineFault | None:
        """Return the fault if the resolver does not answer for an audited name either."""
        if any(isinstance(each, socket.gaierror) and each.errno in _ANSWERS for each in found):
            return None
        names = [host for host, known in self._audited.items() if known != [host.strip("[]")]]
        if not names:
            return None
        async with self._resolving:
            for name in (*names[:_MOST], _KNOWN_NAME):
                if await _is_answered(name):
                    return None
        return MachineFault("the DNS resolver of this machine answers no query", "check it")


def local_address(settings: BaseSettings) -> tuple[str, int] | None:
    """Return the address to connect from, with any port; None if the system chooses it."""
    address = settings["DOWNLOAD_BIND_ADDRESS"]
    return (address, 0) if isinstance(address, str) else address


def _is_of_proxy(request: Request, error: Error, found: Iterable[BaseException]) -> bool:
    if any(isinstance(each, aiohttp.ClientProxyConnectionError) for each in found):
        return True
    return error is Error.DNS and bool(request.meta.get("proxy"))


def _network_fault(reason: str) -> MachineFault:
    return MachineFault(reason, "check its network")


def _lack_of_descriptors() -> MachineFault | None:
    """Return the fault if nearly all descriptors are in use: a lookup fails without saying so."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    limit, _ = getrlimit(RLIMIT_NOFILE)
    try:
        lowest = os.open(os.devnull, os.O_RDONLY)
    except OSError as error:
        return find_shortage(error)
    os.close(lowest)
    if limit == RLIM_INFINITY or limit - lowest > _SPARE:
        return None
    return MachineFault(
        f"this machine failed: {os.strerror(errno.EMFILE)}", remedy_of(DESCRIPTORS[0])
    )


async def _is_answered(name: str) -> bool:
    try:
        await asyncio.get_running_loop().getaddrinfo(name, None)
    except socket.gaierror as error:
        return error.errno in _ANSWERS
    except OSError:
        return False
    return True
