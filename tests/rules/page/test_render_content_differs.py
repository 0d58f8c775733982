"""render-content-differs: title, h1, words and links before and after scripts ran."""

from typing import Any

from sitemapaudit.items import Verdict
from tests.rules.tables import Item
from tests.rules.together import check, sentences
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-content-differs"
URL = "https://www.example.com/a"


def items(
    raw: dict[str, Any], after: dict[str, Any], verdict: Verdict | None = Verdict.INDEXABLE
) -> list[Item]:
    """Return a listed page whose rendering differs from its HTML."""
    values: dict[str, Any] = {"title": "T", "h1": "H", "words": 100} | raw
    page = fetched_page(URL, noindex=False, **values)
    return [listed(URL), page, rendered(page, verdict, **after)]


def test_changed_content_is_reported() -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any], str]] = [
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
    ]
    expected = [(raw, after, [(URL, "notice", message)]) for raw, after, message in cases]
    check(RULE, expected, items, sentences)


def test_small_changes_are_not_reported() -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {}),
        ({"title": None, "h1": None}, {}),
        ({}, {"words": 199}),
        ({"words": 0}, {"words": 49}),
        ({"words": 40}, {"words": 89}),
        ({}, {"words": 10}),
        ({}, {"links": 31, "links_added": 5, "links_removed": 0}),
        ({}, {"links": 4, "links_added": 4, "links_removed": 0}),
        ({}, {"links": 30, "links_added": 4, "links_removed": 4}),
    ]
    check(RULE, [(*case, []) for case in cases], items, sentences)


def test_nothing_is_reported_if_rendering_was_inconclusive_or_redirected() -> None:
    cases = [Verdict.REDIRECTED, None]
    check(RULE, [({}, {"title": "U"}, verdict, []) for verdict in cases], items, sentences)
