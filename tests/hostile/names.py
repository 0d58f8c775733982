"""Host names for tests, as a hostile name server would answer them.

For the process of an audit: ``-s TWISTED_DNS_RESOLVER=tests.hostile.names.Names``. The gate of the
browser resolves by ``socket.getaddrinfo``, which is replaced as well.
"""

import socket
from collections import Counter
from typing import Any, Final

from scrapy.resolver import CachingHostnameResolver
from twisted.internet._resolver import GAIResolver

PUBLIC: Final = "192.88.99.1"
"""Of the public internet, as far as addresses tell, and nobody's (RFC 7526)."""

LOOPBACK: Final = "127.0.0.1"
METADATA: Final = "169.254.169.254"

_KNOWN: Final = {
    "inside.test": (LOOPBACK,),
    "metadata.test": (METADATA,),
    "both.test": (METADATA, LOOPBACK),
    "mapped.test": ("::ffff:127.0.0.1",),
}
_asked: Counter[str] = Counter()
_before = socket.getaddrinfo


def _addresses(host: str) -> tuple[str, ...]:
    if host == "rebinding.test":
        _asked[host] += 1
        return (PUBLIC,) if _asked[host] == 1 else (LOOPBACK,)
    return _KNOWN.get(host, (host,))


def _getaddrinfo(host: Any, *arguments: Any, **more: Any) -> list[Any]:
    name = host.decode() if isinstance(host, bytes) else host
    return [place for address in _addresses(name) for place in _before(address, *arguments, **more)]


socket.getaddrinfo = _getaddrinfo


class Names(CachingHostnameResolver):
    """Scrapy's resolver, on top of these names."""

    def __init__(self, reactor: Any, cache_size: int) -> None:
        super().__init__(reactor, cache_size)
        resolver: Any = GAIResolver(reactor, reactor.getThreadPool, _getaddrinfo)
        self.original_resolver = resolver
