"""render-canonical-differs: usable canonicals of the HTML and of the rendered page compared."""

from pathlib import Path

import pytest

from sitemapaudit.items import Canonical, Verdict
from tests.support import answered, build_run, listed, rendered, rule_on

RULE = "render-canonical-differs"
URL = "https://www.example.com/a"
A, B = f"{URL}?a", f"{URL}?b"


def canonicals(*targets: str) -> list[Canonical]:
    return [Canonical("tag", target, target) for target in targets]


def told(
    tmp_path: Path,
    raw: list[Canonical],
    after: list[Canonical],
    verdict: Verdict | None = Verdict.CANONICALIZED,
) -> list[tuple[str, str]]:
    page = answered(URL, noindex=False, canonicals=raw)
    row = rendered(page, verdict, canonicals=after)
    run = build_run(tmp_path, [listed(URL), page, row])
    return [(severity, message) for _, severity, message in rule_on(run, RULE)]


@pytest.mark.parametrize(
    ("raw", "after", "severity", "message"),
    [
        ([A], [B], "error", f"its canonical is {A} in HTML, and {B} once scripts ran"),
        ([A], [A, B], "error", f"its canonical is {A} in HTML, and {A} and {B} once scripts ran"),
        ([A], [], "warning", f"its canonical is {A} in HTML, and none once scripts ran"),
        ([], [A], "warning", f"its canonical is none in HTML, and {A} once scripts ran"),
    ],
)
def test_differs(
    tmp_path: Path, raw: list[str], after: list[str], severity: str, message: str
) -> None:
    assert told(tmp_path, canonicals(*raw), canonicals(*after)) == [(severity, message)]


@pytest.mark.parametrize(("raw", "after"), [([], []), ([A], [A]), ([A, B], [B, A]), ([A], [A, A])])
def test_the_same(tmp_path: Path, raw: list[str], after: list[str]) -> None:
    assert told(tmp_path, canonicals(*raw), canonicals(*after)) == []


def test_what_is_not_usable_is_none(tmp_path: Path) -> None:
    ignored = [Canonical("tag", B, B, "outside-head")]
    assert told(tmp_path, ignored, []) == []
    assert told(tmp_path / "more", canonicals(A), canonicals(A) + ignored) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_another_document_or_none_that_is_known(tmp_path: Path, verdict: Verdict | None) -> None:
    assert told(tmp_path, canonicals(A), canonicals(B), verdict) == []
