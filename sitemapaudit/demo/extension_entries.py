"""Demo entries with faults in the image, video, news and hreflang extensions."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from sitemapaudit.demo.documents import entry
from sitemapaudit.demo.faulty_entries import PlantedEntry
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
"""The namespace declarations of a urlset with extensions; ``wrong`` is an invalid one."""


def faulty_extensions(shop: str) -> Iterator[PlantedEntry]:
    """Yield entries with faulty extensions."""
    wrong = f"<wrong:image><wrong:loc>{shop}/a.png</wrong:loc></wrong:image>"
    yield PlantedEntry(entry(f"{shop}/news/wrong-namespace", more=wrong))
    yield from _images(shop)
    yield from _videos(shop)
    yield from _news(shop)
    yield from _single_alternates(shop)
    yield from _alternate_groups(shop)


def article(date: str, title: str = "Demo opens", language: str = "en") -> str:
    """Return a ``news:news`` element."""
    publication = f"<news:name>Demo news</news:name><news:language>{language}</news:language>"
    return (
        f"<news:news><news:publication>{publication}</news:publication>"
        f"<news:publication_date>{date}</news:publication_date>"
        f"<news:title>{title}</news:title></news:news>"
    )


def _images(shop: str) -> Iterator[PlantedEntry]:
    many = "".join(
        f"<image:image><image:loc>{shop}/{n}.png</image:loc></image:image>" for n in range(1_001)
    )
    yield _faulty(shop, "/news/gallery", "image-too-many", many)
    yield _faulty(
        shop,
        "/news/picture",
        "image-invalid",
        "<image:image><image:loc>a.png</image:loc></image:image>",
    )
    loc, caption = f"<image:loc>{shop}/a.png</image:loc>", "<image:caption>A</image:caption>"
    captioned = f"<image:image>{loc}{caption}</image:image>"
    yield _faulty(shop, "/news/captioned", "extension-deprecated", captioned)


def _videos(shop: str) -> Iterator[PlantedEntry]:
    thumbnail = f"<video:thumbnail_loc>{shop}/a.png</video:thumbnail_loc>"
    description = "<video:title>Demo</video:title><video:description>Of a demo.</video:description>"
    file = f"<video:content_loc>{shop}/a.mp4</video:content_loc>"
    videos = {
        "/news/silent-film": ("video-required-missing", thumbnail + description),
        "/news/endless-film": (
            "video-value-invalid",
            f"{thumbnail}{description}{file}<video:duration>28801</video:duration>",
        ),
        "/news/film": (
            "video-location-is-page",
            f"{thumbnail}{description}<video:content_loc>{shop}/news/film</video:content_loc>",
        ),
        "/news/old-film": (
            "video-expired",
            f"{thumbnail}{description}{file}<video:expiration_date>2026-01-01</video:expiration_date>",
        ),
    }
    for path, (rule, markup) in videos.items():
        yield _faulty(shop, path, rule, f"<video:video>{markup}</video:video>")


def _news(shop: str) -> Iterator[PlantedEntry]:
    now = datetime.now(UTC)
    today = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    old = (now - timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield _faulty(shop, "/news/stale", "news-stale", article(old))
    yield _faulty(shop, "/news/untitled", "news-required-missing", article(today, title=""))
    yield _faulty(shop, "/news/klingon", "news-value-invalid", article(today, language="klingon"))


def _single_alternates(shop: str) -> Iterator[PlantedEntry]:
    """Yield entries with a fault in their own alternates."""
    yield _faulty(
        shop, "/news/no-address", "hreflang-link-invalid",
        '<xhtml:link rel="alternate" hreflang="de"/>',
    )  # fmt: skip
    british = _links(shop, {"en-UK": "/news/british", "x-default": "/news/british"})
    yield _faulty(shop, "/news/british", "hreflang-code-invalid", british)
    dead_end = _links(shop, {"de": "/news/ende", "en": "/missing", "x-default": "/news/ende"})
    yield _faulty(shop, "/news/ende", "hreflang-to-non-indexable", dead_end)


def _alternate_groups(shop: str) -> Iterator[PlantedEntry]:
    """Yield language versions that refer to each other; each fault is in one version only."""
    no_return = {"de": "/news/einsam", "en": "/news/aloof", "x-default": "/news/einsam"}
    yield _faulty(shop, "/news/einsam", "hreflang-no-return", _links(shop, no_return))
    yield PlantedEntry(entry(f"{shop}/news/aloof"))
    not_itself = {"en": "/news/other", "x-default": "/news/other"}
    yield _faulty(shop, "/news/selbstlos", "hreflang-self-missing", _links(shop, not_itself))
    yield _faultless(shop, "/news/other", not_itself | {"de": "/news/selbstlos"})
    group = {"de": "/news/eins", "en": "/news/one", "x-default": "/news/eins"}
    two_english = _links(shop, group) + _links(shop, {"en": "/news/uno"})
    yield _faulty(shop, "/news/eins", "hreflang-duplicate-code", two_english)
    yield _faultless(shop, "/news/one", group)
    yield _faultless(
        shop, "/news/uno", {"en": "/news/uno", "de": "/news/eins", "x-default": "/news/eins"}
    )
    without_default = {"de": "/news/ohne", "en": "/news/without"}
    for path in without_default.values():
        yield _faulty(shop, path, "hreflang-x-default-missing", _links(shop, without_default))
    # The HTML of /torn declares another English version.
    conflicting = {"de": "/torn", "en": "/news/torn", "x-default": "/torn"}
    yield _faultless(shop, "/torn", conflicting)
    yield _faultless(shop, "/news/torn", conflicting)


def _faulty(shop: str, path: str, rule: str, markup: str) -> PlantedEntry:
    return PlantedEntry(entry(shop + path, more=markup), ((rule, path),))


def _faultless(shop: str, path: str, group: dict[str, str]) -> PlantedEntry:
    return PlantedEntry(entry(shop + path, more=_links(shop, group)))


def _links(shop: str, group: dict[str, str]) -> str:
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{shop}{path}"/>'
        for code, path in group.items()
    )
