"""render-noindex-differs: noindex in HTML only, or only once scripts ran."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error, Verdict
from tests.support import answered, build_run, listed, rendered, rule_on

RULE = "render-noindex-differs"
URL = "https://www.example.com/a"


def told(
    tmp_path: Path, *, raw: bool, after: bool, verdict: Verdict | None = Verdict.INDEXABLE
) -> list[tuple[str | None, str, str]]:
    directives = {True: ["noindex"], False: []}
    page = answered(URL, noindex=raw, directives=directives[raw])
    row = rendered(page, verdict, noindex=after, directives=directives[after])
    return rule_on(build_run(tmp_path, [listed(URL), page, row]), RULE)


def test_scripts_take_it_away(tmp_path: Path) -> None:
    message = "is noindex (noindex), and its scripts take that away, which does not help"
    assert told(tmp_path, raw=True, after=False) == [(URL, "error", message)]


def test_scripts_bring_it(tmp_path: Path) -> None:
    message = "is made noindex by its scripts (noindex)"
    assert told(tmp_path, raw=False, after=True, verdict=Verdict.NOINDEX) == [
        (URL, "error", message)
    ]


@pytest.mark.parametrize("noindex", [True, False])
def test_the_same(tmp_path: Path, noindex: bool) -> None:
    assert told(tmp_path, raw=noindex, after=noindex) == []


@pytest.mark.parametrize("verdict", [Verdict.REDIRECTED, None])
def test_another_document_or_none_that_is_known(tmp_path: Path, verdict: Verdict | None) -> None:
    assert told(tmp_path, raw=False, after=True, verdict=verdict) == []


def test_a_page_that_was_not_rendered_or_could_not_be(tmp_path: Path) -> None:
    page, other = answered(URL, noindex=True), answered(f"{URL}/b", noindex=True)
    row = rendered(other, None, noindex=None, error=Error.CRASHED)
    run = build_run(tmp_path, [listed(URL, f"{URL}/b"), page, other, row])
    assert rule_on(run, RULE) == []
