"""robots-meta-misspelled: a meta tag whose name is nearly robots."""

import pytest

from sitemapaudit.items import Entries, Page
from tests.pages.responses import URL, head, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.findings import found, severities
from tests.support.rows import listed

RULE = "robots-meta-misspelled"


def example() -> list[Entries | Page]:
    """Return items that break the rule."""
    return [listed(URL), page_of(head("<meta name=robot content='noindex, nofollow'>"))]


@pytest.mark.parametrize("name", ["robot", "Robot", " robot ", "robos", "robotss", "robtos"])
def test_a_misspelled_name_is_no_agent(name: str) -> None:
    page = page_of(head(f"<meta name='{name}' content=noindex>"))
    assert severities(RULE, page) == ["warning"]
    assert found("noindex-agent", page) == []
    assert page.noindex is False


@pytest.mark.parametrize(
    "name", ["robots", "googlebot", "bot", "otherbot", "about", "rob", "roboto-slab", "author", ""]
)
def test_other_names(name: str) -> None:
    assert found(RULE, page_of(head(f"<meta name='{name}' content=noindex>"))) == []


def test_headers_are_not_checked() -> None:
    assert found(RULE, page_of(head(), "X-Robots-Tag: robot: noindex")) == []


def test_message() -> None:
    ((_, _, message),) = rule_on(tables_of(example(), RULE), RULE)
    assert message == "has a meta tag 'robot' instead of 'robots': noindex, nofollow is ignored"
