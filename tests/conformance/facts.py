"""Compares the facts that a program found with those of a case."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import ada_url

from tests.conformance.cases import Facts

NONE: Final = "none"
"""The value of a fact that a page or an entry does not have."""

SITEMAP_FACTS: Final = (
    "urls", "sitemaps", "lastmod", "changefreq", "priority", "images", "videos", "news",
    "alternates",
)  # fmt: skip
"""The facts that a program can tell about sitemaps and sites."""

PAGE_FACTS: Final = (
    "status", "redirect", "final_url", "refresh", "canonical", "noindex", "nofollow", "alternates",
    "soft_404",
)  # fmt: skip
"""The facts that a program can tell about pages."""

COUNTED: Final = {"url_count": "urls", "image_count": "images"}
"""Facts that are counted from others."""

_TRIPLET: Final = re.compile("%[0-9A-Fa-f]{2}")
_UNRESERVED: Final = re.compile("[A-Za-z0-9._~-]")
_PARTIAL_DATE: Final = re.compile(r"(\d{4})(-\d\d)?")


def differences(expected: Facts, found: Facts, told: Iterable[str]) -> list[str] | None:
    """Say which facts differ; None if the program tells none of the expected ones."""
    tellable = [name for name in expected if COUNTED.get(name, name) in told]
    if not tellable:
        return None
    pairs = {name: _NORMALIZERS[name](expected[name], _found(name, found)) for name in tellable}
    return [
        f"{name}: {_shown(got)} instead of {_shown(want)}"
        for name, (want, got) in pairs.items()
        if want != got
    ]


def normal_url(text: Any) -> str:
    """Return the form of a URL in which equal ones are equal; a text that is no URL stays.

    That is the URL Standard's, without the fragment, and then RFC 3986 section 6.2.2.
    """
    written = str(text).strip()
    try:
        href = ada_url.URL(written).href
    except (ValueError, UnicodeEncodeError):
        return written
    return _TRIPLET.sub(_normal_triplet, href.partition("#")[0])


def instant(text: Any) -> datetime | str:
    """Return a date as an instant: its first one, and in UTC if it has no zone.

    A date that has another notation than that of W3C, ISO 8601 or RFC 822 is "none".
    """
    written = str(text or "").strip()
    partial = _PARTIAL_DATE.fullmatch(written)
    if partial:
        written = f"{partial[1]}{partial[2] or '-01'}-01"
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            at = parse(written)
        except ValueError:
            continue
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    return NONE


def _normal_triplet(match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    return character if _UNRESERVED.match(character) else match[0].upper()


def _sides(pairs: Mapping[str, tuple[Any, Any]]) -> tuple[Facts, Facts]:
    return {key: pair[0] for key, pair in pairs.items()}, {
        key: pair[1] for key, pair in pairs.items()
    }


def _found(name: str, found: Facts) -> Any:
    if name == "url_count":
        return len(set(found.get("urls") or ()))
    if name == "image_count":
        return {url: len(set(images)) for url, images in (found.get("images") or {}).items()}
    return found.get(name)


def _url_set(want: Any, got: Any) -> tuple[Any, Any]:
    return {normal_url(each) for each in want}, {normal_url(each) for each in got or ()}


def _plain(want: Any, got: Any) -> tuple[Any, Any]:
    return want, got


def _flag(want: Any, got: Any) -> tuple[Any, Any]:
    return want, bool(got)


def _one_url(want: Any, got: Any) -> tuple[Any, Any]:
    return normal_url(want), normal_url(got or NONE)


def _of_each_url(normal: Callable[[Any, Any], tuple[Any, Any]]) -> Callable[[Any, Any], Any]:
    """Compare a fact of each URL that the case names."""

    def compare(want: Mapping[str, Any], got: Mapping[str, Any] | None) -> tuple[Any, Any]:
        by_url = {normal_url(url): value for url, value in (got or {}).items()}
        pairs = {url: normal(value, by_url.get(normal_url(url))) for url, value in want.items()}
        return _sides(pairs)

    return compare


def _codes(want: Any, got: Any) -> tuple[Any, Any]:
    def lowered(alternates: Any) -> dict[str, str]:
        return {code.lower(): normal_url(url) for code, url in (alternates or {}).items()}

    return lowered(want), lowered(got)


def _fields(want: Any, got: Any) -> tuple[Any, Any]:
    """Compare the fields that the case names."""
    found = got or {}
    pairs = {name: _field(name, value, found.get(name)) for name, value in want.items()}
    return _sides(pairs)


def _field(name: str, want: Any, got: Any) -> tuple[Any, Any]:
    if name.endswith("_loc"):
        return _one_url(want, got)
    if name == "published":
        return instant(want), instant(got)
    return want, None if got is None else str(got).strip()


def _several(want: Any, got: Any) -> tuple[Any, Any]:
    found = list(got or ())
    if len(found) != len(want):
        return want, found
    pairs = [_fields(one, other) for one, other in zip(want, found, strict=True)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _instants(want: Any, got: Any) -> tuple[Any, Any]:
    return instant(want), instant(got)


def _numbers(want: Any, got: Any) -> tuple[Any, Any]:
    try:
        return float(want), float(got)
    except (TypeError, ValueError):
        return want, got


_NORMALIZERS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "urls": _url_set,
    "url_count": _plain,
    "sitemaps": _url_set,
    "lastmod": _of_each_url(_instants),
    "changefreq": _of_each_url(_plain),
    "priority": _of_each_url(_numbers),
    "images": _of_each_url(_url_set),
    "image_count": _of_each_url(_plain),
    "videos": _of_each_url(_several),
    "news": _of_each_url(_fields),
    "alternates": lambda want, got: (
        _of_each_url(_codes) if any(isinstance(each, dict) for each in want.values()) else _codes
    )(want, got),
    "status": _plain,
    "redirect": _one_url,
    "final_url": _one_url,
    "refresh": _one_url,
    "canonical": _one_url,
    "noindex": _flag,
    "nofollow": _flag,
    "soft_404": _flag,
}


def _shown(value: Any) -> str:
    text = repr(sorted(value) if isinstance(value, set) else value)
    return text if len(text) <= 300 else f"{text[:300]} …"
