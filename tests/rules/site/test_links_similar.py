"""links-similar: linked URLs that are so many and so similar that not all are fetched."""

from typing import Any

from tests.pages.responses import SITE
from tests.rules.site.linked import HOME, READ, ROBOTS
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import linked_page, listed

RULE = "links-similar"
ARGUMENTS: dict[str, Any] = {
    "links": "crawl", "site": SITE, "similar": {"www.example.com/calendar/*": 1234}
}  # fmt: skip


def example() -> list[Item]:
    """Return a site with a calendar."""
    return [ROBOTS, READ, listed(HOME), linked_page(HOME, f"{SITE}/calendar/1")]


def test_similar_urls_that_were_skipped_are_found() -> None:
    message = "links to 1,234 more URLs like www.example.com/calendar/*, which were not fetched"
    assert rule_on(tables_of(example(), RULE, **ARGUMENTS), RULE) == [(None, "notice", message)]


def test_nothing_is_found_if_none_was_skipped() -> None:
    run = tables_of(example(), RULE, **{**ARGUMENTS, "similar": {}})
    assert rule_on(run, RULE) == []
