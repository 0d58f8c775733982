"""Builders for the documents of the demo website: HTML pages and sitemaps."""

import random
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final
from xml.sax.saxutils import escape
from zlib import crc32

from sitemapaudit.demo.server import Reply
from sitemapaudit.sitemaps.dialects import NAMESPACE

HTML: Final = ("Content-Type", "text/html; charset=utf-8")
XML: Final = ("Content-Type", "application/xml")
GZIP: Final = ("Content-Type", "application/gzip")
TEXT: Final = ("Content-Type", "text/plain; charset=utf-8")

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>'
_EPOCH: Final = date(2026, 1, 1)

_WORDS: Final = ["lantern", "harbor", "copper", "meadow", "weather", "timber", "quiet", "valley", "silver", "morning", "paper", "window", "garden", "river", "stone", "winter", "candle", "market", "orchard", "thunder", "village", "feather", "kitchen", "mirror", "summer", "bridge", "cotton", "island", "hammer", "ribbon", "forest", "shadow", "basket", "wagon", "pepper", "anchor", "barrel", "cellar", "dragon", "ember", "fountain", "granite", "hollow", "ivory", "jasmine", "kettle", "lemon", "marble", "needle", "olive", "pillow", "quartz", "rooster", "saddle", "tunnel", "umbrella", "velvet", "walnut", "yellow", "zephyr", "acorn", "bramble", "clover", "daisy", "elder", "fennel"]  # fmt: skip


def page(
    title: str,
    *,
    head: str = "",
    canonical: str | None = None,
    headers: Sequence[tuple[str, str]] = (),
    body: str = "",
    text: str | None = None,
) -> Reply:
    """Return an HTML page; ``head`` is extra markup for its head.

    Without ``text`` the page gets prose that is unique to its title.
    """
    link = f'<link rel="canonical" href="{escape(canonical)}">' if canonical else ""
    text = prose(title) if text is None else text
    html = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<title>{escape(title)}</title>\n<meta name="description" content="About {escape(title)}.">\n'
        f"{link}{head}\n</head>\n<body>\n<header><a href='/'>Demo shop</a></header>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{text}\n{body}</main>\n<footer>Planted on purpose.</footer>\n"
        f"</body>\n</html>\n"
    )
    return Reply(html, headers=[HTML, *headers])


def prose(seed: str, paragraphs: int = 3, words: int = 60) -> str:
    """Return paragraphs that depend only on the seed."""
    dice = random.Random(seed)  # noqa: S311 - not for security
    return "\n".join(
        f"<p>{' '.join(dice.choices(_WORDS, k=words)).capitalize()}.</p>" for _ in range(paragraphs)
    )


def entry(loc: str, lastmod: date | str | None = None, more: str = "") -> str:
    """Return a ``url`` element; ``loc`` is escaped, and ``more`` is markup.

    Without ``lastmod`` the element gets the date of ``own_lastmod``; an empty string omits it.
    """
    return f"<url><loc>{escape(loc)}</loc>{_lastmod(loc, lastmod)}{more}</url>"


def own_lastmod(loc: str) -> date:
    """Return a date that depends only on the address."""
    return _EPOCH + timedelta(days=crc32(loc.encode()) % 300)


def _lastmod(loc: str, lastmod: date | str | None) -> str:
    written = own_lastmod(loc) if lastmod is None else lastmod
    return f"<lastmod>{written}</lastmod>" if written else ""


def urlset(entries: Iterable[str], namespace: str = NAMESPACE, attributes: str = "") -> str:
    """Return a urlset with these ``url`` elements."""
    return _document("urlset", entries, namespace, attributes)


def index(children: Iterable[str]) -> str:
    """Return a sitemapindex that lists these addresses."""
    elements = (
        f"<sitemap><loc>{escape(child)}</loc>{_lastmod(child, None)}</sitemap>"
        for child in children
    )
    return _document("sitemapindex", elements, NAMESPACE)


def xml(document: str | bytes) -> Reply:
    """Return a reply that sends an XML document."""
    return Reply(document, headers=[XML])


def _document(root: str, elements: Iterable[str], namespace: str, attributes: str = "") -> str:
    lines = "\n".join(elements)
    return f'{DECLARATION}\n<{root} xmlns="{namespace}"{attributes}>\n{lines}\n</{root}>\n'
