"""Which network addresses may be connected to: checked when a name is resolved.

A sitemap is not trusted, and may name a host within the network of whoever
audits it. The check sits where the connection gets its address from, so that
a name which resolves differently the second time gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies

from twisted.internet.interfaces import (
    IAddress,
    IHostnameResolver,
    IHostResolution,
    IResolutionReceiver,
)
from zope.interface import implementer

from sitemapaudit import urls

_ANY_PORT: Final = 0
_NAT64: Final = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, seen through IPv6 transition forms."""
    ip = ip_address(address.partition("%")[0])
    embedded = _embedded(ip)
    return ip.is_global and not ip.is_multicast and (embedded is None or embedded.is_global)


def _embedded(ip: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(ip, IPv4Address):
        return None
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


class Allowance:
    """Hosts that may have any address: the audited ones, those of a setting, the proxies."""

    def __init__(self, origins: Iterable[str], private_hosts: Iterable[str] = ()) -> None:
        self.refused: set[str] = set()
        """Hosts of which an address was refused."""
        self._pairs: set[tuple[str, int]] = set()
        for origin in origins:
            host = urls.host(origin)
            self._pairs |= {(host, urls.port(origin)), (host, 80), (host, 443)}
        for name in private_hosts:
            split = urlsplit(f"//{name}")
            self._pairs.add((split.hostname or "", split.port or _ANY_PORT))
        for proxy in getproxies().values():
            split = urlsplit(proxy if "://" in proxy else f"//{proxy}")
            self._pairs.add((split.hostname or "", _ANY_PORT))

    def covers(self, host: str, port: int) -> bool:
        """Whether a host may be connected to at this port whatever its address is."""
        return (host, port) in self._pairs or (host, _ANY_PORT) in self._pairs

    def admits(self, host: str, port: int, address: str) -> bool:
        """Whether this address of a host may be connected to; keeps in mind what was refused."""
        if self.covers(host, port) or is_public(address):
            return True
        self.refused.add(host)
        return False


def guard_connections(allowance: Allowance) -> Callable[[], None]:
    """Let the reactor connect to what the allowance admits only; return what undoes it."""
    from twisted.internet import reactor  # noqa: PLC0415 - Scrapy installs it at run time

    names: Any = reactor
    before = names.nameResolver
    names.installNameResolver(GuardedResolver(before, allowance))

    def undo() -> None:
        names.installNameResolver(before)

    return undo


@implementer(IHostnameResolver)
class GuardedResolver:
    """A resolver that passes on only addresses that the allowance admits."""

    def __init__(self, resolver: Any, allowance: Allowance) -> None:
        self._resolver = resolver
        self._allowance = allowance

    def resolveHostName(  # noqa: N802 - the name is Twisted's
        self,
        resolutionReceiver: Any,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        """Resolve a name, as the interface of Twisted demands."""
        guard = _Guard(resolutionReceiver, hostName, portNumber, self._allowance)
        resolution: IHostResolution = self._resolver.resolveHostName(
            guard, hostName, portNumber, addressTypes, transportSemantics
        )
        return resolution


@implementer(IResolutionReceiver)
class _Guard:
    def __init__(self, receiver: Any, host: str, port: int, allowance: Allowance) -> None:
        self._receiver = receiver
        self._host = host
        self._port = port
        self._allowance = allowance

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if self._allowance.admits(self._host, self._port, address.host):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self._receiver.resolutionComplete()
