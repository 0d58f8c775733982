"""render-js-redirect: the address after rendering is another one."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error, Navigation, Refresh, Verdict
from tests.support import answered, build_run, listed, rendered, rule_on

RULE = "render-js-redirect"
URL, TARGET = "https://www.example.com/a", "https://www.example.com/b"


@pytest.mark.parametrize(
    ("by", "verdict", "way"),
    [
        ("document", Verdict.REDIRECTED, "another document"),
        ("history", Verdict.INDEXABLE, "history"),
    ],
)
def test_another_address(tmp_path: Path, by: str, verdict: Verdict, way: str) -> None:
    page = answered(URL, noindex=False)
    row = rendered(page, verdict, final_url=TARGET, navigations=[Navigation(by, TARGET)])
    run = build_run(tmp_path, [listed(URL), page, row])
    message = f"scripts send it to {TARGET} (by {way}, status 200)"
    assert rule_on(run, RULE) == [(URL, "warning", message)]
    assert run.urls["verdict"].tolist() == [verdict.value]


def test_its_own_address(tmp_path: Path) -> None:
    page = answered(URL, noindex=False)
    row = rendered(page, navigations=[Navigation("document", TARGET), Navigation("document", URL)])
    assert rule_on(build_run(tmp_path, [listed(URL), page, row]), RULE) == []


def test_a_refresh_is_told_by_another_rule(tmp_path: Path) -> None:
    page = answered(URL, noindex=False, refresh=[Refresh("meta", 0.0, "/b", TARGET)])
    row = rendered(page, Verdict.REDIRECTED, final_url=TARGET)
    run = build_run(tmp_path, [listed(URL), page, row])
    assert rule_on(run, RULE) == []


def test_what_is_not_known(tmp_path: Path) -> None:
    page = answered(URL, noindex=False)
    row = rendered(page, None, final_url=TARGET, error=Error.TIMEOUT)
    assert rule_on(build_run(tmp_path, [listed(URL), page, row]), RULE) == []
