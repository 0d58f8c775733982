"""page-blocked-by-robots: robots.txt forbids the URL; then nothing else is said of it."""

from pathlib import Path

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of
from tests.support import answered, build_run, found, listed, severities

RULE = "page-blocked-by-robots"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (blocked(), ["error"]),
        (answered(URL, 200, allowed=True), []),
        (answered(URL, 200, allowed=None), []),
        (answered(URL, 403, allowed=True), []),
        (answered(URL, None, error=Error.DNS), []),
        (answered(URL, None, error=Error.TIMEOUT), []),
        (failed(Error.LIMIT), []),
        (page_of(), []),
    ],
)
def test_permission(page: Page, expected: list[str]) -> None:
    assert severities(RULE, page) == expected


@pytest.mark.parametrize(
    "reason",
    [
        "robots.txt disallows it for Googlebot",
        "robots.txt answers 503, which forbids everything",
    ],
)
def test_message_gives_the_reason(reason: str) -> None:
    (finding,) = found(RULE, answered(URL, None, allowed=False, error_detail=reason))
    assert finding.message == f"is not to be asked for: {reason}"
    assert finding.url == URL


def test_no_other_rule_on_pages_says_anything() -> None:
    assert [finding.rule for finding in Audit().examine(blocked())] == [RULE]


def test_what_it_is_stays_unknown(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL), blocked(), page_of(at=f"{SITE}/unlisted")])
    assert list(run.findings.loc[run.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(run.urls["verdict"]) == ["blocked"]
    assert list(run.urls["indexable"].isna()) == [True]
