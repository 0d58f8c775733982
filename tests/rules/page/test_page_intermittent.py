"""page-intermittent: the response at the end of the run differs from a first failure."""

import pytest

from sitemapaudit.items import Entries, Error, Page, RecheckedPage, RecheckResult, Verdict
from sitemapaudit.verdicts import decide_verdict
from tests.pages.responses import URL, head, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.findings import found, severities
from tests.support.rows import listed

RULE = "page-intermittent"


def rechecked(
    result: RecheckResult | None = RecheckResult.RECOVERED,
    first: int | Error = 503,
    last: int | Error = 200,
    verdict: Verdict = Verdict.SERVER_ERROR,
) -> RecheckedPage:
    page = RecheckedPage(URL, recheck=result, first_verdict=verdict, noindex=False)
    page.status, page.error = split(last)
    page.first_status, page.first_error = split(first)
    page.verdict = decide_verdict(page)
    return page


def split(response: int | Error) -> tuple[int | None, Error | None]:
    return (response, None) if isinstance(response, int) else (None, response)


def example() -> list[Entries | Page]:
    """Return items that break the rule."""
    return [listed(URL), page_of(head(), status=503), rechecked()]


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, []),
        (RecheckResult.CONFIRMED, []),
        (RecheckResult.INTERMITTENT, ["warning"]),
        (RecheckResult.RECOVERED, ["warning"]),
    ],
)
def test_what_the_recheck_showed(result: RecheckResult | None, expected: list[str]) -> None:
    assert severities(RULE, rechecked(result)) == expected


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (rechecked(), "returned 503 at first, and returned 200 at the end of the audit"),
        (
            rechecked(RecheckResult.INTERMITTENT, Error.TIMEOUT, 500),
            "gave no usable response (timeout) at first, and returned 500 at the end of the audit",
        ),
        (
            rechecked(RecheckResult.INTERMITTENT, 500, Error.RESET),
            "returned 500 at first, and gave no usable response (reset) at the end of the audit",
        ),
        (
            rechecked(first=200, verdict=Verdict.SOFT_404),
            (
                "returned 200, but looked like an error page at first, "
                "and returned 200 at the end of the audit"
            ),
        ),
    ],
)
def test_message(page: RecheckedPage, message: str) -> None:
    (finding,) = found(RULE, page)
    assert finding.message == message


def test_the_second_response_replaces_the_first_one_and_its_findings() -> None:
    tables = tables_of(example())
    assert [url for url, *_ in rule_on(tables, RULE)] == [URL]
    assert rule_on(tables, "page-server-error") == []
    assert tables.urls["verdict"].tolist() == ["indexable"]


def test_the_findings_on_a_first_response_are_dropped() -> None:
    first = page_of("", "X-Robots-Tag: noindex")
    rule = "noindex-header"
    assert [url for url, *_ in rule_on(tables_of([listed(URL), first]), rule)] == [URL]
    assert rule_on(tables_of([listed(URL), first, rechecked()]), rule) == []
