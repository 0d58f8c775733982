"""page-tls-error: the certificate is bad, or the handshake fails."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-tls-error"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (failed(Error.TLS, "certificate has expired"), ["error"]),
        (failed(Error.DNS), []),
        (failed(Error.REFUSED), []),
        (failed(Error.TIMEOUT), []),
        (failed(Error.INTERNAL), []),
        (page_of(), []),
        (page_of(status=526), []),
        (blocked(), []),
    ],
)
def test_error(tmp_path: Path, page: Page, expected: list[str]) -> None:
    run = build_run(tmp_path, [listed(URL), page])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


@pytest.mark.parametrize("detail", ["certificate has expired", "robots.txt: self-signed"])
def test_message_gives_the_reason(tmp_path: Path, detail: str) -> None:
    run = build_run(tmp_path, [listed(URL), failed(Error.TLS, detail)])
    assert rule_on(run, RULE) == [(URL, "error", f"answers nothing usable (TLS: {detail})")]
    assert list(run.findings.loc[run.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(run.urls["verdict"]) == ["unreachable"]
    assert list(run.urls["indexable"].isna()) == [True]


def test_behind_a_redirect(tmp_path: Path) -> None:
    bad = failed(Error.TLS, "the certificate names another host", at=f"{SITE}/b")
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), bad])
    ((url, severity, message),) = rule_on(run, RULE)
    assert (url, severity) == (URL, "error")
    assert message.startswith(f"redirects to {SITE}/b, which answers nothing usable (TLS: ")
