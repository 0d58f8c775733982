"""The verdict on a listed URL that a browser opened too."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.items import Error, Page, Role, Verdict
from tests.support import NO_RULES, answered, build_run, listed, rendered

URL = "https://www.example.com/a/b"
PROBE = "https://www.example.com/0123456789"
ELSEWHERE = "https://www.example.com/c"
RAW: dict[str, dict[str, Any]] = {
    "noindex": {"noindex": True},
    "canonicalized": {"noindex": False, "canonical": ELSEWHERE},
    "soft-404": {"noindex": False, "soft_404": "its main text is empty", "words": 0},
    "indexable": {"noindex": False},
}


@pytest.mark.parametrize(
    ("raw", "after", "verdict"),
    [
        ("noindex", "indexable", "noindex"),
        ("noindex", "redirected", "noindex"),
        ("noindex", "canonicalized", "noindex"),
        ("canonicalized", "indexable", "canonicalized"),
        ("canonicalized", "noindex", "noindex"),
        ("canonicalized", "redirected", "redirected"),
        ("canonicalized", "soft-404", "canonicalized"),
        ("soft-404", "indexable", "indexable"),
        ("soft-404", "soft-404", "soft-404"),
        ("soft-404", "noindex", "noindex"),
        ("indexable", "noindex", "noindex"),
        ("indexable", "canonicalized", "canonicalized"),
        ("indexable", "redirected", "redirected"),
        ("indexable", "soft-404", "soft-404"),
        ("indexable", "indexable", "indexable"),
        ("noindex", None, "noindex"),
        ("canonicalized", None, "canonicalized"),
        ("soft-404", None, "soft-404"),
        ("indexable", None, "indexable"),
    ],
)
def test_scripts_worsen_a_verdict_and_fill_a_page_but_heal_nothing_else(
    tmp_path: Path, raw: str, after: str | None, verdict: str
) -> None:
    page = answered(URL, **RAW[raw])
    assert page.verdict == raw
    row = rendered(page, Verdict(after) if after else None)
    run = build_run(tmp_path, [listed(URL), page, row], rules=NO_RULES)
    assert run.urls["verdict"].tolist() == [verdict]
    assert run.urls["indexable"].tolist() == [verdict == "indexable"]
    assert run.pages["verdict"].tolist() == [raw]


def shell(url: str, **values: Any) -> Page:
    """Return a page that answers every address alike."""
    return answered(url, noindex=False, words=3, content_hash="shell", html=True, **values)


@pytest.mark.parametrize(
    ("shown", "probe_shown", "verdict"),
    [
        ("article", "not found", "indexable"),
        ("not found", "not found", "soft-404"),
        ("article", None, "indexable"),
        (None, None, "soft-404"),
        ("shell", None, "soft-404"),
    ],
)
def test_what_was_shown_is_compared_with_what_a_random_address_shows(
    tmp_path: Path, shown: str | None, probe_shown: str | None, verdict: str
) -> None:
    page, probe = shell(URL), shell(PROBE, role=Role.PROBE, via=URL)
    rows = [
        rendered(row, content_hash=text, words=60)
        for row, text in ((page, shown), (probe, probe_shown))
        if text
    ]
    run = build_run(tmp_path, [listed(URL), page, probe, *rows], rules=NO_RULES)
    assert run.urls["verdict"].tolist() == [verdict]


def test_the_row_that_succeeded_counts_if_there_are_several(tmp_path: Path) -> None:
    page = answered(URL, noindex=False)
    rows = [
        rendered(page, None, error=Error.CRASHED),
        rendered(page, Verdict.NOINDEX, noindex=True),
        rendered(page, None, error=Error.TIMEOUT),
    ]
    run = build_run(tmp_path, [listed(URL), page, *rows])
    assert run.pages["rendered_verdict"].tolist() == ["noindex"]
    assert run.urls["verdict"].tolist() == ["noindex"]


def test_a_run_of_a_version_without_renderings(tmp_path: Path) -> None:
    build_run(tmp_path, [listed(URL), answered(URL, noindex=False)])
    (tmp_path / "log" / "renderings.jsonl").unlink()
    build_tables(Build([tmp_path], tmp_path, 256), Manifest.read(tmp_path), Audit())
    run = open_run(tmp_path)
    assert run.pages["rendered_reason"].isna().all()
    assert run.urls["verdict"].tolist() == ["indexable"]
