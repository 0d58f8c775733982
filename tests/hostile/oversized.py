"""Pages and sitemaps with values that are far too long, or far too many."""

import gzip
from functools import cache

from tests.hostile.attacks import NAMESPACE, Attack, urlset
from tests.hostile.host import HTML, XML, Sender, response

MILLION = 1_000_000
EXTENDED = (
    f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">'
)
MISSING = ("values-truncated", "canonical-missing")
LARGE = (*MISSING, "page-html-too-large")
HREFLANG = "rel=alternate hreflang=de"


@cache
def packed(text: str, *headers: str) -> Sender:
    """Return a sender of a text, compressed."""
    return response(gzip.compress(text.encode(), 6), *headers, "Content-Encoding: gzip")


def page(head: str) -> Sender:
    """Return a sender of a page with elements in its head."""
    return packed(f"<!doctype html><html lang=en><title>Page</title>{head}<p>Text", HTML)


def links(count: int, attributes: str) -> str:
    return "".join(f"<link {attributes} href=a{number}>" for number in range(count))


def merged_tags(count: int, attributes: int) -> str:
    """Return body tags whose attributes are all added to the first one."""
    names = (" ".join(f"a{tag}-{name}" for name in range(attributes)) for tag in range(count))
    return "".join(f"<body {each}>" for each in names)


def base(length: int) -> str:
    return f'<base href="/{"x" * length}/">'


def robots(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


def oversized_pages() -> list[Attack]:
    """Return the attacks by pages."""
    long = "x" * 9 * MILLION
    tokens = "a," * MILLION
    return [
        Attack(
            "/base",
            page(base(len(long)) + links(1000, "rel=canonical")),
            (*LARGE, "canonical-invalid"),
        ),
        Attack("/base-of-links", page(base(100_000) + links(19_000, HREFLANG)), MISSING),
        Attack(
            "/base-within-the-cap",
            page(base(8_000) + links(19_000, HREFLANG)),
            (
                *MISSING,
                "hreflang-duplicate-code",
                "hreflang-self-missing",
                "hreflang-to-non-indexable",
            ),
        ),
        Attack(
            "/canonical",
            page(f'<link rel=canonical href="/{long}">'),
            (*LARGE, "canonical-invalid"),
        ),
        Attack(
            "/hreflang",
            page(f'<link rel=alternate hreflang="{long}" href="/">'),
            (*LARGE, "hreflang-code-invalid", "hreflang-self-missing", "hreflang-to-non-indexable"),
        ),
        Attack("/options", page(f"<select>{'<option>' * 199_000}"), MISSING[1:]),
        Attack("/merged", page(merged_tags(1_000, 100)), MISSING[1:]),
        Attack("/token", page(robots("robots", long)), LARGE),
        Attack("/tokens", page(robots("robots", tokens)), MISSING),
        Attack("/agents", page(robots(f"bot-{long[: 4 * MILLION]}", tokens)), LARGE),
        Attack("/refresh", page(f'<meta http-equiv=refresh content="9; url=/{long}">'), LARGE),
    ]


def long_locs(count: int, length: int) -> Sender:
    """Return a sender of a sitemap with so many locs."""
    return packed(urlset(f"http://a.example/{n}/{'x' * length}" for n in range(count)), XML)


def repeated(entries: int, count: int, element: str) -> Sender:
    """Return a sender of a sitemap with so many entries, each with so many elements."""
    entry = f"<url>{element * count}</url>"
    return packed(f"{EXTENDED}{entry * entries}</urlset>", XML)


def oversized_sitemaps() -> list[Attack]:
    """Return the attacks by sitemaps."""
    too_long = ("values-truncated", "loc-too-long")
    no_loc = ("loc-missing", "lastmod-missing")
    images, linked = ("image-invalid", "image-too-many"), ("hreflang-link-invalid",)
    return [
        Attack("/locs-of-80k.xml", long_locs(500, 80_000), too_long),
        Attack("/locs-of-1m.xml", long_locs(20, MILLION), too_long),
        Attack("/locs-of-3m.xml", long_locs(5, 3_800_000), too_long),
        Attack(
            "/images.xml",
            repeated(1, 280_000, "<image:image/>"),
            ("values-truncated", *images, *no_loc),
        ),
        Attack(
            "/links.xml",
            repeated(1, 300_000, "<xhtml:link/>"),
            ("values-truncated", *linked, *no_loc),
        ),
        Attack("/links-within-the-cap.xml", repeated(10, 2_000, "<xhtml:link/>"), linked + no_loc),
    ]
