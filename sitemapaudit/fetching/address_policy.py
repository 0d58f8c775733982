"""The network addresses that a connection may use, checked when a host name is resolved.

A sitemap is untrusted, and can name a host inside the auditor's network. The address is checked
when the connection gets it, so a name that resolves differently the second time gains nothing.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit import urls
from sitemapaudit.fetching.proxies import proxies

_ANY_PORT: Final = 0
_EMBEDDING: Final = (
    IPv6Network("64:ff9b::/96"),  # NAT64 (RFC 6052)
    IPv6Network("::/96"),  # IPv4-compatible addresses (RFC 4291 section 2.5.5.1)
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated addresses (RFC 2765)
)
"""Networks whose last 32 bits are an IPv4 address."""

_NOT_PUBLIC: Final = (
    IPv6Network("64:ff9b:1::/48"),  # Translation within a network (RFC 8215)
    IPv6Network("fec0::/10"),  # Site-local addresses (RFC 3879)
    IPv4Network("168.63.129.16/32"),  # Azure's services for a virtual machine
    IPv4Network("192.0.0.0/24"),  # Protocol assignments (RFC 6890), and Oracle's metadata
)
"""Private networks that the ipaddress module calls global."""

_INTERNAL_NAMES: Final = frozenset(
    {
        "localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback",
        "metadata", "metadata.google.internal", "metadata.goog",
        "instance-data", "instance-data.ec2.internal",
    }
)  # fmt: skip
"""Names of the machine itself, and of the metadata services of clouds."""

_LOCALHOST: Final = ".localhost"
"""Names below it also mean the machine (RFC 6761 section 6.3)."""


def is_public(address: str) -> bool:
    """Return whether an IP address is public; an IPv4 address embedded in IPv6 must be too."""
    ip = ip_address(address.partition("%")[0])
    embedded = _embedded_ipv4(ip)
    return _is_public(ip) and (embedded is None or _is_public(embedded))


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    return ip.is_global and not ip.is_multicast and not any(ip in each for each in _NOT_PUBLIC)


def _embedded_ipv4(ip: IPv4Address | IPv6Address) -> IPv4Address | None:
    if isinstance(ip, IPv4Address):
        return None
    if any(ip in network for network in _EMBEDDING):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


class AddressPolicy:
    """Allows public addresses, and any address of exempt hosts.

    Exempt are the audited origins, the hosts of AUDIT_PRIVATE_HOSTS, and the ports of the proxies.
    """

    def __init__(self, origins: Iterable[str], private_hosts: Iterable[str] = ()) -> None:
        self.refused: set[str] = set()
        """Hosts with a refused address."""
        self.audited: dict[str, list[str]] = {}
        """The audited hosts and their last known addresses."""
        self._exempt: set[tuple[str, int]] = set()
        for origin in origins:
            host = urls.host(origin)
            self.audited[host] = [host.strip("[]")] if _is_address(host) else []
            self._exempt |= {(host, urls.port(origin)), (host, 80), (host, 443)}
        for name in private_hosts:
            split = urlsplit(f"//{name}")
            self._exempt.add((split.hostname or "", split.port or _ANY_PORT))
        self._exempt |= {(proxy.host, proxy.port) for proxy in proxies().values()}

    def note(self, host: str, addresses: list[str]) -> None:
        """Remember the addresses of an audited host."""
        if host in self.audited:
            self.audited[host] = addresses

    def is_exempt(self, host: str, port: int) -> bool:
        """Return whether a host may have any address at this port."""
        return (host, port) in self._exempt or (host, _ANY_PORT) in self._exempt

    def refuses(self, host: str, port: int) -> bool:
        """Return whether the name of a host alone forbids it; then no proxy is used."""
        if _is_internal(host):
            return not self.allows(host, port, "")
        return _is_address(host) and not self.allows(host, port, host.strip("[]"))

    def allows(self, host: str, port: int, address: str) -> bool:
        """Return whether a connection may use an address of a host; remember refusals."""
        if self.is_exempt(host, port) or (not _is_internal(host) and is_public(address)):
            return True
        self.refused.add(host)
        return False


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True


def _is_internal(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name in _INTERNAL_NAMES or name.endswith(_LOCALHOST)
