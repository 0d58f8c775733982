"""unlisted-indexable: a page that was fetched, that others link to, and that no sitemap lists."""

from typing import Any

import pytest

from sitemapaudit.items import Role, Sitemap
from tests.pages.responses import SITE
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "unlisted-indexable"


def example(**values: Any) -> list[Item]:
    """Return a site with a linked page that is not listed."""
    pages = [linked_page(HOME, A, B), linked_page(A, B)]
    return [ROBOTS, READ, listed(HOME, A), *pages, linked_page(B, role=Role.CANONICAL, **values)]


def test_a_linked_page_is_found() -> None:
    message = "is linked by 2 pages and indexable, and no sitemap lists it"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [(B, "warning", message)]


@pytest.mark.parametrize(
    "values", [{"noindex": True}, {"status": 404}, {"canonical": A}, {"is_html": False}], ids=str
)
def test_other_pages_need_no_entry(values: dict[str, Any]) -> None:
    assert rule_on(tables_of(example(**values), RULE, **ARGUMENTS), RULE) == []


def test_a_page_without_links_is_not_found() -> None:
    unlinked = linked_page(f"{SITE}/c", role=Role.CANONICAL)
    rows: list[Item] = [ROBOTS, READ, listed(HOME), linked_page(HOME), unlinked]
    assert rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE) == []


def test_nothing_is_found_if_a_sitemap_could_not_be_read() -> None:
    unread = Sitemap(f"{SITE}/other.xml", status=503)
    assert rule_on(tables_of([*example(), unread], RULE, **ARGUMENTS), RULE) == []


def test_a_page_with_the_text_of_a_missing_one_is_not_found() -> None:
    text: dict[str, Any] = {"content_hash": "missing", "noindex": False, "is_html": True}
    probe = fetched_page(f"{SITE}/cannot-exist", role=Role.PROBE, **text)
    for name, number in {"missing": 0, "other": 1}.items():
        rows = [*example(content_hash=name), probe]
        assert len(rule_on(tables_of(rows, RULE, **ARGUMENTS), RULE)) == number
