"""The generated pages say what the definitions say now."""

import re
from pathlib import Path

import pytest

from docs.generated.pages import INDEX, PARTS, RULES, pages, strays, written_by_hand
from sitemapaudit.rules.catalog import catalog

LOOPBACK = re.compile(r"127\.0\.0\.1|localhost|\[::1\]|:\d{4,5}\b")


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    return pages()


def test_the_pages_are_up_to_date(generated: dict[Path, str]) -> None:
    old = [page for page, text in generated.items() if stored(page) != text]
    assert [*old, *strays()] == [], "run: make pages"


def stored(page: Path) -> str | None:
    return page.read_text(encoding="utf-8") if page.is_file() else None


def test_each_rule_has_a_page(generated: dict[Path, str]) -> None:
    found = {page.stem for page in generated if page.parent == RULES and page != INDEX}
    assert found == set(catalog())


def test_each_part_is_on_a_page() -> None:
    texts = "".join(page.read_text(encoding="utf-8") for page in written_by_hand())
    assert set(re.findall(r"<!-- generated: ([\w-]+) -->", texts)) == set(PARTS)


def test_no_page_shows_the_machine_that_made_an_example(generated: dict[Path, str]) -> None:
    texts = [text for page, text in generated.items() if page.parent == RULES]
    texts += [make() for make in PARTS.values()]
    assert [text for text in texts if LOOPBACK.search(text)] == []
