"""unlisted-canonical-target: the canonical of unlisted pages, which is not listed either."""

from typing import Any

import pytest

from sitemapaudit.items import Role, Sitemap
from tests.pages.responses import SITE
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS, A, B
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, linked_page, listed

RULE = "unlisted-canonical-target"
DUPLICATE, ORIGINAL = f"{SITE}/new?ref=1", f"{SITE}/new"


def example(**values: Any) -> list[Item]:
    """Return a site where a listed page redirects to a duplicate of an unlisted page."""
    moved = fetched_page(A, 301, target=DUPLICATE)
    duplicate = fetched_page(DUPLICATE, canonical=ORIGINAL, role=Role.REDIRECT)
    given = {"is_html": True, "noindex": False, "role": Role.CANONICAL, **values}
    return [
        ROBOTS,
        READ,
        listed(HOME, A),
        fetched_page(HOME),
        moved,
        duplicate,
        fetched_page(ORIGINAL, **given),
    ]


def found(rows: list[Item], **arguments: Any) -> list[str]:
    return [str(url) for url, *_ in rule_on(tables_of(rows, RULE, site=SITE, **arguments), RULE)]


def test_the_unlisted_canonical_of_an_unlisted_page_is_found() -> None:
    message = f"is the canonical of 1 page, such as {DUPLICATE}, and no sitemap lists it"
    assert rule_on(tables_of(example(), RULE, site=SITE), RULE) == [(ORIGINAL, "warning", message)]


def test_of_several_pages_the_first_is_named() -> None:
    other = fetched_page(f"{DUPLICATE}&b=2", canonical=ORIGINAL, role=Role.REDIRECT)
    ((_, _, message),) = rule_on(tables_of([*example(), other], RULE, site=SITE), RULE)
    assert message.startswith(f"is the canonical of 2 pages, such as {DUPLICATE}, and")


@pytest.mark.parametrize(
    "values", [{"noindex": True}, {"status": 404}, {"canonical": B}, {"file": "new.html"}], ids=str
)
def test_only_indexable_pages_are_found(values: dict[str, Any]) -> None:
    assert found(example(**values)) == []


def test_the_canonical_of_a_page_with_another_verdict_is_not_found() -> None:
    rows = example()
    rows[5] = fetched_page(DUPLICATE, canonical=ORIGINAL, noindex=True, role=Role.REDIRECT)
    assert found(rows) == []


def test_a_canonical_that_links_and_is_not_linked_is_found() -> None:
    rows = [*example(), linked_page(B, HOME)]
    rows[6] = linked_page(ORIGINAL, HOME, role=Role.CANONICAL)
    assert found(rows, links="record") == [ORIGINAL]


def test_a_listed_canonical_is_not_found() -> None:
    assert found([*example(), listed(ORIGINAL, sitemap=f"{SITE}/b.xml")]) == []


def test_the_canonical_of_a_listed_page_has_another_rule() -> None:
    page = fetched_page(B, canonical=ORIGINAL)
    rows: list[Item] = [*example(), listed(B, sitemap=f"{SITE}/b.xml"), page]
    assert found(rows) == []
    other = "canonical-target-missing-from-sitemap"
    assert [url for url, *_ in rule_on(tables_of(rows, other, site=SITE), other)] == [B]


def test_a_linked_canonical_has_another_rule() -> None:
    rows = example()
    rows[3] = linked_page(HOME, ORIGINAL)
    assert found(rows, links="record") == []
    other = "unlisted-indexable"
    assert [url for url, *_ in rule_on(tables_of(rows, other, **ARGUMENTS), other)] == [ORIGINAL]


def test_a_sitemap_that_could_not_be_read_may_list_it() -> None:
    rows = [*example(), Sitemap(f"{SITE}/other.xml", status=503)]
    ((url, severity, message),) = rule_on(tables_of(rows, RULE, site=SITE), RULE)
    assert (url, severity) == (ORIGINAL, "notice")
    assert message.endswith("no sitemap that was read lists it; 1 of 2 sitemaps could not be read")


def test_pages_of_other_sites_are_not_found() -> None:
    other = "https://other.example/new"
    duplicate = fetched_page(DUPLICATE, canonical=other, role=Role.REDIRECT)
    page = fetched_page(other, is_html=True, noindex=False, role=Role.CANONICAL)
    assert found([ROBOTS, READ, listed(HOME, A), fetched_page(HOME), duplicate, page]) == []
