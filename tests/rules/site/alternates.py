"""URLs that declare alternates in each of the three sources, and the findings of a rule."""

from collections.abc import Iterable

import pytest

from sitemapaudit.items import Entries, Page
from tests.pages.responses import SITE, head, page_of
from tests.rules.entry.extended import link
from tests.rules.sitemap.files import entries_of, url, urlset
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, listed

Links = tuple[tuple[str, str], ...]
"""Pairs of code and address; ``self`` is replaced with the URL itself."""

SOURCES = ("sitemap", "tag", "header")
each_source = pytest.mark.parametrize("source", SOURCES)


def messages_of(rule: str, source: str, cases: Iterable[Links]) -> list[list[str]]:
    """Return the messages of a rule for each case: a URL that declares these alternates."""
    declared = {f"{SITE}/{number:03}": links for number, links in enumerate(cases)}
    items: list[Entries | Page]
    if source == "sitemap":
        items = [in_sitemap(declared)]
    else:
        pages = (on_page(at, tags=links) for at, links in declared.items())
        if source == "header":
            pages = (on_page(at, headers=links) for at, links in declared.items())
        items = [listed(*declared), *pages]
    findings = rule_on(tables_of(items, rule), rule)
    return [[message for at, _, message in findings if at == url] for url in declared]


def in_sitemap(declared: dict[str, Links]) -> Entries:
    """Return entries with these alternates."""
    body = urlset(
        *(
            url(at, "".join(link(hreflang=code, href=href) for code, href in _filled(links, at)))
            for at, links in declared.items()
        )
    )
    return Entries(SITEMAP, entries_of(body))


def on_page(at: str, tags: Links = (), headers: Links = (), status: int = 200) -> Page:
    """Return a page that declares alternates in its HTML, or in its headers."""
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
