"""Requests as a hosting sees them, and the locations of its redirects."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import replace

ABSOLUTE: Final = re.compile(r"https?://", re.IGNORECASE)
"""The start of an absolute URL."""

_TRIPLET: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_DOT: Final = re.compile(r"%2e", re.IGNORECASE)
_SAFE: Final = "/:@!$&'()*+,;=~"
_OUTSIDE_ASCII: Final = re.compile(r"[^\x21-\x7e]+")


class HostedRequest(Struct, frozen=True):
    """The host without its port, the path as sent, its decoded form, the query, and the scheme."""

    host: str
    path: str
    decoded: str
    query: str
    scheme: str = "https"

    @property
    def decoded_text(self) -> str:
        """The decoded path with ``?`` for bytes that are not UTF-8."""
        return self.decoded.encode(errors="replace").decode()

    def with_path(self, path: str) -> HostedRequest:
        """Return the request for another path of the same host."""
        path = resolve_dots(encode(path))
        return replace(self, path=path, decoded=decode(path))


def read_request(host: str, target: str, scheme: str = "https") -> HostedRequest:
    """Read a path with a query, percent-encoded as in a URL; an empty path is ``/``."""
    path, _, query = target.partition("#")[0].partition("?")
    path = resolve_dots(encode(path if path.startswith("/") else "/" + path))
    return HostedRequest(re.sub(r":\d*$", "", host).lower(), path, decode(path), query, scheme)


def resolve_dots(path: str) -> str:
    """Return a path without the segments ``.`` and ``..`` (RFC 3986 section 5.2.4).

    A dot may be encoded: clients resolve ``%2e%2e`` as well (URL standard, "double-dot segment").
    """
    if "/." not in path and not _DOT.search(path):
        return path
    kept: list[str] = []
    for segment in path.split("/"):
        name = _DOT.sub(".", segment)
        if name == "..":
            del kept[max(len(kept) - 1, 1) :]
        elif name != ".":
            kept.append(segment)
    return "/".join(kept) + ("/" if name in (".", "..") else "")


def decode(path: str) -> str:
    """Return the name of a file; bytes that are not UTF-8 become as ``os.fsdecode`` has them."""
    return unquote(path, errors="surrogateescape")


def encode(text: str) -> str:
    """Percent-encode characters that no URL may contain, and write all triplets in upper case."""
    encoded = _OUTSIDE_ASCII.sub(lambda match: quote(match[0], errors="replace"), text)
    return _TRIPLET.sub(lambda match: match[0].upper(), encoded)


def location_of(path: str, query: str = "") -> str:
    """Return the location of a decoded path."""
    return add_query(stay_on_host(quote(path, safe=_SAFE, errors="surrogateescape")), query)


def stay_on_host(location: str) -> str:
    """Return a location with one slash at its start; an absolute URL is returned as it is.

    With two slashes it would name another host (RFC 3986 section 4.2).
    """
    return location if ABSOLUTE.match(location) else "/" + location.lstrip("/\\")


def add_query(location: str, query: str) -> str:
    """Add the query of the request to a location that has none."""
    address, hash_sign, fragment = location.partition("#")
    if query and "?" not in address:
        address = f"{address}?{query}"
    return address + hash_sign + fragment


def path_of(address: str) -> str:
    """Return an address without its query and fragment."""
    return re.split("[?#]", address, maxsplit=1)[0]


def host_of(address: str) -> str:
    """Return the host of an absolute URL as it is written, valid or not."""
    return re.split("[/?#]", address, maxsplit=3)[2]
