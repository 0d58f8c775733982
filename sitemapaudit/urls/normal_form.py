"""The normal form of a URL: two URLs are the same if their normal forms are equal.

The normal form is that of the URL standard, as browsers and crawlers apply it, with upper-case
percent triplets and decoded unreserved characters (RFC 3986 sections 6.2.2.1 and 6.2.2.2). The
fragment never reaches a server, so it is dropped. URLs that differ in the order of the query, a
trailing slash, the case of the path or ``index.html`` are different URLs.
"""

import re
from collections.abc import Collection
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Final

import ada_url

from sitemapaudit.caps import MAX_TEXT

MAX_LENGTH: Final = 2_048
"""A loc with this many characters is too long (sitemaps.org: "less than 2,048")."""

# The URL standard allows hosts that cannot exist in DNS (RFC 1035 section 2.3.4), such as
# "{{host}}" or "a..b". Underscores, and hyphens at the ends of a label, are in use.
_ORIGIN: Final = re.compile(
    r"https?://(?![^/:]{255})(?:(?:[a-z0-9_-]{1,63}+(?:\.|(?=[/:])))++|\[[0-9a-f:]+\])(?::[0-9]+)?/"
)

_A_LABEL: Final = "xn--"
_A_LABELS: Final = re.compile(rf"(?<=[/.]){_A_LABEL}[^.:/]*")

PLAIN_ORIGIN: Final = r"https?://[a-z0-9.:-]+"
PLAIN_CHARACTERS: Final = r"A-Za-z0-9/?._~!$()*+,;=:@-"
"""The characters of a path and a query that are the same in the normal form; ``&`` is too."""

_PLAIN: Final = re.compile(rf"({PLAIN_ORIGIN})/[&{PLAIN_CHARACTERS}]*+")

# A triplet after a broken one stays as it is: decoding it could complete the broken one.
_TRIPLET: Final = re.compile(r"(?<!%)(?<!%[0-9A-Fa-f])%[0-9A-Fa-f]{2}")
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def normalize(address: str, base: str | None = None, encoding: str = "") -> str | None:
    """Return the normal form of an absolute http(s) address, or None.

    A relative ``address`` is resolved against ``base`` (RFC 3986 section 5). ``encoding`` is that
    of the page with the address, if it is not UTF-8: it is that of the query. None means that the
    address must never be fetched: it has another scheme, an impossible host or user information,
    cannot be parsed, or is too long, itself or normalized.
    """
    if len(address) > MAX_TEXT:
        return None
    plain = _PLAIN.fullmatch(address)
    if plain and is_normal(address, plain[1]):
        return address
    if encoding and not address.isascii():
        address = _encode_query(address, encoding)
    return _normalize(address, base)


def _encode_query(address: str, encoding: str) -> str:
    """Percent-encode a query in an encoding (URL Standard, "percent-encode after encoding")."""
    before, hash_mark, fragment = address.partition("#")
    path, mark, query = before.partition("?")
    encoded = "".join(map(partial(_encode_character, encoding), query))
    return path + mark + encoded + hash_mark + fragment


def _encode_character(encoding: str, character: str) -> str:
    if character.isascii():
        return character
    try:
        return "".join(f"%{byte:02X}" for byte in character.encode(encoding))
    except UnicodeEncodeError:
        return f"%26%23{ord(character)}%3B"


def is_normal(plain: str, origin: str) -> bool:
    """Return whether a URL of plain characters is its own normal form.

    ``origin`` is the origin with which it begins.
    """
    return "/." not in plain and _is_normal_origin(origin)  # ``/.`` may be a dot segment.


@lru_cache(maxsize=1_024)
def _is_normal_origin(text: str) -> bool:
    return _normalize(f"{text}/", None) == f"{text}/"


def _has_password(address: str) -> bool:
    try:
        return bool(ada_url.URL(address).password)
    except (ValueError, UnicodeEncodeError):
        return False


def _normalize(address: str, base: str | None) -> str | None:
    # On an http page, the rest of http:user:password@host would become a path.
    if base and "@" in address and _has_password(address):
        return None
    try:
        href = ada_url.join_url(base, address) if base else ada_url.normalize_url(address)
    except (ValueError, UnicodeEncodeError):
        return None
    if "#" in href:
        href = href.partition("#")[0]
    origin = _ORIGIN.match(href)
    if origin is None or len(href) > MAX_TEXT or not _has_valid_labels(origin[0]):
        return None
    return _TRIPLET.sub(_normalize_triplet, href) if "%" in href else href


def _has_valid_labels(origin: str) -> bool:
    """Return whether each A-label of a host encodes something (URL Standard, "domain to ASCII").

    ada accepts any: a valid one is what its decoded form is encoded to.
    """
    return _A_LABEL not in origin or all(
        _encode_label(label) == label for label in _A_LABELS.findall(origin)
    )


@lru_cache(maxsize=256)  # A site has few hosts.
def _encode_label(label: str) -> str | None:
    try:
        decoded = label.removeprefix(_A_LABEL).encode().decode("punycode")
        return ada_url.URL(f"http://{decoded}").hostname
    except (ValueError, UnicodeError):
        return None


def strip_whitespace(address: str) -> str:
    """Return an address without surrounding ASCII white space; other white space stays."""
    return address.strip(" \t\n\r\f\v")


def _normalize_triplet(match: re.Match[str]) -> str:
    triplet = match.group()
    character = chr(int(triplet[1:], 16))
    return character if character in _UNRESERVED else triplet.upper()


def is_address(name: str) -> bool:
    """Return whether the name of a sitemap is its URL: a list that the user gave has none."""
    return "://" in name


def origin(url: str) -> str:
    """Return ``scheme://host[:port]`` of a normalized URL."""
    end = url.find("/", len("https://"))  # No host is shorter than a character.
    return url if end < 0 else url[:end]


def authority(url: str) -> str:
    """Return ``host[:port]`` of a normalized URL."""
    return url.split("/", 3)[2]


def host(url: str) -> str:
    """Return the host of a normalized URL, an IPv6 address without its brackets."""
    name = authority(url)
    if name.startswith("["):
        return name[1 : name.index("]")]
    return name.partition(":")[0]


def is_below(name: str, domains: Collection[str]) -> bool:
    """Return whether a host is one of these domains or below one."""
    return any(name == domain or name.endswith(f".{domain}") for domain in domains)


def port(url: str) -> int:
    """Return the port of a normalized URL, or the default port of its scheme."""
    _, colon, digits = authority(url).rpartition(":")
    if colon and digits.isdecimal():
        return int(digits)
    return _DEFAULT_PORTS[scheme(url)]


def scheme(url: str) -> str:
    """Return ``http`` or ``https`` of a normalized URL."""
    return url.partition(":")[0]


def path(url: str) -> str:
    """Return the path of a normalized URL, without its query."""
    return "/" + url.split("/", 3)[3].partition("?")[0]


def request_target(url: str) -> str:
    """Return the path and the query of a normalized URL (RFC 9112 section 3.2.1)."""
    return "/" + url.split("/", 3)[3]


def digest(url: str) -> int:
    """Return a 64-bit hash of a normalized URL, the same on every machine.

    Shards and the set of fetched URLs use it. The probability that any two of ten million URLs
    collide is about three in a million.
    """
    return int.from_bytes(digest_bytes(url), "big")


def digest_bytes(url: str) -> bytes:
    """Return the digest of a normalized URL as eight bytes."""
    return blake2b(url.encode(), digest_size=8).digest()
