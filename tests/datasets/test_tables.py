"""From the ledger to the tables: one row and one verdict for every listed URL."""

import csv
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.items import Canonical, Error, Kind, LeftOut, Role, Severity, Sitemap, Verdict
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE
from tests.support import NOW, SITEMAP, answered, build_run, listed

HOST = "https://www.example.com"
A, B, C = (f"{HOST}/{name}" for name in "abc")


def row(run: Run, url: str) -> dict[str, Any]:
    """Return the row of a listed URL."""
    frame = run.urls[run.urls["url"] == url]
    assert len(frame) == 1
    return {str(name): value for name, value in frame.iloc[0].to_dict().items()}


def test_every_listed_url_has_one_row(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A, B, A), listed(A, C, sitemap=f"{HOST}/2.xml")])
    assert run.urls["url"].tolist() == [A, B, C]
    assert run.urls["verdict"].tolist() == ["unchecked"] * 3
    assert row(run, A)["sitemaps"].tolist() == [f"{HOST}/2.xml", SITEMAP]
    assert row(run, A)["entries"] == 3


def test_what_is_no_url_and_what_is_a_file_is_not_listed(tmp_path: Path) -> None:
    children = listed(f"{HOST}/child.xml", kind=Kind.SITEMAPINDEX)
    run = build_run(tmp_path, [listed("ftp://x/", "/relative", ""), children])
    assert len(run.urls) == 0
    assert len(run.entries) == 4


@pytest.mark.parametrize("verdict", list(Verdict))
def test_indexable_is_three_valued(tmp_path: Path, verdict: Verdict) -> None:
    page = answered(A)
    page.verdict = verdict
    run = build_run(tmp_path, [listed(A), page])
    (indexable,) = run.urls["indexable"].astype(object).tolist()
    assert (None if indexable is pd.NA else indexable) is verdict.indexable


def test_a_page_asked_for_as_a_target_and_listed_is_listed(tmp_path: Path) -> None:
    run = build_run(
        tmp_path, [listed(B), answered(A, role=Role.REDIRECT), answered(B, role=Role.CANONICAL)]
    )
    assert dict(zip(run.pages["url"], run.pages["role"], strict=True)) == {
        A: "redirect",
        B: "listed",
    }
    assert row(run, B)["verdict"] == "indexable"


def test_findings_on_pages_that_are_not_listed_are_dropped(tmp_path: Path) -> None:
    noindex: dict[str, Any] = {"noindex": True, "canonicals": [Canonical("tag", "x", A)]}
    missing = answered(A, content_type="text/html", html=True, bytes=9, noindex=False)
    run = build_run(
        tmp_path,
        [
            listed(A),
            missing,
            answered(B, role=Role.REDIRECT, content_type="text/html", bytes=9, **noindex),
            answered(C, role=Role.CANONICAL, content_type="text/html", bytes=9),
        ],
        rules={"lastmod-missing": "off"},
    )
    assert run.findings[["rule", "url"]].to_numpy().tolist() == [["canonical-missing", A]]
    assert run.findings["sitemap"].tolist() == [SITEMAP]
    assert row(run, A)["rules"].tolist() == ["canonical-missing"]


@pytest.mark.parametrize(
    ("reasons", "expected"),
    [
        ([None], None),
        ([LeftOut.EXCLUDE], "exclude"),
        ([LeftOut.EXCLUDE, LeftOut.EXCLUDE], "exclude"),
        ([LeftOut.SINCE, None], None),
    ],
)
def test_a_url_is_left_out_if_each_of_its_entries_is(
    tmp_path: Path, reasons: list[LeftOut | None], expected: str | None
) -> None:
    entries = listed(*[A] * len(reasons))
    for entry, reason in zip(entries.rows, reasons, strict=True):
        entry.left_out = reason
    left_out = build_run(tmp_path, [entries]).urls["left_out"].tolist()
    assert [None if pd.isna(value) else value for value in left_out] == [expected]


def test_redirects_lead_to_the_last_address_known(tmp_path: Path) -> None:
    run = build_run(
        tmp_path,
        [
            listed(A),
            answered(A, 301, target=B),
            answered(B, 302, role=Role.REDIRECT, target=C),
            answered(C, None, role=Role.REDIRECT, error=Error.TIMEOUT),
        ],
    )
    found = row(run, A)
    assert (found["verdict"], found["hops"], found["final_url"]) == ("redirected", 2, C)
    assert found["final_error"] == "timeout"
    assert found["chain"].tolist() == [A, B]
    assert found["loop"] is False or not found["loop"]


def test_a_target_that_was_not_asked_for_is_known_by_its_address_only(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A), answered(A, 301, target=B)])
    found = row(run, A)
    assert (found["hops"], found["final_url"]) == (1, B)
    assert pd.isna(found["final_status"])


def test_a_circle_ends_where_it_meets_itself(tmp_path: Path) -> None:
    run = build_run(
        tmp_path,
        [listed(A), answered(A, 301, target=B), answered(B, 301, role=Role.REDIRECT, target=A)],
    )
    found = row(run, A)
    assert found["loop"]
    assert found["hops"] == 2
    assert found["final_url"] == A


def test_spreadsheets_get_no_formula_and_lists_in_one_cell(tmp_path: Path) -> None:
    entries = listed(A, A, sitemap="https://www.example.com/=1+1.xml")
    entries.rows[0].loc = "=cmd|' /C calc'!A0"
    run = build_run(
        tmp_path,
        [
            entries,
            answered(A, content_type="text/html", html=True, bytes=1, noindex=False),
            Sitemap("=HYPERLINK(1)", entries=0, kind=Kind.URLSET),
        ],
    )
    with (run.path / "findings.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for line in csv.reader(file) for cell in line]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    with (run.path / "urls.csv").open(encoding="utf-8", newline="") as file:
        (found,) = csv.DictReader(file)
    assert found["rules"] == "canonical-missing loc-duplicate loc-not-absolute"


def test_the_tables_are_the_same_each_time(tmp_path: Path) -> None:
    items = [listed(*(f"{HOST}/{n % 40}" for n in range(100)))]
    items += [answered(f"{HOST}/{n}", content_type="text/html", bytes=1) for n in range(40)]  # type: ignore[misc]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        build_run(tmp_path / name, items)
    for table in ("urls", "findings"):
        texts = [(tmp_path / name / f"{table}.csv").read_text() for name in ("first", "second")]
        assert texts[0] == texts[1]


def test_a_query_that_fails_is_counted_and_the_rest_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Query):
        id = "broken"
        severity = Severity.ERROR
        message = "{nothing}"
        references = (PRACTICE,)
        query = "select nothing from nowhere"

    Broken.subject = next(iter(Audit().queries)).subject
    build_run(tmp_path, [listed(A, A)])
    audit = Audit()
    audit.queries.insert(0, Broken)
    manifest = Manifest.read(tmp_path)
    build_tables(Build([tmp_path], tmp_path, 256), manifest, audit)
    assert manifest.broken_rules == {"broken": 1}
    assert manifest.rules["loc-duplicate"] == 1
    assert "broken" in caplog.text


def test_counts_are_those_of_the_tables(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A, B, A), answered(A), answered(B, 404)])
    manifest = run.manifest
    assert manifest.verdicts == run.urls["verdict"].value_counts().to_dict()
    assert manifest.rules == run.findings["rule"].value_counts().to_dict()
    assert manifest.rows["entries"] == len(run.entries) == 3


def test_a_sitemap_that_was_begun_and_finished_has_one_row(tmp_path: Path) -> None:
    begun = Sitemap(SITEMAP, kind=Kind.URLSET, complete=False)
    done = Sitemap(SITEMAP, kind=Kind.URLSET, entries=7, fetched_at=NOW)
    run = build_run(tmp_path, [begun, done, Sitemap(f"{HOST}/2.xml", complete=False)])
    assert run.sitemaps.sort_values("sitemap")["complete"].tolist() == [False, True]
    assert run.manifest.unread == 1
    assert not run.manifest.complete
