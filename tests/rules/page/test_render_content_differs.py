"""render-content-differs: title, h1, words and links before and after scripts ran."""

from typing import Any

import pytest

from sitemapaudit.items import Verdict
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-content-differs"
URL = "https://www.example.com/a"


def messages_of(
    raw: dict[str, Any],
    after: dict[str, Any],
    verdict: Verdict | None = Verdict.INDEXABLE,
) -> list[str]:
    values: dict[str, Any] = {"title": "T", "h1": "H", "words": 100} | raw
    page = fetched_page(URL, noindex=False, **values)
    tables = tables_of([listed(URL), page, rendered(page, verdict, **after)], RULE)
    findings = rule_on(tables, RULE)
    assert {severity for _, severity, _ in findings} <= {"notice"}
    return [message for _, _, message in findings]


@pytest.mark.parametrize(
    ("raw", "after", "message"),
    [
        ({}, {"title": "U"}, 'scripts change its title from "T" to "U"'),
        ({"title": None}, {"title": "U"}, 'scripts change its title from none to "U"'),
        ({}, {"title": None}, 'scripts change its title from "T" to none'),
        ({}, {"h1": "I"}, 'scripts change its h1 from "H" to "I"'),
        ({}, {"words": 200}, "scripts change its main text from 100 to 200 words"),
        ({"words": 0}, {"words": 50}, "scripts change its main text from 0 to 50 words"),
        (
            {},
            {"links": 30, "links_added": 5, "links_removed": 0},
            "scripts change its 25 internal links (5 added, 0 removed)",
        ),
        (
            {},
            {"links": 20, "links_added": 0, "links_removed": 5},
            "scripts change its 25 internal links (0 added, 5 removed)",
        ),
        (
            {},
            {"links": 5, "links_added": 5, "links_removed": 0},
            "scripts change its 0 internal links (5 added, 0 removed)",
        ),
        (
            {},
            {"title": "U", "h1": "I"},
            'scripts change its title from "T" to "U"; its h1 from "H" to "I"',
        ),
    ],
)
def test_changed_content_is_reported(
    raw: dict[str, Any], after: dict[str, Any], message: str
) -> None:
    assert messages_of(raw, after) == [message]


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        ({}, {}),
        ({"title": None, "h1": None}, {}),
        ({}, {"words": 199}),
        ({"words": 0}, {"words": 49}),
        ({"words": 40}, {"words": 89}),
        ({}, {"words": 10}),
        ({}, {"links": 31, "links_added": 5, "links_removed": 0}),
        ({}, {"links": 4, "links_added": 4, "links_removed": 0}),
        ({}, {"links": 30, "links_added": 4, "links_removed": 4}),
    ],
)
def test_small_changes_are_not_reported(raw: dict[str, Any], after: dict[str, Any]) -> None:
    assert messages_of(raw, after) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_nothing_is_reported_if_rendering_was_inconclusive_or_redirected(
    verdict: Verdict | None,
) -> None:
    assert messages_of({}, {"title": "U"}, verdict) == []
