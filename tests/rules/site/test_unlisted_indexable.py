"""unlisted-indexable: a page that was fetched, that others link to, and that no sitemap lists."""

from typing import Any

import pytest

from sitemapaudit.items import DeclaredSitemap, Kind, Robots, Role, Sitemap
from tests.pages.responses import SITE
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check
from tests.support.rows import fetched_page, linked_page, listed

RULE = "unlisted-indexable"
BLOG, OTHER = "https://blog.example.com", "https://other.example"


def example(**values: Any) -> list[Item]:
    """Return a site with a linked page that is not listed."""
    pages = [linked_page(HOME, A, B), linked_page(A, B)]
    return [ROBOTS, READ, listed(HOME, A), *pages, linked_page(B, role=Role.CANONICAL, **values)]


def test_a_linked_page_is_found() -> None:
    message = "is linked by 2 pages and indexable, and no sitemap lists it"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [(B, "warning", message)]


def test_other_pages_need_no_entry() -> None:
    cases: list[dict[str, Any]] = [
        {"noindex": True},
        {"status": 404},
        {"canonical": A},
        {"is_html": False},
    ]
    expected = [({}, 1), *((values, 0) for values in cases)]
    check(RULE, expected, lambda values: example(**values), len, **ARGUMENTS)


def test_a_page_without_links_is_not_found() -> None:
    unlinked = linked_page(f"{SITE}/c", role=Role.CANONICAL)
    rows: list[Item] = [ROBOTS, READ, listed(HOME), linked_page(HOME), unlinked]
    assert rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE) == []


UNREAD = Sitemap(f"{SITE}/other.xml", status=503)


@pytest.mark.parametrize(
    ("rows", "doubt"),
    [
        ([UNREAD], "1 of 2 sitemaps could not be read"),
        ([Sitemap(f"{SITE}/gone.xml", status=404)], None),
        ([Sitemap(f"{SITE}/page.xml", status=200, kind=Kind.HTML, complete=True)], None),
        ([Sitemap(f"{SITE}/bad.xml", status=200, xml_error="x", complete=True)], None),
        ([Sitemap(f"{OTHER}/x.xml", status=503)], None),
    ],
)
def test_a_sitemap_that_was_not_read_may_list_it(rows: list[Item], doubt: str | None) -> None:
    ((url, severity, message),) = rule_on(tables_of([*example(), *rows], RULE, **ARGUMENTS), RULE)
    read = "that was read " if doubt else ""
    assert (url, severity) == (B, "notice" if doubt else "warning")
    said = f"is linked by 2 pages and indexable, and no sitemap {read}lists it"
    assert message == said + (f"; {doubt}" if doubt else "")


def test_given_sitemaps_are_not_all() -> None:
    ((_, _, message),) = rule_on(tables_of(example(), RULE, links="record"), RULE)
    assert message.endswith("; the audit did not search for its sitemaps")


@pytest.mark.parametrize(
    ("sitemaps", "doubt"),
    [
        ([], "the audit did not search for its sitemaps"),
        ([f"{BLOG}/s.xml"], "its robots.txt declares sitemaps that the audit did not read"),
    ],
)
def test_hosts_of_the_site_without_a_listed_url(sitemaps: list[str], doubt: str) -> None:
    lines = [DeclaredSitemap(1, url, url) for url in sitemaps]
    robots = Robots(BLOG, f"{BLOG}/robots.txt", audited=False, sitemaps=lines)
    page = linked_page(f"{BLOG}/x", role=Role.REDIRECT)
    rows: list[Item] = [ROBOTS, READ, robots, listed(HOME), linked_page(HOME, f"{BLOG}/x"), page]
    tables = tables_of(rows, RULE, domains=["example.com"], **ARGUMENTS)
    ((url, severity, message),) = rule_on(tables, RULE)
    assert (url, severity) == (f"{BLOG}/x", "notice")
    assert doubt in message


@pytest.mark.parametrize("other", [OTHER, f"{SITE}:8080"])
@pytest.mark.parametrize("more", [(), (f"{OTHER}/listed",)])
def test_targets_on_other_sites_are_not_found(other: str, more: tuple[str, ...]) -> None:
    moved = fetched_page(A, 301, target=f"{other}/x")
    page = linked_page(f"{other}/x", role=Role.REDIRECT)
    rows: list[Item] = [ROBOTS, READ, listed(HOME, A, *more), linked_page(HOME, A), moved, page]
    assert rule_on(tables_of(rows, RULE, domains=["example.com"], **ARGUMENTS), RULE) == []


def test_a_page_with_the_text_of_a_missing_one_is_not_found() -> None:
    text: dict[str, Any] = {"content_hash": "missing", "noindex": False, "is_html": True}
    probe = fetched_page(f"{SITE}/cannot-exist", role=Role.PROBE, **text)
    for name, number in {"missing": 0, "other": 1}.items():
        rows = [*example(content_hash=name), probe]
        assert len(rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)) == number
