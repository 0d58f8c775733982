"""URLs that name alternates, in each of the three places, and what a rule says of them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from sitemapaudit.items import Entries, Page
from tests.pages.answers import SITE, head, page_of
from tests.rules.entry.extended import link
from tests.rules.sitemap.files import entries_of, url, urlset
from tests.support import SITEMAP, build_run, listed, rule_on

Links = tuple[tuple[str, str], ...]
"""Code and address of each; ``self`` stands for the URL itself."""

SOURCES = ("sitemap", "tag", "header")
each_source = pytest.mark.parametrize("source", SOURCES)


def told(folder: Path, rule: str, source: str, cases: Iterable[Links]) -> list[list[str]]:
    """Return, for each case, what a rule says of a URL that names these alternates there."""
    named = {f"{SITE}/{number:03}": links for number, links in enumerate(cases)}
    items: list[Entries | Page]
    if source == "sitemap":
        items = [in_sitemap(named)]
    else:
        pages = (on_page(at, tags=links) for at, links in named.items())
        if source == "header":
            pages = (on_page(at, headers=links) for at, links in named.items())
        items = [listed(*named), *pages]
    findings = rule_on(build_run(folder, items), rule)
    return [[message for at, _, message in findings if at == place] for place in named]


def in_sitemap(named: dict[str, Links]) -> Entries:
    """Return entries that name alternates."""
    body = urlset(
        *(
            url(at, "".join(link(hreflang=code, href=href) for code, href in _filled(links, at)))
            for at, links in named.items()
        )
    )
    return Entries(SITEMAP, entries_of(body))


def on_page(at: str, tags: Links = (), headers: Links = (), status: int = 200) -> Page:
    """Return a page that names alternates in its HTML, or in its headers."""
    elements = (
        f'<link rel="alternate" hreflang="{code}" href="{href}">'
        for code, href in _filled(tags, at)
    )
    lines = (
        f'Link: <{href}>; rel="alternate"; hreflang="{code}"' for code, href in _filled(headers, at)
    )
    return page_of(head(*elements), *lines, at=at, status=status)


def _filled(links: Links, at: str) -> Links:
    return tuple((code, href.replace("self", at)) for code, href in links)
