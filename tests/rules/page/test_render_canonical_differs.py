"""render-canonical-differs: the usable canonicals before and after scripts ran are compared."""

import pytest

from sitemapaudit.items import Canonical, Verdict
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check, sentences
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-canonical-differs"
URL = "https://www.example.com/a"
A, B = f"{URL}?a", f"{URL}?b"


def canonicals(*targets: str) -> list[Canonical]:
    return [Canonical("tag", target, target) for target in targets]


def findings_of(
    raw: list[Canonical],
    after: list[Canonical],
    verdict: Verdict | None = Verdict.CANONICALIZED,
) -> list[tuple[str, str]]:
    page = fetched_page(URL, noindex=False, canonicals=raw)
    row = rendered(page, verdict, canonicals=after)
    tables = tables_of([listed(URL), page, row], RULE)
    return [(severity, message) for _, severity, message in rule_on(tables, RULE)]


def items(raw: list[str], after: list[str]) -> list[Item]:
    """Return a page with these canonicals before and after its scripts ran."""
    page = fetched_page(URL, noindex=False, canonicals=canonicals(*raw))
    row = rendered(page, Verdict.CANONICALIZED, canonicals=canonicals(*after))
    return [listed(URL), page, row]


def test_a_different_canonical_is_reported() -> None:
    cases: list[tuple[list[str], list[str], str, str]] = [
        ([A], [B], "error", f"its canonical is {A} in the HTML and {B} after rendering"),
        ([A], [A, B], "error", f"its canonical is {A} in the HTML and {A} and {B} after rendering"),
        ([A, B], [A], "error", f"its canonical is {A} and {B} in the HTML and {A} after rendering"),
        ([A], [], "warning", f"its canonical is {A} in the HTML and missing after rendering"),
        ([], [A], "notice", f"its canonical is missing in the HTML and {A} after rendering"),
        (
            [],
            [A, B],
            "warning",
            f"its canonical is missing in the HTML and {A} and {B} after rendering",
        ),
    ]
    expected = [(raw, after, [(URL, *found)]) for raw, after, *found in cases]
    check(RULE, expected, items, sentences)


def test_the_same_canonicals_are_not_reported() -> None:
    cases: list[tuple[list[str], list[str]]] = [
        ([], []),
        ([A], [A]),
        ([A, B], [B, A]),
        ([A], [A, A]),
    ]
    check(RULE, [(*case, []) for case in cases], items, sentences)


def test_unusable_canonicals_do_not_count() -> None:
    ignored = [Canonical("tag", B, B, "outside-head")]
    assert findings_of(ignored, []) == []
    assert findings_of(canonicals(A), canonicals(A) + ignored) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_nothing_is_reported_if_rendering_was_inconclusive_or_redirected(
    verdict: Verdict | None,
) -> None:
    assert findings_of(canonicals(A), canonicals(B), verdict) == []
