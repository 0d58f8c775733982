"""Entries of the demo's sitemaps that are faulty, each with the rules that must find it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sitemapaudit.demo.documents import entry
from sitemapaudit.demo.plants import Origins
from sitemapaudit.demo.week import SHARED
from sitemapaudit.urls import MAX_LENGTH

LONG: Final = "/long?" + "x" * MAX_LENGTH


@dataclass(slots=True, frozen=True)
class Planted:
    """The markup of an entry, and the findings: a rule and a place.

    A place is the path of the URL concerned, a whole address on another
    origin, or None where the loc is no URL that could be asked for.
    """

    markup: str
    findings: tuple[tuple[str, str | None], ...] = ()


def faulty_entries(origins: Origins) -> Iterator[Planted]:
    """Yield entries with a fault in loc, lastmod, changefreq or priority."""
    shop = origins.shop
    yield from _no_urls(shop)
    yield from _odd_locs(origins)
    yield from _repeats(shop)
    yield from _values(shop)


def _no_urls(shop: str) -> Iterator[Planted]:
    yield Planted("<url><lastmod>2026-11-01</lastmod></url>", (("loc-missing", None),))
    yield Planted(entry("/news/relative"), (("loc-not-absolute", None),))
    yield Planted(entry("ftp://files.example.com/news"), (("loc-invalid", None),))
    yield Planted(entry(f"{shop}/news/with space"), (("loc-invalid", "/news/with%20space"),))


def _odd_locs(origins: Origins) -> Iterator[Planted]:
    shop = origins.shop
    yield Planted(entry(shop + LONG), (("loc-too-long", LONG),))
    yield Planted(entry(f"{shop}/news/café"), (("loc-not-escaped", "/news/caf%C3%A9"),))
    yield Planted(entry(f"\n  {shop}/news/indented\n"), (("loc-whitespace", "/news/indented"),))
    yield Planted(entry(f"{shop}/news/part#two"), (("loc-fragment", "/news/part"),))
    session = "/news/visit?PHPSESSID=7a3f"
    yield Planted(entry(shop + session), (("loc-session-id", session),))
    landing = f"{origins.alias}/landing"
    yield Planted(entry(landing), (("loc-host-mismatch", landing),))
    secure = f"{shop}/news/secure".replace("http:", "https:")
    rules = ("loc-scheme-mismatch", "page-tls-error", "duplicate-host-scheme")
    yield Planted(entry(secure), tuple((rule, secure) for rule in rules))
    yield Planted(entry(f"{shop}/news/secure"))


def _repeats(shop: str) -> Iterator[Planted]:
    yield Planted(entry(f"{shop}/news/twice"))
    yield Planted(entry(f"{shop}/news/twice"), (("loc-duplicate", "/news/twice"),))
    shared = f"/product/{SHARED}"
    yield Planted(entry(shop + shared), (("url-in-multiple-sitemaps", shared),))
    yield Planted(entry(f"{shop}/news/again", "2026-03-03"))
    slash = (("duplicate-trailing-slash", "/news/slash/"), ("duplicate-content", "/news/slash/"))
    yield Planted(entry(f"{shop}/news/slash/"), slash)
    yield Planted(entry(f"{shop}/news/slash"), (("duplicate-content", "/news/slash"),))


def _values(shop: str) -> Iterator[Planted]:
    later = (datetime.now(UTC) + timedelta(days=40)).date().isoformat()
    dates = {
        "/news/yesterday": ("lastmod-invalid", "20/11/2026"),
        "/news/this-month": ("lastmod-invalid", "2026-10"),
        "/news/zoneless": ("lastmod-no-timezone", "2026-10-05T09:30:00"),
        "/news/tomorrow": ("lastmod-future", later),
    }
    for path, (rule, lastmod) in dates.items():
        yield Planted(entry(shop + path, lastmod), ((rule, path),))
    yield Planted(entry(f"{shop}/news/undated", ""))
    sometimes = "<changefreq>sometimes</changefreq>"
    yield Planted(
        entry(f"{shop}/news/often", more=sometimes), (("changefreq-invalid", "/news/often"),)
    )
    high = "<priority>high</priority>"
    yield Planted(entry(f"{shop}/news/vital", more=high), (("priority-invalid", "/news/vital"),))
