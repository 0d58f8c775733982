"""When two URLs are the same: the only place that normalises an address.

The normal form is that of the URL standard (as browsers and crawlers apply
it), then upper-case percent triplets and decoded unreserved characters
(RFC 3986 sections 6.2.2.1 and 6.2.2.2). The fragment never reaches a server
and is dropped. Query order, a trailing slash, path case and ``index.html``
make different URLs: no rule may call those equal.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

import ada_url

MAX_LENGTH: Final = 2_048
"""Characters from which on a loc is too long (sitemaps.org: "less than 2,048")."""

# The URL standard lets pass hosts that DNS cannot know (RFC 1035 section 2.3.4), such as
# "{{host}}" or "a..b". Underscores, and hyphens at the ends of a label, are in use.
_ORIGIN: Final = re.compile(
    r"https?://(?![^/:]{255})(?:(?:[a-z0-9_-]{1,63}+(?:\.|(?=[/:])))++|\[[0-9a-f:]+\])(?::[0-9]+)?/"
)

# A triplet behind a broken one is left alone: decoding it could complete the broken one.
_TRIPLET: Final = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%[0-9A-Fa-f]{2}")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def normalise(address: str, base: str | None = None) -> str | None:
    """Return the normal form of an absolute http(s) address, or None.

    ``base`` resolves a relative ``address`` (RFC 3986 section 5). None stands
    for whatever must never be asked for: another scheme, an address that
    cannot be parsed or whose host cannot be, one that carries user information.
    """
    try:
        href = ada_url.join_url(base, address) if base else ada_url.normalize_url(address)
    except (ValueError, UnicodeEncodeError):
        return None
    if "#" in href:
        href = href.partition("#")[0]
    if not _ORIGIN.match(href):
        return None
    return _TRIPLET.sub(_tidy_triplet, href) if "%" in href else href


def trimmed(address: str) -> str:
    """Return an address without the white space around it; any but ASCII's is a part of it."""
    return address.strip(" \t\n\r\f\v")


def _tidy_triplet(match: re.Match[str]) -> str:
    triplet = match.group()
    character = chr(int(triplet[1:], 16))
    return character if character in _UNRESERVED else triplet.upper()


def origin(url: str) -> str:
    """Return ``scheme://host[:port]`` of a normalised URL."""
    return "/".join(url.split("/", 3)[:3])


def authority(url: str) -> str:
    """Return ``host[:port]`` of a normalised URL."""
    return url.split("/", 3)[2]


def host(url: str) -> str:
    """Return the host of a normalised URL, an IPv6 address without its brackets."""
    name = authority(url)
    if name.startswith("["):
        return name[1 : name.index("]")]
    return name.partition(":")[0]


def port(url: str) -> int:
    """Return the port of a normalised URL, the scheme's default one included."""
    _, colon, digits = authority(url).rpartition(":")
    if colon and digits.isdecimal():
        return int(digits)
    return _DEFAULT_PORTS[scheme(url)]


def scheme(url: str) -> str:
    """Return ``http`` or ``https`` of a normalised URL."""
    return url.partition(":")[0]


def path(url: str) -> str:
    """Return the path of a normalised URL, without its query."""
    return "/" + url.split("/", 3)[3].partition("?")[0]


def digest(url: str) -> int:
    """Return 64 bits that stand for a normalised URL, the same on every machine.

    Shards and the set of asked URLs rest on it: two of ten million URLs
    collide with a probability of about three in a million.
    """
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big")
