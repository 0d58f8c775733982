"""Host names for tests, resolved as a hostile name server would resolve them.

For the process of an audit: ``-s ASYNCIO_EVENT_LOOP=tests.hostile.names.Loop``. The audit and the
proxy of the browser resolve with ``socket.getaddrinfo``, which this module replaces.
"""

import asyncio
import socket
from collections import Counter
from typing import Any, Final

PUBLIC: Final = "192.88.99.1"
"""A public address that nobody uses (RFC 7526)."""

LOOPBACK: Final = "127.0.0.1"
METADATA: Final = "169.254.169.254"

_KNOWN: Final = {
    "inside.test": (LOOPBACK,),
    "metadata.test": (METADATA,),
    "both.test": (METADATA, LOOPBACK),
    "mapped.test": ("::ffff:127.0.0.1",),
}
_lookups: Counter[str] = Counter()
_system_getaddrinfo = socket.getaddrinfo


def _addresses(host: str) -> tuple[str, ...]:
    if host == "rebinding.test":
        _lookups[host] += 1
        return (PUBLIC,) if _lookups[host] == 1 else (LOOPBACK,)
    return _KNOWN.get(host, (host,))


def _getaddrinfo(host: Any, *arguments: Any, **more: Any) -> list[Any]:
    name = host.decode() if isinstance(host, bytes) else host
    return [
        found
        for address in _addresses(name)
        for found in _system_getaddrinfo(address, *arguments, **more)
    ]


socket.getaddrinfo = _getaddrinfo


class Loop(asyncio.SelectorEventLoop):
    """The usual event loop: the setting that names it loads this module."""
