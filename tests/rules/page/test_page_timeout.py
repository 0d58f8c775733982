"""page-timeout: no complete answer within the time that is set."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-timeout"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (failed(Error.TIMEOUT, "20 seconds"), ["error"]),
        (failed(Error.DNS), []),
        (failed(Error.RESET), []),
        (failed(Error.TLS), []),
        (failed(Error.TRUNCATED), []),
        (failed(Error.LIMIT), []),
        (page_of(status=408), []),
        (page_of(status=504), []),
        (page_of(), []),
        (blocked(), []),
    ],
)
def test_error(tmp_path: Path, page: Page, expected: list[str]) -> None:
    run = build_run(tmp_path, [listed(URL), page])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


@pytest.mark.parametrize("detail", ["20 seconds", "robots.txt: 20 seconds"])
def test_message_gives_the_time(tmp_path: Path, detail: str) -> None:
    run = build_run(tmp_path, [listed(URL), failed(Error.TIMEOUT, detail)])
    assert rule_on(run, RULE) == [(URL, "error", f"answers not in time ({detail})")]
    assert list(run.urls["verdict"]) == ["unreachable"]
    assert list(run.urls["indexable"].isna()) == [True]


def test_behind_a_redirect(tmp_path: Path) -> None:
    slow = failed(Error.TIMEOUT, "20 seconds", at=f"{SITE}/b")
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), slow])
    message = f"redirects to {SITE}/b, which answers not in time (20 seconds)"
    assert rule_on(run, RULE) == [(URL, "error", message)]
