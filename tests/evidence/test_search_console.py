"""Exports of Search Console and Bing: zip files, folders, CSV files, and files that are neither."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from sitemapaudit.evidence.search_console import read_page_indexing, read_performance
from sitemapaudit.evidence.tables import ExportError
from tests.evidence.samples import (
    as_csv,
    indexing_files,
    performance_files,
    write_folder,
    write_zip,
)

A, B, C = (f"https://www.example.com/{name}" for name in ("a", 'b,"c"', "d"))
ISSUE = "Crawled - currently not indexed"
PAGES = [(A, "2026-11-01"), (B, "1969-12-31"), (C, "1970-01-01")]


@pytest.mark.parametrize("write", [write_folder, write_zip])
def test_page_indexing(write: Callable[..., Path], tmp_path: Path) -> None:
    export = read_page_indexing(write(tmp_path / "export.zip", indexing_files(PAGES, ISSUE)))
    assert export.pages["url"].tolist() == [A, B, C]
    assert export.pages["last_crawled"].isna().tolist() == [False, True, True]
    assert export.pages["last_crawled"][0] == pd.Timestamp("2026-11-01")
    assert (export.issue, export.complete) == (ISSUE, True)


def test_a_table_alone_and_an_export_of_indexed_pages_have_no_issue(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "indexed", indexing_files(PAGES, None))
    assert read_page_indexing(folder).issue is None
    export = read_page_indexing(folder / "Table.csv")
    assert (export.issue, len(export.pages)) == (None, 3)


@pytest.mark.parametrize(("rows", "complete"), [(999, True), (1_000, False)])
def test_a_thousand_rows_may_not_be_all(rows: int, complete: bool, tmp_path: Path) -> None:
    pages = [(f"{A}/{number}", "2026-11-01") for number in range(rows)]
    export = read_page_indexing(write_zip(tmp_path / "e.zip", indexing_files(pages, ISSUE)))
    assert (len(export.pages), export.complete) == (rows, complete)


def test_performance_of_search_console(tmp_path: Path) -> None:
    rows = [(A, "1,204", 12_345, "9.75%", "3.2"), (B, 0, 3, "0%", "88")]
    frame = read_performance(write_zip(tmp_path / "e.zip", performance_files(rows)))
    assert list(frame.columns) == ["url", "clicks", "impressions", "ctr", "position"]
    assert frame["url"].tolist() == [A, B]
    assert frame["clicks"].tolist() == [1204, 0]
    assert frame["ctr"].tolist() == pytest.approx([0.0975, 0])
    assert frame["position"].tolist() == [3.2, 88]


def test_performance_of_bing(tmp_path: Path) -> None:
    head = ("Page", "Impressions", "Clicks", "CTR", "Avg. Position")
    file = tmp_path / "bing.csv"
    text = as_csv(head, [(A, "1,000", "20", "2.00%", "4.10")])
    for encoding in ("utf-8-sig", "utf-16"):
        file.write_text(text, encoding=encoding)
        (row,) = read_performance(file).to_dict("records")
        assert row == {"url": A, "impressions": 1000, "clicks": 20, "ctr": 0.02, "position": 4.1}


@pytest.mark.parametrize("read", [read_page_indexing, read_performance])
@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("e.zip", b"no zip", "is not a zip file"),
        ("e.csv", b"", "is not a CSV table"),
        ("e.csv", b"\xff\xff\xff", "is not a CSV table"),
        ("e.csv", b"URL,Zuletzt gecrawlt\nx,2026-11-01", "export it in English"),
    ],
)
def test_another_file_is_one_sentence(
    read: Callable[[Path], object], name: str, content: bytes, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ExportError, match=sentence):
        read(tmp_path / name)


def test_an_export_of_another_report_names_the_missing_table(tmp_path: Path) -> None:
    performance = write_zip(tmp_path / "p.zip", performance_files([]))
    indexing = write_folder(tmp_path / "i", indexing_files([], ISSUE))
    with pytest.raises(ExportError, match=r"p\.zip has no Table\.csv"):
        read_page_indexing(performance)
    with pytest.raises(ExportError, match=r"i has no Pages\.csv"):
        read_performance(indexing)
