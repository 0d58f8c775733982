"""The verdict of a listed URL that was rendered in the browser."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items import Error, Page, Role, Verdict
from sitemapaudit.runs.manifest import Manifest
from tests.support.rows import fetched_page, listed, rendered
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

URL = "https://www.example.com/a/b"
PROBE = "https://www.example.com/0123456789"
ELSEWHERE = "https://www.example.com/c"
RAW: dict[str, dict[str, Any]] = {
    "noindex": {"noindex": True},
    "canonicalized": {"noindex": False, "canonical": ELSEWHERE},
    "soft-404": {"noindex": False, "soft_404": "its main text is empty", "words": 0},
    "indexable": {"noindex": False},
}


CASES = [
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
]
"""The verdict of a page, of its rendering, and of its URL."""


def test_scripts_can_spoil_a_page_and_can_only_fix_a_soft_404(tmp_path: Path) -> None:
    locs = [f"{URL}/{raw}/{after}" for raw, after, _ in CASES]
    pages = [fetched_page(loc, **RAW[raw]) for loc, (raw, *_) in zip(locs, CASES, strict=True)]
    rows = [
        rendered(page, Verdict(after) if after else None)
        for page, (_, after, _) in zip(pages, CASES, strict=True)
    ]
    run = build_run(tmp_path, [listed(*locs), *pages, *rows], rules=NO_RULES)
    urls = run.urls.set_index("url")
    expected = [verdict for *_, verdict in CASES]
    assert urls["verdict"][locs].tolist() == expected
    assert urls["indexable"][locs].tolist() == [verdict == "indexable" for verdict in expected]
    assert run.pages.set_index("url")["verdict"][locs].tolist() == [raw for raw, *_ in CASES]


def shell(url: str, **values: Any) -> Page:
    """Return a page with the text that the site serves for every URL."""
    return fetched_page(url, noindex=False, words=3, content_hash="shell", is_html=True, **values)


@pytest.mark.parametrize(
    ("rendered_text", "rendered_probe", "verdict"),
    [
        ("article", "not found", "indexable"),
        ("not found", "not found", "soft-404"),
        ("article", None, "indexable"),
        (None, None, "soft-404"),
        ("shell", None, "soft-404"),
    ],
)
def test_the_rendered_text_is_compared_with_that_of_the_probe(
    tmp_path: Path, rendered_text: str | None, rendered_probe: str | None, verdict: str
) -> None:
    page, probe = shell(URL), shell(PROBE, role=Role.PROBE, via=URL)
    rows = [
        rendered(row, content_hash=text, words=60)
        for row, text in ((page, rendered_text), (probe, rendered_probe))
        if text
    ]
    run = build_run(tmp_path, [listed(URL), page, probe, *rows], rules=NO_RULES)
    assert run.urls["verdict"].tolist() == [verdict]


def test_of_several_renderings_the_one_without_an_error_counts(tmp_path: Path) -> None:
    page = fetched_page(URL, noindex=False)
    rows = [
        rendered(page, None, error=Error.CRASHED),
        rendered(page, Verdict.NOINDEX, noindex=True),
        rendered(page, None, error=Error.TIMEOUT),
    ]
    run = build_run(tmp_path, [listed(URL), page, *rows])
    assert run.pages["rendered_verdict"].tolist() == ["noindex"]
    assert run.urls["verdict"].tolist() == ["noindex"]


def test_a_run_of_a_version_without_renderings_can_be_built(tmp_path: Path) -> None:
    build_run(tmp_path, [listed(URL), fetched_page(URL, noindex=False)])
    (tmp_path / "log" / "renderings.jsonl").unlink()
    build_tables(TableBuild([tmp_path], tmp_path, 256), Manifest.read(tmp_path), Audit())
    run = open_run(tmp_path)
    assert run.pages["render_reason"].isna().all()
    assert run.urls["verdict"].tolist() == ["indexable"]
