"""Faulty pages of the demo shop, each with the rules that must report it."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.demo.documents import HTML, page
from sitemapaudit.demo.server import Reply

SLOW: Final = 30.0
"""Delay of the slow page in seconds: longer than ``DOWNLOAD_TIMEOUT`` of the demo."""


class Origins(Struct, frozen=True):
    """The origins of the demo servers."""

    shop: str
    alias: str
    blog: str
    bare: str
    down: str
    dead: str
    tls: str
    maze: str


class PlantedPage(Struct, frozen=True):
    """A page of the shop, and the rules that must report it.

    ``reply`` is None for a page on another origin. ``listed`` is False for targets of redirects
    and canonicals that no sitemap lists. ``browser_rules`` only report a rendered page.
    """

    path: str
    reply: Reply | None
    rules: tuple[str, ...] = ()
    listed: bool = True
    browser_rules: tuple[str, ...] = ()


def planted_pages(origins: Origins) -> Iterator[PlantedPage]:
    """Yield every faulty page of the shop, and the targets of redirects."""
    yield from _redirects(origins)
    yield from _statuses()
    yield from _bodies(origins)
    yield from _directives(origins)
    yield from _canonicals(origins)
    yield from _canonical_targets(origins)
    yield PlantedPage(
        f"{origins.dead}/page", None, ("page-connection-error", "loc-scheme-mismatch")
    )
    yield PlantedPage(f"{origins.tls}/page", None, ("page-tls-error", "loc-scheme-mismatch"))


def _redirects(origins: Origins) -> Iterator[PlantedPage]:
    yield PlantedPage("/moved", _redirect(301, "/product/1"), ("page-redirect-permanent",))
    yield PlantedPage("/away-today", _redirect(302, "/product/2"), ("page-redirect-temporary",))
    yield PlantedPage(
        "/chain", _redirect(308, "/chain-2"), ("page-redirect-permanent", "page-redirect-chain")
    )
    yield PlantedPage("/chain-2", _redirect(301, "/product/3"), listed=False)
    yield PlantedPage("/circle", _redirect(307, "/circle-2"), ("page-redirect-loop",))
    yield PlantedPage("/circle-2", _redirect(302, "/circle"), listed=False)
    yield PlantedPage("/nowhere", Reply(status=301, headers=[HTML]), ("page-redirect-invalid",))
    yield PlantedPage(
        "/leaves",
        _redirect(301, f"{origins.alias}/landing"),
        ("page-redirect-permanent", "page-redirect-offsite"),
    )


def _statuses() -> Iterator[PlantedPage]:
    yield PlantedPage("/missing", Reply("Not found", 404, [HTML]), ("page-not-found",))
    yield PlantedPage("/gone", Reply("Gone", 410, [HTML]), ("page-not-found",))
    yield PlantedPage("/teapot", Reply("Short and stout", 418, [HTML]), ("page-client-error",))
    yield PlantedPage("/members", Reply("Members only", 403, [HTML]), ("page-access-denied",))
    yield PlantedPage("/broken", Reply("Oops", 500, [HTML]), ("page-server-error",))
    yield PlantedPage("/slow", Reply("Late", 200, [HTML], delay=SLOW), ("page-timeout",))
    yield PlantedPage("/nothing", Reply(status=204), ("page-status-unusual",))
    yield PlantedPage("/private/basket", page("Basket"), ("page-blocked-by-robots",))


def _bodies(origins: Origins) -> Iterator[PlantedPage]:
    document = Reply(b"%PDF-1.7 " + b"0" * 4096, headers=[("Content-Type", "application/pdf")])
    yield PlantedPage("/catalogue.pdf", document, ("page-not-html",))
    padding = f"<!-- {'x' * 2_097_152} -->"
    yield _page(origins, "/huge", "page-html-too-large", body=padding)
    link = f'<link rel="canonical" href="{origins.shop}/lost">'
    lost = f"<!doctype html>\n<title>Page not found</title>\n{link}\n<h1>We are sorry</h1>\n"
    yield PlantedPage("/lost", Reply(lost, headers=[HTML]), ("page-soft-404",))
    refresh = f'<meta http-equiv="refresh" content="0; url={origins.shop}/product/8">'
    yield _page(origins, "/refreshes", "page-meta-refresh", head=refresh)
    dated = [("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT")]
    yield _page(origins, "/dated", "lastmod-header-mismatch", headers=dated)
    yield _conflicting_alternates(origins)


def _conflicting_alternates(origins: Origins) -> PlantedPage:
    """Return a page whose HTML declares other alternates than its sitemap."""
    group = {"de": "/torn", "en": "/product/6", "x-default": "/torn"}
    links = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{origins.shop}{path}">'
        for code, path in group.items()
    )
    planted = _page(origins, "/torn", "hreflang-sources-conflict", "hreflang-no-return", head=links)
    return replace(planted, listed=False)


def _directives(origins: Origins) -> Iterator[PlantedPage]:
    now = datetime.now(UTC)
    past = (now - timedelta(days=3)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    soon = (now + timedelta(days=10)).strftime("%Y-%m-%d")
    yield _page(origins, "/noindex", "noindex-meta", meta="noindex")
    yield _page(origins, "/hidden", "noindex-header", headers=[("X-Robots-Tag", "none")])
    yield _page(
        origins,
        "/not-for-google",
        "noindex-agent",
        headers=[("X-Robots-Tag", "googlebot: noindex")],
    )
    yield _page(origins, "/expired", "unavailable-after-past", meta=f"unavailable_after: {past}")
    yield _page(origins, "/sale", "unavailable-after-future", meta=f"unavailable_after: {soon}")
    yield _page(origins, "/undecided", "directives-conflict", "noindex-meta", meta="index, noindex")


def _canonicals(origins: Origins) -> Iterator[PlantedPage]:
    shop = origins.shop
    product = f"{shop}/product/4"
    yield _page(origins, "/no-canonical", "canonical-missing", canonical=None)
    yield _page(origins, "/variant", "canonical-elsewhere", canonical=product)
    yield _page(
        origins,
        "/two-canonicals",
        "canonical-multiple",
        head=f'<link rel="canonical" href="{product}">',
    )
    yield _page(
        origins,
        "/contradicted",
        "canonical-header-conflict",
        headers=[("Link", f'<{product}>; rel="canonical"')],
    )
    yield _page(origins, "/relative", "canonical-relative", canonical="/relative")
    yield _page(
        origins,
        "/late",
        "canonical-outside-head",
        "canonical-missing",
        canonical=None,
        head=f'<img src="/pixel.gif" alt=""><link rel="canonical" href="{shop}/late">',
    )
    yield _page(
        origins,
        "/late-versions",
        "hreflang-outside-head",
        head=(
            '<img src="/pixel.gif" alt="">'
            f'<link rel="alternate" hreflang="en" href="{shop}/late-versions">'
            f'<link rel="alternate" hreflang="de" href="{product}">'
        ),
    )
    yield _page(
        origins,
        "/mail",
        "canonical-invalid",
        "canonical-missing",
        canonical="mailto:shop@example.com",
    )


def _canonical_targets(origins: Origins) -> Iterator[PlantedPage]:
    targets = {
        "/to-redirect": ("/moved", "canonical-to-redirect"),
        "/to-error": ("/missing", "canonical-to-error"),
        "/to-noindex": ("/noindex", "canonical-to-noindex"),
        "/to-variant": ("/variant", "canonical-chain"),
    }
    for path, (target, rule) in targets.items():
        yield _page(origins, path, rule, "canonical-elsewhere", canonical=origins.shop + target)
    yield _page(
        origins,
        "/syndicated",
        "canonical-offsite",
        "canonical-elsewhere",
        canonical=f"{origins.alias}/landing",
    )


def _redirect(status: int, location: str) -> Reply:
    return Reply(status=status, headers=[HTML, ("Location", location)])


_SELF: Final = "self"


def _page(
    origins: Origins,
    path: str,
    *rules: str,
    canonical: str | None = _SELF,
    meta: str | None = None,
    head: str = "",
    headers: Sequence[tuple[str, str]] = (),
    body: str = "",
) -> PlantedPage:
    """Return an HTML page of the shop; by default it is its own canonical."""
    target = origins.shop + path if canonical == _SELF else canonical
    robots = f'<meta name="robots" content="{meta}">' if meta else ""
    title = path.strip("/").replace("-", " ").capitalize()
    reply = page(title, canonical=target, head=robots + head, headers=headers, body=body)
    return PlantedPage(path, reply, rules)
