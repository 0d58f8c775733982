"""The network addresses that a connection may use, checked when a host name is resolved.

A sitemap is untrusted, and can name a host inside the auditor's network. The address is checked
when the connection gets it. The name of an audited site is untrusted too, as it can be changed
during the run: only the private addresses that it had when the run began are contacted.
"""

from collections.abc import Collection, Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit import urls
from sitemapaudit.fetching.proxies import proxies
from sitemapaudit.items import Error

_Address = IPv4Address | IPv6Address
_Place = tuple[str, int]
"""A host name or an address, and a port."""

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

_METADATA: Final = (
    IPv4Network("169.254.0.0/16"),  # Link-local (RFC 3927); most clouds have theirs here
    IPv6Network("fe80::/10"),  # Link-local (RFC 4291 section 2.5.6)
    IPv4Network("100.100.100.200/32"),  # Alibaba
    IPv4Network("168.63.129.16/32"),  # Azure
    IPv4Network("192.0.0.192/32"),  # Oracle
    IPv6Network("fd00:ec2::/32"),  # Amazon
    IPv6Network("fd20:ce::254/128"),  # Google
    IPv6Network("fd00:42::42/128"),  # Scaleway
)
"""Link-local addresses, and those of the metadata services of clouds."""

_METADATA_NAMES: Final = frozenset(
    {
        "metadata", "metadata.google.internal", "metadata.goog",
        "instance-data", "instance-data.ec2.internal",
    }
)  # fmt: skip
_INTERNAL_NAMES: Final = _METADATA_NAMES | {
    "localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback",
}  # fmt: skip
"""Names of the machine itself, and of the metadata services of clouds."""

_LOCALHOST: Final = ".localhost"
"""Names below it also mean the machine (RFC 6761 section 6.3)."""


def is_public(address: str) -> bool:
    """Return whether an IP address is public; an IPv4 address embedded in IPv6 must be too."""
    return all(map(_is_public, _readings(address)))


def _is_public(ip: _Address) -> bool:
    return ip.is_global and not ip.is_multicast and not any(ip in each for each in _NOT_PUBLIC)


def _is_metadata(address: str) -> bool:
    return any(ip in network for ip in _readings(address) for network in _METADATA)


def _readings(address: str) -> list[_Address]:
    """Return an IP address, and the IPv4 address embedded in it, if any."""
    ip = ip_address(address.partition("%")[0])
    embedded = _embedded_ipv4(ip)
    return [ip] if embedded is None else [ip, embedded]


def _embedded_ipv4(ip: _Address) -> IPv4Address | None:
    if isinstance(ip, IPv4Address):
        return None
    if any(ip in network for network in _EMBEDDING):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


class AddressPolicy:
    """Allows public addresses, and private addresses that audited hosts had when the run began.

    A host that had a public address then gets no private one, and a link-local or metadata address
    counts for no host. AUDIT_PRIVATE_HOSTS names hosts that may have any other address, and
    addresses.
    """

    def __init__(self, origins: Iterable[str], private_hosts: Iterable[str] = ()) -> None:
        self.refused: dict[str, tuple[Error, str]] = {}
        """Hosts with a refused address: the error of their URLs, and a sentence."""
        self.audited: dict[str, list[str]] = {}
        """The audited hosts and their last known addresses."""
        self._first: dict[str, frozenset[str]] = {}
        """The private addresses that audited hosts had when the run began."""
        self._learns = True
        self._proxies = {(proxy.host, proxy.port) for proxy in proxies().values()}
        self._origins: set[_Place] = set()
        for origin in origins:
            host = _bare(urls.host(origin))
            self.audited[host] = []
            self._origins |= {(host, 80), (host, 443)} - self._proxies
            self._origins.add((host, urls.port(origin)))
            if _is_address(host):
                self.learn(host, [host])
                self.note(host, [host])
        self._named: set[_Place] = set()
        for name in private_hosts:
            split = urlsplit(f"//{name}")
            self._named.add((_bare(split.hostname or ""), split.port or _ANY_PORT))

    def learn(self, host: str, addresses: Collection[str]) -> None:
        """Take the addresses of an audited host as those of the beginning, if none are known."""
        if self._learns and host in self.audited and host not in self._first and addresses:
            is_public_host = any(map(is_public, addresses))
            self._first[host] = frozenset(() if is_public_host else addresses)

    @property
    def first(self) -> dict[str, list[str]]:
        """The private addresses that audited names had when the run began; none if public."""
        named = (host for host in sorted(self._first) if not _is_address(host))
        return {host: sorted(self._first[host]) for host in named}

    def restore(self, first: Mapping[str, list[str]]) -> None:
        """Take what is known of the beginning of a run that is resumed."""
        self._first |= {host: frozenset(found) for host, found in first.items()}

    def stop_learning(self) -> None:
        """Use only what is known of the beginning: another process has looked it up."""
        self._learns = False

    def note(self, host: str, addresses: list[str]) -> None:
        """Remember the allowed addresses of an audited host."""
        if host in self.audited:
            self.audited[host] = addresses

    def refuses(self, host: str, port: int) -> bool:
        """Return whether a URL with this host is never requested, whatever its name resolves to.

        No proxy gets it. The place of a proxy is such a host: only connections to the proxy are
        allowed, and no requests for what it serves there itself.
        """
        place = _bare(host), port
        if place not in self._origins and not self._is_named(*place):
            if place in self._proxies:
                return self._refuse(host, Error.PRIVATE_ADDRESS, "is the address of the proxy")
            if _is_internal(host):
                return self._refuse(host, Error.PRIVATE_ADDRESS, _PRIVATE)
        return _is_address(host) and not self.allows(host, port, place[0])

    def allows(self, host: str, port: int, address: str) -> bool:
        """Return whether a connection may use an address of a host; remember refusals."""
        place = _bare(host), port
        if place in self._proxies or self._is_named(address, port):
            return True
        if self._is_named(*place):
            # A name can resolve to anything: such an address must be named itself.
            if place[0] in _METADATA_NAMES or not _is_metadata(address):
                return True
        elif is_public(address) and not _is_internal(host):
            return True
        elif place in self._origins:
            if address in self._first.get(place[0], ()) and not _is_metadata(address):
                return True
            reason = f"has the address {address}, which it did not have when the audit began"
            if _is_metadata(address):
                reason = f"has the address {address}, which is link-local or a metadata service"
            return not self._refuse(host, Error.ADDRESS_REFUSED, reason)
        return not self._refuse(host, Error.PRIVATE_ADDRESS, _PRIVATE)

    def _is_named(self, host: str, port: int) -> bool:
        """Return whether AUDIT_PRIVATE_HOSTS names a host or an address."""
        host = _bare(host)
        return (host, port) in self._named or (host, _ANY_PORT) in self._named

    def _refuse(self, host: str, error: Error, reason: str) -> bool:
        self.refused[host] = error, f"{host} {reason}"
        return True


_PRIVATE: Final = "has an address in a private network"


def _bare(host: str) -> str:
    """Return a name as it is, and an address without brackets and scope, in its usual form."""
    bare = host.strip("[]").partition("%")[0]
    return str(ip_address(bare)) if _is_address(bare) else bare


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return True


def _is_internal(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name in _INTERNAL_NAMES or name.endswith(_LOCALHOST)
