"""render-noindex-differs: noindex only before, or only after scripts ran."""

import pytest

from sitemapaudit.items import Error, Verdict
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, rendered

RULE = "render-noindex-differs"
URL = "https://www.example.com/a"


def findings_of(
    *, raw: bool, after: bool, verdict: Verdict | None = Verdict.INDEXABLE
) -> list[tuple[str | None, str, str]]:
    directives = {True: ["noindex"], False: []}
    page = fetched_page(URL, noindex=raw, directives=directives[raw])
    row = rendered(page, verdict, noindex=after, directives=directives[after])
    return rule_on(tables_of([listed(URL), page, row], RULE), RULE)


def test_a_removed_noindex_is_reported() -> None:
    message = "its scripts remove noindex (noindex), but it still counts"
    assert findings_of(raw=True, after=False) == [(URL, "error", message)]


def test_an_added_noindex_is_reported() -> None:
    message = "its scripts add noindex (noindex)"
    assert findings_of(raw=False, after=True, verdict=Verdict.NOINDEX) == [(URL, "error", message)]


@pytest.mark.parametrize("noindex", [True, False])
def test_an_unchanged_noindex_is_not_reported(noindex: bool) -> None:
    assert findings_of(raw=noindex, after=noindex) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_nothing_is_reported_if_rendering_was_inconclusive_or_redirected(
    verdict: Verdict | None,
) -> None:
    assert findings_of(raw=False, after=True, verdict=verdict) == []


def test_a_page_without_a_rendering_is_not_reported() -> None:
    page, other = fetched_page(URL, noindex=True), fetched_page(f"{URL}/b", noindex=True)
    row = rendered(other, None, noindex=None, error=Error.CRASHED)
    tables = tables_of([listed(URL, f"{URL}/b"), page, other, row], RULE)
    assert rule_on(tables, RULE) == []
