"""render-content-differs: title, h1, words and links before and after scripts ran."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.items import Verdict
from tests.support import answered, build_run, listed, rendered, rule_on

RULE = "render-content-differs"
URL = "https://www.example.com/a"


def told(
    tmp_path: Path,
    raw: dict[str, Any],
    after: dict[str, Any],
    verdict: Verdict | None = Verdict.INDEXABLE,
) -> list[str]:
    values: dict[str, Any] = {"title": "T", "h1": "H", "words": 100} | raw
    page = answered(URL, noindex=False, **values)
    run = build_run(tmp_path, [listed(URL), page, rendered(page, verdict, **after)])
    findings = rule_on(run, RULE)
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
            "scripts change its 25 internal links by 5 more and 0 fewer",
        ),
        (
            {},
            {"links": 20, "links_added": 0, "links_removed": 5},
            "scripts change its 25 internal links by 0 more and 5 fewer",
        ),
        (
            {},
            {"links": 5, "links_added": 5, "links_removed": 0},
            "scripts change its 0 internal links by 5 more and 0 fewer",
        ),
        (
            {},
            {"title": "U", "h1": "I"},
            'scripts change its title from "T" to "U"; its h1 from "H" to "I"',
        ),
    ],
)
def test_differs(tmp_path: Path, raw: dict[str, Any], after: dict[str, Any], message: str) -> None:
    assert told(tmp_path, raw, after) == [message]


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
def test_the_same_or_nearly(tmp_path: Path, raw: dict[str, Any], after: dict[str, Any]) -> None:
    assert told(tmp_path, raw, after) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_another_document_or_none_that_is_known(tmp_path: Path, verdict: Verdict | None) -> None:
    assert told(tmp_path, {}, {"title": "U"}, verdict) == []
