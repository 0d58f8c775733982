"""The workbook and the JSON Lines hold what the tables hold."""

import json
import threading
import time
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from sitemapaudit import Run
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets import workbook
from sitemapaudit.datasets.database import table_file
from sitemapaudit.datasets.exports import FORMATS, export
from sitemapaudit.datasets.ledger import Ledger
from sitemapaudit.datasets.manifest import Status
from sitemapaudit.datasets.schema import TABLES
from sitemapaudit.items import Entries, Entry, Image, Kind, Sitemap, Video
from sitemapaudit.options import ConfigError
from sitemapaudit.rules.catalogue import catalogue, rules_of_a_run
from tests.sites.website import Website
from tests.support import NOW, SITEMAP, Audited, answered, build_run, crawl, listed, scrapy

A, B, C = (f"https://www.example.com/{name}" for name in "abc")
SHEETS = ("urls", "findings", "sitemaps")


def rows_of(run: Run, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table as Python values."""
    rows: list[dict[str, Any]] = pq.read_table(table_file(run.path, table)).to_pylist()
    return rows


def opened(run: Run) -> Any:
    """Write the workbook of a run, and open it."""
    (file,) = export(run.path, ["xlsx"], run.manifest, 256)
    return openpyxl.load_workbook(file)


def values(sheet: Worksheet) -> list[dict[str, Any]]:
    """Return the rows of a sheet by the names in its header."""
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def in_a_cell(value: Any) -> Any:
    """Return what a cell must hold of a value."""
    if isinstance(value, datetime):
        moment = value.replace(tzinfo=None)
        return moment.replace(microsecond=round(moment.microsecond, -3))
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, list):
        return " ".join(value) or None
    if isinstance(value, float):
        return pytest.approx(value)
    return value if value != "" else None


def in_a_line(value: Any) -> Any:
    """Return what a line of JSON must hold of a value."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, list):
        return [in_a_line(each) for each in value]
    if isinstance(value, dict):
        return {name: in_a_line(each) for name, each in value.items()}
    return value


def notes(book: Any) -> dict[str, str]:
    """Return the notes of the summary sheet by what they are about."""
    return {row["name"]: row["value"] for row in values(book["summary"]) if row["what"] == "note"}


def widths(sheet: Worksheet) -> dict[int, float]:
    """Return the width of each column; neighbours of the same width share a statement."""
    stated = sheet.column_dimensions.values()
    return {
        column: each.width
        for each in stated
        for column in range(each.min or 0, (each.max or 0) + 1)
    }


def raw_sheets(file: Path) -> Iterator[str]:
    """Yield the XML of every sheet."""
    with zipfile.ZipFile(file) as parts:
        for name in parts.namelist():
            if name.startswith("xl/worksheets/"):
                yield parts.read(name).decode()


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    with Website("statuses") as website:
        return crawl(
            tmp_path_factory.mktemp("audits"),
            {"site": website.origin},
            {"AUDIT_FORMATS": "xlsx,jsonl", "RETRY_TIMES": "0"},
        )


def test_a_crawl_writes_the_workbook(audited: Audited) -> None:
    run = audited.run
    book = openpyxl.load_workbook(run.path / "audit.xlsx")
    assert book.sheetnames == ["summary", "urls", "findings", "sitemaps", "rules"]
    for table in SHEETS:
        expected = [
            {name: in_a_cell(value) for name, value in row.items()} for row in rows_of(run, table)
        ]
        assert expected
        assert values(book[table]) == expected


def test_a_crawl_writes_json_lines(audited: Audited) -> None:
    run = audited.run
    for table in TABLES:
        lines = (run.path / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        expected = [in_a_line(row) for row in rows_of(run, table)]
        assert expected
        assert [json.loads(line) for line in lines] == expected


def test_nothing_else_is_left_behind(audited: Audited) -> None:
    names = {path.name for path in audited.run.path.iterdir()}
    parquet, lines = ({f"{table}.{kind}" for table in TABLES} for kind in ("parquet", "jsonl"))
    plain = {"run.json", "log", "urls.csv", "findings.csv", "audit.xlsx"}
    assert names - {"report.html"} == parquet | lines | plain


def test_the_summary_tells_the_counts_of_the_manifest(audited: Audited) -> None:
    manifest = audited.run.manifest
    book = openpyxl.load_workbook(audited.run.path / "audit.xlsx")
    told = {(row["what"], row["name"]): row["value"] for row in values(book["summary"])}
    assert told["run", "complete"] is True
    assert told["argument", "site"] == manifest.arguments["site"]
    for what, counts in {
        "verdict": manifest.verdicts,
        "severity": manifest.severities,
        "rows": manifest.rows,
    }.items():
        assert {name: n for (about, name), n in told.items() if about == what} == counts
    assert notes(book).keys() == {"times"}


def test_report_writes_them_from_an_old_run(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A), answered(A)])
    done = scrapy("report", str(tmp_path), "-s", "AUDIT_FORMATS=jsonl")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "audit.xlsx").exists()
    (line,) = (tmp_path / "urls.jsonl").read_text().splitlines()
    assert json.loads(line)["url"] == A
    assert scrapy("report", str(tmp_path), "-s", "AUDIT_FORMATS=xlsx").returncode == 0
    assert len(values(openpyxl.load_workbook(run.path / "audit.xlsx")["urls"])) == 1


def test_what_a_run_has_is_made_again_with_its_tables(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A), answered(A)])
    export(run.path, ["xlsx", "jsonl"], run.manifest, 256)
    ledger = Ledger(tmp_path)
    ledger.append(listed(B, sitemap=B))
    ledger.close()
    assert scrapy("report", str(tmp_path)).returncode == 0
    assert len(values(openpyxl.load_workbook(tmp_path / "audit.xlsx")["urls"])) == 2
    assert len((tmp_path / "urls.jsonl").read_text().splitlines()) == 2
    (tmp_path / "audit.xlsx").unlink()
    assert scrapy("report", str(tmp_path)).returncode == 0
    assert not (tmp_path / "audit.xlsx").exists()


def test_a_killed_run_gets_what_it_was_asked_for(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A), answered(A)])
    run.manifest.settings["AUDIT_FORMATS"] = ["jsonl"]
    run.manifest.status = Status.RUNNING
    run.manifest.write(tmp_path)
    assert scrapy("report", str(tmp_path)).returncode == 0
    assert (tmp_path / "urls.jsonl").exists()


def test_an_export_that_fails_costs_nothing_else(tmp_path: Path) -> None:
    """A directory stands where a file has to go."""
    with Website("statuses") as website:
        settings = {"AUDIT_FORMATS": "xlsx,jsonl", "RETRY_TIMES": "0", "DOWNLOAD_TIMEOUT": "5"}
        obstacle = threading.Thread(target=_stand_in_the_way, args=(tmp_path, "pages.jsonl"))
        obstacle.start()
        audited = crawl(tmp_path, {"site": website.origin}, settings)
        obstacle.join()
    assert audited.status == 3
    assert "The format jsonl of " in audited.log
    manifest = audited.run.manifest
    assert manifest.failed_formats.keys() == {"jsonl"}
    assert "pages.jsonl" in manifest.failed_formats["jsonl"]
    assert manifest.complete
    assert manifest.status is Status.FINISHED
    assert len(audited.run.urls) == manifest.rows["urls"] > 0
    for name in ("audit.xlsx", "report.html", "urls.csv", "findings.csv"):
        assert (audited.run.path / name).is_file(), name
    assert not (audited.run.path / "urls.jsonl").exists()
    assert not (audited.run.path / "scratch").exists()
    (audited.run.path / "pages.jsonl").rmdir()
    assert scrapy("report", str(audited.run.path)).returncode == 0
    assert (audited.run.path / "pages.jsonl").is_file()
    assert audited.run.manifest.failed_formats == {}


def _stand_in_the_way(audits: Path, name: str) -> None:
    """Make a directory of a name in the run folder, as soon as there is one."""
    deadline = time.monotonic() + 60
    while not (found := [*audits.glob("*/*/run.json")]) and time.monotonic() < deadline:
        time.sleep(0.01)
    (found[0].parent / name).mkdir()


def test_rules_are_listed_with_what_was_found(tmp_path: Path) -> None:
    rules = {"lastmod-missing": "off", "loc-duplicate": "error"}
    run = build_run(tmp_path, [listed(A, A), answered(A)], rules=rules)
    run.manifest.settings["AUDIT_RULES"] = rules
    rows = values(opened(run)["rules"])
    assert {row["rule"] for row in rows} == rules_of_a_run().keys()
    assert {row["rule"]: row["findings"] for row in rows if row["findings"]} == run.manifest.rules
    assert [row["findings"] for row in rows] == sorted(
        (row["findings"] for row in rows), reverse=True
    )
    told = {row["rule"]: row for row in rows}
    assert told["lastmod-missing"]["severity"] == "off"
    assert told["loc-duplicate"]["severity"] == "error"
    rule = catalogue()["page-not-found"]
    assert told["page-not-found"]["title"] == rule.title()
    assert told["page-not-found"]["fix"] == rule.section("Fix")


def test_every_sheet_can_be_read_at_once(tmp_path: Path) -> None:
    book = opened(build_run(tmp_path, [listed(A, B, A), answered(A)]))
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions
        assert all(cell.font.b for cell in sheet[1])
        assert all(widths(sheet)[cell.column] > len(cell.value) for cell in sheet[1])
    assert widths(book["urls"])[1] > 50


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "=1+1"),
        ("=cmd|'/C calc'!A0", "=cmd|'/C calc'!A0"),
        ("@SUM(A1)", "@SUM(A1)"),
        ("+1", "+1"),
        ("https://www.example.com/", "https://www.example.com/"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("0123", "0123"),
        ("1e5", "1e5"),
        ("TRUE", "TRUE"),
        (" space ", " space "),
        ("<r><t>x</t></r>", "<r><t>x</t></r> "),
        ("<r></bogus></r>", "<r></bogus></r> "),
        ("&amp; <b>", "&amp; <b>"),
        ("tab\tline\nend", "tab\tline\nend"),
        ("null\x00 bell\x07", "null_x0000_ bell_x0007_"),
        ("\ufffe\uffff", "_xFFFE__xFFFF_"),
        ("_x0041_", "_x005F_x0041_"),
        ("😀", "😀"),
    ],
)
def test_a_text_stays_a_text(tmp_path: Path, text: str, shown: str) -> None:
    book = opened(build_run(tmp_path, [Sitemap(SITEMAP, content_type=text)]))
    sheet = book["sitemaps"]
    (cell,) = (cell for cell in sheet[2] if sheet[1][cell.column - 1].value == "content_type")
    assert cell.value == shown
    assert cell.data_type == "s"
    for xml in raw_sheets(tmp_path / "audit.xlsx"):
        assert "<f>" not in xml
        assert "hyperlink" not in xml


def test_a_text_too_long_for_a_cell_is_cut_and_told(tmp_path: Path) -> None:
    fits, long = "x" * 32_767, "😀" * 32_767
    items = [Sitemap(A, content_type=fits), Sitemap(B, content_type=long)]
    run = build_run(tmp_path, items)
    book = opened(run)
    shown = {row["sitemap"]: row["content_type"] for row in values(book["sitemaps"])}
    assert shown == {A: fits, B: long[: 32_767 // 2]}
    assert "cut" in notes(book)["texts"]
    assert ": 1." in notes(book)["texts"]


def test_rows_that_do_not_fit_are_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workbook.ROWS + 1 == 1_048_576
    monkeypatch.setattr(workbook, "ROWS", 2)
    book = opened(build_run(tmp_path, [listed(A, B, C)]))
    assert [row["url"] for row in values(book["urls"])] == [A, B]
    assert "first 2 of 3 rows" in notes(book)["urls"]
    assert "sitemaps" not in notes(book)


def test_times_are_dates_and_ancient_ones_texts(tmp_path: Path) -> None:
    moments = {
        A: datetime(2026, 11, 21, 9, 30, 15, 250_000, UTC),
        B: datetime(1900, 2, 28, tzinfo=UTC),
        C: datetime(1, 1, 1, tzinfo=UTC),
    }
    entries = [
        Entry(SITEMAP, position, Kind.URLSET, url, url, lastmod_at=moment)
        for position, (url, moment) in enumerate(moments.items(), start=1)
    ]
    book = opened(build_run(tmp_path, [Entries(SITEMAP, entries)]))
    assert {row["url"]: row["lastmod"] for row in values(book["urls"])} == {
        A: datetime(2026, 11, 21, 9, 30, 15, 250_000),  # noqa: DTZ001 - as in a cell
        B: "1900-02-28T00:00:00Z",
        C: "0001-01-01T00:00:00Z",
    }
    assert notes(book)["times"] == "All times are UTC."


def test_json_lines_hold_structures_and_times_within_them(tmp_path: Path) -> None:
    video = Video(title="Film", tag=["a", "b"], published_at=NOW)
    entry = Entry(
        SITEMAP, 1, Kind.URLSET, A, A, lastmod_at=NOW, images=[Image("é\u2028\x01")], videos=[video]
    )
    run = build_run(tmp_path, [Entries(SITEMAP, [entry])])
    files = export(tmp_path, ["jsonl"], run.manifest, 256)
    assert [file.name for file in files] == [f"{table}.jsonl" for table in TABLES]
    (line,) = (tmp_path / "entries.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    told = json.loads(line)
    assert told["lastmod_at"] == "2026-11-21T12:00:00.000000Z"
    assert told["images"][0]["loc"] == "é\u2028\x01"
    assert told["videos"][0]["published_at"] == "2026-11-21T12:00:00.000000Z"
    assert told["videos"][0]["tag"] == ["a", "b"]
    assert told["news"] == []
    assert told["changefreq"] is None


def test_no_format_writes_nothing(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A)])
    before = sorted(tmp_path.iterdir())
    assert export(tmp_path, AuditSettings.read({}).formats, run.manifest, 256) == []
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("given", "read"),
    [("", ()), ("xlsx", ("xlsx",)), (" JSONL, xlsx,jsonl ", ("jsonl", "xlsx"))],
)
def test_formats_are_read(given: str, read: tuple[str, ...]) -> None:
    assert AuditSettings.read({"AUDIT_FORMATS": given}).formats == read


def test_an_unknown_format_is_one_sentence() -> None:
    with pytest.raises(ConfigError) as caught:
        AuditSettings.read({"AUDIT_FORMATS": "xlsx,xls"})
    assert str(caught.value) == f"AUDIT_FORMATS: 'xls' is none of {', '.join(FORMATS)}."
