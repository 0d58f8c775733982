"""Entries of the demo with faults in the image, video, news and hreflang extensions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from sitemapaudit.demo.documents import entry
from sitemapaudit.demo.entries import Planted
from sitemapaudit.sitemaps.extensions import IMAGE, NEWS, VIDEO, XHTML

BINDINGS: Final = "".join(
    f' xmlns:{prefix}="{namespace}"'
    for prefix, namespace in {
        "image": IMAGE,
        "video": VIDEO,
        "news": NEWS,
        "xhtml": XHTML,
        "wrong": IMAGE.replace("http:", "https:"),
    }.items()
)
"""The namespaces that an extended urlset declares; one of them is wrong."""


def faulty_extensions(shop: str) -> Iterator[Planted]:
    """Yield entries whose extensions are faulty."""
    wrong = f"<wrong:image><wrong:loc>{shop}/a.png</wrong:loc></wrong:image>"
    yield Planted(entry(f"{shop}/news/wrong-namespace", more=wrong))
    yield from _images(shop)
    yield from _videos(shop)
    yield from _news(shop)
    yield from _single_alternates(shop)
    yield from _groups(shop)


def article(date: str, title: str = "Demo opens", language: str = "en") -> str:
    """Return a ``news:news`` element."""
    publication = f"<news:name>Demo news</news:name><news:language>{language}</news:language>"
    return (
        f"<news:news><news:publication>{publication}</news:publication>"
        f"<news:publication_date>{date}</news:publication_date>"
        f"<news:title>{title}</news:title></news:news>"
    )


def _images(shop: str) -> Iterator[Planted]:
    many = "".join(
        f"<image:image><image:loc>{shop}/{n}.png</image:loc></image:image>" for n in range(1_001)
    )
    yield _one(shop, "/news/gallery", "image-too-many", many)
    yield _one(
        shop,
        "/news/picture",
        "image-invalid",
        "<image:image><image:loc>a.png</image:loc></image:image>",
    )
    loc, caption = f"<image:loc>{shop}/a.png</image:loc>", "<image:caption>A</image:caption>"
    captioned = f"<image:image>{loc}{caption}</image:image>"
    yield _one(shop, "/news/captioned", "extension-deprecated", captioned)


def _videos(shop: str) -> Iterator[Planted]:
    thumbnail = f"<video:thumbnail_loc>{shop}/a.png</video:thumbnail_loc>"
    said = "<video:title>Demo</video:title><video:description>Of a demo.</video:description>"
    file = f"<video:content_loc>{shop}/a.mp4</video:content_loc>"
    videos = {
        "/news/silent-film": ("video-required-missing", thumbnail + said),
        "/news/endless-film": (
            "video-value-invalid",
            f"{thumbnail}{said}{file}<video:duration>28801</video:duration>",
        ),
        "/news/film": (
            "video-location-is-page",
            f"{thumbnail}{said}<video:content_loc>{shop}/news/film</video:content_loc>",
        ),
        "/news/old-film": (
            "video-expired",
            f"{thumbnail}{said}{file}<video:expiration_date>2026-01-01</video:expiration_date>",
        ),
    }
    for path, (rule, markup) in videos.items():
        yield _one(shop, path, rule, f"<video:video>{markup}</video:video>")


def _news(shop: str) -> Iterator[Planted]:
    now = datetime.now(UTC)
    today = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    old = (now - timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield _one(shop, "/news/stale", "news-stale", article(old))
    yield _one(shop, "/news/untitled", "news-required-missing", article(today, title=""))
    yield _one(shop, "/news/klingon", "news-value-invalid", article(today, language="klingon"))


def _single_alternates(shop: str) -> Iterator[Planted]:
    """Yield entries that are faulty by themselves."""
    yield _one(
        shop, "/news/no-address", "hreflang-link-invalid",
        '<xhtml:link rel="alternate" hreflang="de"/>',
    )  # fmt: skip
    british = _links(shop, {"en-UK": "/news/british", "x-default": "/news/british"})
    yield _one(shop, "/news/british", "hreflang-code-invalid", british)
    dead_end = _links(shop, {"de": "/news/ende", "en": "/missing", "x-default": "/news/ende"})
    yield _one(shop, "/news/ende", "hreflang-to-non-indexable", dead_end)


def _groups(shop: str) -> Iterator[Planted]:
    """Yield versions of pages; what is faulty in one shows on it alone."""
    lonely = {"de": "/news/einsam", "en": "/news/aloof", "x-default": "/news/einsam"}
    yield _one(shop, "/news/einsam", "hreflang-no-return", _links(shop, lonely))
    yield Planted(entry(f"{shop}/news/aloof"))
    selfless = {"en": "/news/other", "x-default": "/news/other"}
    yield _one(shop, "/news/selbstlos", "hreflang-self-missing", _links(shop, selfless))
    yield _version(shop, "/news/other", selfless | {"de": "/news/selbstlos"})
    double = {"de": "/news/eins", "en": "/news/one", "x-default": "/news/eins"}
    both = _links(shop, double) + _links(shop, {"en": "/news/uno"})
    yield _one(shop, "/news/eins", "hreflang-duplicate-code", both)
    yield _version(shop, "/news/one", double)
    yield _version(
        shop, "/news/uno", {"en": "/news/uno", "de": "/news/eins", "x-default": "/news/eins"}
    )
    plain = {"de": "/news/ohne", "en": "/news/without"}
    for path in plain.values():
        yield _one(shop, path, "hreflang-x-default-missing", _links(shop, plain))
    # Its page names another English version, in HTML.
    torn = {"de": "/torn", "en": "/news/torn", "x-default": "/torn"}
    yield _version(shop, "/torn", torn)
    yield _version(shop, "/news/torn", torn)


def _one(shop: str, path: str, rule: str, markup: str) -> Planted:
    return Planted(entry(shop + path, more=markup), ((rule, path),))


def _version(shop: str, path: str, group: dict[str, str]) -> Planted:
    return Planted(entry(shop + path, more=_links(shop, group)))


def _links(shop: str, group: dict[str, str]) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{shop}{path}"/>'
        for code, path in group.items()
    )
