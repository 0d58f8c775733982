"""The workbook and the JSON Lines contain the rows of the tables."""

import json
import sys
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
from sitemapaudit.config.options import ConfigError
from sitemapaudit.datasets.formats.exporting import export_tables
from sitemapaudit.datasets.formats.optional import EXTRAS, format_names, xlsx
from sitemapaudit.items import Entries, Entry, Image, Kind, Sitemap, Video
from sitemapaudit.items.schema import TABLES, table_columns
from sitemapaudit.rules.catalog import catalog, single_run_rules
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.ledger.ledger import Ledger
from sitemapaudit.runs.manifest import Status
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import run_in_process
from tests.support.rows import NOW, SITEMAP, fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run, build_run
from tests.support.settings import RULES_OFF

pytestmark = pytest.mark.xdist_group("exports")

A, B, C = (f"https://www.example.com/{name}" for name in "abc")
SHEETS = ("urls", "findings", "sitemaps")


def rows_of(run: Run, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table as Python values."""
    rows: list[dict[str, Any]] = pq.read_table(table_file(run.path, table)).to_pylist()
    return rows


def export_workbook(run: Run) -> Any:
    """Write the workbook of a run, and open it."""
    (file,) = export_tables(run.path, ["xlsx"], run.manifest, 256, catalog())
    return openpyxl.load_workbook(file)


def rows_in(sheet: Worksheet) -> list[dict[str, Any]]:
    """Return the rows of a sheet, with the names in its header."""
    head, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def cell_value(value: Any) -> Any:
    """Return what a cell must contain for a value of a table."""
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


def json_value(value: Any) -> Any:
    """Return what a line of JSON must contain for a value of a table."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, list):
        return [json_value(each) for each in value]
    if isinstance(value, dict):
        return {name: json_value(each) for name, each in value.items()}
    return value


def notes(book: Any) -> dict[str, str]:
    """Return the notes of the summary sheet, by their names."""
    return {row["name"]: row["value"] for row in rows_in(book["summary"]) if row["what"] == "note"}


def widths(sheet: Worksheet) -> dict[int, float]:
    """Return the width of each column; neighboring columns of the same width share an entry."""
    entries = sheet.column_dimensions.values()
    return {
        column: each.width
        for each in entries
        for column in range(each.min or 0, (each.max or 0) + 1)
    }


def raw_sheets(file: Path) -> Iterator[str]:
    """Yield the XML of every sheet."""
    with zipfile.ZipFile(file) as parts:
        for name in parts.namelist():
            if name.startswith("xl/worksheets/"):
                yield parts.read(name).decode()


OWN = '{"paragraph": "css:p", "kind_sent": "header:content-type"}'


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    with Website("statuses") as website:
        return crawl(
            tmp_path_factory.mktemp("audits"),
            {"site": website.origin},
            {"AUDIT_FORMATS": "xlsx,jsonl", "RETRY_TIMES": "0", "AUDIT_COLUMNS": OWN},
        )


def test_a_crawl_writes_the_workbook(audited: Audited) -> None:
    run = audited.run
    book = openpyxl.load_workbook(run.path / "audit.xlsx")
    assert book.sheetnames == ["summary", "urls", "findings", "sitemaps", "rules", "columns"]
    for table in SHEETS:
        expected = [
            {name: cell_value(value) for name, value in row.items()} for row in rows_of(run, table)
        ]
        assert expected
        names = expected[0].keys()
        found = [{name: row[name] for name in names} for row in rows_in(book[table])]
        assert found == expected


def test_a_crawl_writes_json_lines(audited: Audited) -> None:
    run = audited.run
    for table in TABLES:
        lines = (run.path / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        expected = [json_value(row) for row in rows_of(run, table)]
        assert expected or table == "occurrences"
        assert [json.loads(line) for line in lines] == expected


def test_own_columns_are_in_every_format(audited: Audited) -> None:
    run = audited.run
    found = run.urls.set_index("url")["kind_sent"]
    assert "text/html; charset=utf-8" in set(found)
    assert run.pages.set_index("url")["kind_sent"][found.index].equals(found)
    lines = (run.path / "urls.csv").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].endswith(",rules,paragraph,kind_sent")
    (meanings,) = run.sql(
        f"select decode(value) as value from parquet_kv_metadata('{run.path}/urls.parquet')"
        " where decode(key) = 'columns'"
    )["value"]
    assert json.loads(meanings)["paragraph"] == "`css:p`"


def test_no_other_files_are_left(audited: Audited) -> None:
    names = {path.name for path in audited.run.path.iterdir()}
    parquet, lines = ({f"{table}.{kind}" for table in TABLES} for kind in ("parquet", "jsonl"))
    plain = {f"{table}.csv" for table in ("urls", "findings", "occurrences")}
    plain |= {"run.json", "crawl.log", "log", "audit.xlsx"}
    assert names - {"report.html", "report.md"} == parquet | lines | plain


def test_the_summary_contains_the_counts_of_the_manifest(audited: Audited) -> None:
    manifest = audited.run.manifest
    book = openpyxl.load_workbook(audited.run.path / "audit.xlsx")
    found = {(row["what"], row["name"]): row["value"] for row in rows_in(book["summary"])}
    assert found["run", "complete"] is True
    assert found["argument", "site"] == manifest.arguments["site"]
    for what, counts in {
        "verdict": manifest.verdicts,
        "severity": manifest.severities,
        "rows": manifest.rows,
    }.items():
        assert {name: n for (about, name), n in found.items() if about == what} == counts
    assert notes(book).keys() == {"times"}


def test_the_workbook_explains_itself(audited: Audited) -> None:
    book = openpyxl.load_workbook(audited.run.path / "audit.xlsx")
    summary = rows_in(book["summary"])
    meanings = {(row["what"], row["name"]): row["meaning"] for row in summary}
    assert meanings["verdict", "not-found"] == "status 404 or 410"
    title = catalog()["page-not-found"].title()
    assert meanings["rule", "page-not-found"] == title
    order = list(dict.fromkeys(row["what"] for row in summary))
    assert order == ["run", "verdict", "severity", "rule", "rows", "argument", "note"]
    findings = rows_in(book["findings"])
    assert list(findings[0])[:2] == ["rule", "title"]
    assert {row["title"] for row in findings if row["rule"] == "page-not-found"} == {title}
    described = {(row["sheet"], row["column"]) for row in rows_in(book["columns"])}
    assert described == {
        *((table, column.name) for table in SHEETS for column in table_columns(table)),
        ("urls", "paragraph"),
        ("urls", "kind_sent"),
    }
    assert all(row["meaning"] for row in rows_in(book["columns"]))


def test_report_writes_the_formats_of_an_earlier_run(tmp_path: Path) -> None:
    def report(*options: str) -> None:
        done = run_in_process("report", str(tmp_path), "-s", RULES_OFF, *options)
        assert done.returncode == 3, done.stderr  # It was killed.

    def count_rows() -> tuple[int, int]:
        workbook = openpyxl.load_workbook(tmp_path / "audit.xlsx")
        return len(rows_in(workbook["urls"])), len(
            (tmp_path / "urls.jsonl").read_text().splitlines()
        )

    run = build_run(tmp_path, [sitemap_of(listed(A)), listed(A), fetched_page(A)])
    run.manifest.settings["AUDIT_FORMATS"] = ["jsonl"]
    run.manifest.status = Status.RUNNING  # As if it was killed.
    run.manifest.write(tmp_path)
    report()
    assert json.loads((tmp_path / "urls.jsonl").read_text())["url"] == A
    assert not (tmp_path / "audit.xlsx").exists()
    report("-s", "AUDIT_FORMATS=xlsx")
    assert count_rows() == (1, 1)
    # What a run has is written again, whatever was requested.
    ledger = Ledger(tmp_path)
    for row in (sitemap_of(listed(B, sitemap=B)), listed(B, sitemap=B), fetched_page(B)):
        ledger.append(row)
    ledger.close()
    report()
    assert count_rows() == (2, 2)
    # Files that were deleted are written again only if the settings of the run name their format.
    for file in (tmp_path / "audit.xlsx", *tmp_path.glob("*.jsonl")):
        file.unlink()
    report()
    assert (tmp_path / "audit.xlsx").exists()
    assert not (tmp_path / "urls.jsonl").exists()


def test_a_format_that_fails_affects_nothing_else(tmp_path: Path) -> None:
    """A directory has the name of a file."""
    with Website("statuses") as website:
        settings = {"AUDIT_FORMATS": "xlsx,jsonl", "RETRY_TIMES": "0", "DOWNLOAD_TIMEOUT": "5"}
        obstacle = threading.Thread(target=_make_folder, args=(tmp_path, "pages.jsonl"))
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
    assert run_in_process("report", str(audited.run.path)).returncode == 0
    assert (audited.run.path / "pages.jsonl").is_file()
    assert audited.run.manifest.failed_formats == {}


def _make_folder(audits: Path, name: str) -> None:
    """Make a directory in the run folder, as soon as there is one."""
    deadline = time.monotonic() + 60
    while not (runs := [*audits.glob("*/*/run.json")]) and time.monotonic() < deadline:
        time.sleep(0.01)
    (runs[0].parent / name).mkdir()


def test_rules_are_listed_with_their_findings(tmp_path: Path) -> None:
    rules = {"lastmod-missing": "off", "loc-duplicate": "error"}
    run = build_audited_run(tmp_path, [listed(A, A), fetched_page(A)], rules=rules)
    run.manifest.settings["AUDIT_RULES"] = rules
    rows = rows_in(export_workbook(run)["rules"])
    assert {row["rule"] for row in rows} == single_run_rules(catalog()).keys()
    assert {row["rule"]: row["findings"] for row in rows if row["findings"]} == run.manifest.rules
    assert [row["findings"] for row in rows] == sorted(
        (row["findings"] for row in rows), reverse=True
    )
    found = {row["rule"]: row for row in rows}
    assert found["lastmod-missing"]["severity"] == "off"
    assert found["loc-duplicate"]["severity"] == "error"
    rule = catalog()["page-not-found"]
    assert found["page-not-found"]["title"] == rule.title()
    assert found["page-not-found"]["fix"] == rule.section("Fix")


def test_every_sheet_has_a_header_a_filter_and_wide_columns(tmp_path: Path) -> None:
    book = export_workbook(build_run(tmp_path, [listed(A, B, A), fetched_page(A)]))
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions
        assert all(cell.font.b for cell in sheet[1])
        assert all(widths(sheet)[cell.column] > len(cell.value) for cell in sheet[1])
    assert widths(book["urls"])[1] > 50


TEXTS = [
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
]
"""Texts of a table, and what their cells must contain."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run with a workbook; each sitemap has another text."""
    rows = [Sitemap(f"{A}/{at}.xml", content_type=text) for at, (text, _) in enumerate(TEXTS)]
    run = build_run(tmp_path_factory.mktemp("texts"), rows)
    export_workbook(run)
    return run


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_a_text_is_never_a_formula_or_a_link(texts: Run, text: str, expected: str) -> None:
    sheet = openpyxl.load_workbook(texts.path / "audit.xlsx")["sitemaps"]
    names = [cell.value for cell in sheet[1]]
    place, column = names.index("sitemap"), names.index("content_type")
    url = f"{A}/{TEXTS.index((text, expected))}.xml"
    (cell,) = (row[column] for row in sheet.iter_rows() if row[place].value == url)
    assert cell.value == expected
    assert cell.data_type == "s"


def test_no_sheet_has_a_formula_or_a_link(texts: Run) -> None:
    for xml in raw_sheets(texts.path / "audit.xlsx"):
        assert "<f>" not in xml
        assert "hyperlink" not in xml


def test_a_text_that_is_too_long_for_a_cell_is_truncated_and_counted(tmp_path: Path) -> None:
    fits, long = "x" * 32_767, "😀" * 32_767
    items = [Sitemap(A, content_type=fits), Sitemap(B, content_type=long)]
    run = build_run(tmp_path, items)
    book = export_workbook(run)
    texts = {row["sitemap"]: row["content_type"] for row in rows_in(book["sitemaps"])}
    assert texts == {A: fits, B: long[: 32_767 // 2]}
    assert "truncated" in notes(book)["texts"]
    assert ": 1." in notes(book)["texts"]


def test_rows_that_do_not_fit_are_dropped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert xlsx.ROWS + 1 == 1_048_576
    monkeypatch.setattr(xlsx, "ROWS", 2)
    book = export_workbook(build_run(tmp_path, [listed(A, B, C)]))
    assert [row["url"] for row in rows_in(book["urls"])] == [A, B]
    assert "first 2 of 3 rows" in notes(book)["urls"]
    assert "sitemaps" not in notes(book)


def test_times_are_dates_and_times_before_1900_are_texts(tmp_path: Path) -> None:
    moments = {
        A: datetime(2026, 11, 21, 9, 30, 15, 250_000, UTC),
        B: datetime(1900, 2, 28, tzinfo=UTC),
        C: datetime(1, 1, 1, tzinfo=UTC),
    }
    entries = [
        Entry(SITEMAP, position, Kind.URLSET, url, url, lastmod_at=moment)
        for position, (url, moment) in enumerate(moments.items(), start=1)
    ]
    book = export_workbook(build_run(tmp_path, [Entries(SITEMAP, entries)]))
    assert {row["url"]: row["lastmod"] for row in rows_in(book["urls"])} == {
        A: datetime(2026, 11, 21, 9, 30, 15, 250_000),  # noqa: DTZ001 - a cell has no zone
        B: "1900-02-28T00:00:00Z",
        C: "0001-01-01T00:00:00Z",
    }
    assert notes(book)["times"] == "All times are UTC."


def test_json_lines_contain_structures_with_times(tmp_path: Path) -> None:
    video = Video(title="Film", tag=["a", "b"], published_at=NOW)
    entry = Entry(
        SITEMAP, 1, Kind.URLSET, A, A, lastmod_at=NOW, images=[Image("é\u2028\x01")], videos=[video]
    )
    run = build_run(tmp_path, [Entries(SITEMAP, [entry])])
    files = export_tables(tmp_path, ["jsonl"], run.manifest, 256, catalog())
    assert [file.name for file in files] == [f"{table}.jsonl" for table in TABLES]
    (line,) = (tmp_path / "entries.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    found = json.loads(line)
    assert found["lastmod_at"] == "2026-11-21T12:00:00.000000Z"
    assert found["images"][0]["loc"] == "é\u2028\x01"
    assert found["videos"][0]["published_at"] == "2026-11-21T12:00:00.000000Z"
    assert found["videos"][0]["tag"] == ["a", "b"]
    assert found["news"] == []
    assert found["changefreq"] is None


def test_without_formats_nothing_is_written(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A)])
    before = sorted(tmp_path.iterdir())
    assert (
        export_tables(tmp_path, AuditSettings.read({}).formats, run.manifest, 256, catalog()) == []
    )
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
    assert str(caught.value) == f"AUDIT_FORMATS: 'xls' is not one of {', '.join(format_names())}."


def test_a_format_whose_extra_is_missing_fails_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = build_run(tmp_path, [listed(A)])
    export_tables(tmp_path, ["xlsx"], run.manifest, 256, catalog())
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    files = export_tables(tmp_path, ["jsonl"], run.manifest, 256, catalog())
    assert [file.name for file in files] == [f"{table}.jsonl" for table in TABLES]
    assert run.manifest.failed_formats == {"xlsx": "to write it, install sitemapaudit[xlsx]"}
    assert not (tmp_path / "audit.xlsx").exists()
    (record,) = caplog.records
    assert record.exc_info is None
    assert "install sitemapaudit[xlsx]" in record.getMessage()


def test_every_extra_is_that_of_a_format() -> None:
    assert EXTRAS.keys() <= set(format_names())
