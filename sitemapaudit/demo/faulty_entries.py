"""Faulty entries in the demo sitemaps, each with the findings that an audit must report."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from sitemapaudit.demo.documents import entry
from sitemapaudit.demo.planted_pages import Origins
from sitemapaudit.demo.week_later import SHARED
from sitemapaudit.urls import MAX_LENGTH

LONG: Final = "/long?" + "x" * MAX_LENGTH


class PlantedEntry(Struct, frozen=True):
    """The markup of an entry, and its findings as pairs of rule and place.

    A place is the path of the URL, an absolute URL on another origin, or None if the loc is not
    a URL that can be fetched.
    """

    markup: str
    findings: tuple[tuple[str, str | None], ...] = ()


def faulty_entries(origins: Origins) -> Iterator[PlantedEntry]:
    """Yield entries with a fault in loc, lastmod, changefreq or priority."""
    shop = origins.shop
    yield from _invalid_locs(shop)
    yield from _odd_locs(origins)
    yield from _duplicates(shop)
    yield from _values(shop)


def _invalid_locs(shop: str) -> Iterator[PlantedEntry]:
    yield PlantedEntry("<url><lastmod>2026-11-01</lastmod></url>", (("loc-missing", None),))
    yield PlantedEntry(entry("/news/relative"), (("loc-not-absolute", None),))
    yield PlantedEntry(entry("ftp://files.example.com/news"), (("loc-invalid", None),))
    yield PlantedEntry(entry(f"{shop}/news/with space"), (("loc-invalid", "/news/with%20space"),))


def _odd_locs(origins: Origins) -> Iterator[PlantedEntry]:
    shop = origins.shop
    yield PlantedEntry(entry(shop + LONG), (("loc-too-long", LONG),))
    yield PlantedEntry(entry(f"{shop}/news/café"), (("loc-not-escaped", "/news/caf%C3%A9"),))
    yield PlantedEntry(
        entry(f"\n  {shop}/news/indented\n"), (("loc-whitespace", "/news/indented"),)
    )
    yield PlantedEntry(entry(f"{shop}/news/part#two"), (("loc-fragment", "/news/part"),))
    session = "/news/visit?PHPSESSID=7a3f"
    yield PlantedEntry(entry(shop + session), (("loc-session-id", session),))
    landing = f"{origins.alias}/landing"
    yield PlantedEntry(entry(landing), (("loc-host-mismatch", landing),))
    secure = f"{shop}/news/secure".replace("http:", "https:")
    rules = ("loc-scheme-mismatch", "page-tls-error", "duplicate-host-scheme")
    yield PlantedEntry(entry(secure), tuple((rule, secure) for rule in rules))
    yield PlantedEntry(entry(f"{shop}/news/secure"))


def _duplicates(shop: str) -> Iterator[PlantedEntry]:
    yield PlantedEntry(entry(f"{shop}/news/twice"))
    yield PlantedEntry(entry(f"{shop}/news/twice"), (("loc-duplicate", "/news/twice"),))
    shared = f"/product/{SHARED}"
    yield PlantedEntry(entry(shop + shared), (("url-in-multiple-sitemaps", shared),))
    yield PlantedEntry(entry(f"{shop}/news/again", "2026-03-03"))
    slash = (("duplicate-trailing-slash", "/news/slash/"), ("duplicate-content", "/news/slash/"))
    yield PlantedEntry(entry(f"{shop}/news/slash/"), slash)
    yield PlantedEntry(entry(f"{shop}/news/slash"), (("duplicate-content", "/news/slash"),))


def _values(shop: str) -> Iterator[PlantedEntry]:
    later = (datetime.now(UTC) + timedelta(days=40)).date().isoformat()
    dates = {
        "/news/yesterday": ("lastmod-invalid", "20/11/2026"),
        "/news/this-month": ("lastmod-invalid", "2026-10"),
        "/news/zoneless": ("lastmod-no-timezone", "2026-10-05T09:30:00"),
        "/news/tomorrow": ("lastmod-future", later),
    }
    for path, (rule, lastmod) in dates.items():
        yield PlantedEntry(entry(shop + path, lastmod), ((rule, path),))
    yield PlantedEntry(entry(f"{shop}/news/undated", ""))
    sometimes = "<changefreq>sometimes</changefreq>"
    yield PlantedEntry(
        entry(f"{shop}/news/often", more=sometimes), (("changefreq-invalid", "/news/often"),)
    )
    high = "<priority>high</priority>"
    yield PlantedEntry(
        entry(f"{shop}/news/vital", more=high), (("priority-invalid", "/news/vital"),)
    )
