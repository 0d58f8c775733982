"""The ledger: each row is written before the next, and a damaged line loses only that row."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.caps import MAX_LINE
from sitemapaudit.items import (
    Alternate,
    Entries,
    Entry,
    Image,
    Kind,
    News,
    Page,
    Refresh,
    SkipReason,
    Statement,
    Video,
)
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.redaction import redacted
from sitemapaudit.runs.ledger.ledger import (
    Ledger,
    RowEncoder,
    ledger_file,
    longest_line,
    read_rows,
)
from sitemapaudit.runs.ledger.resuming import drop_unfinished
from tests.support.rows import fetched_page, listed, rendered, sitemap_of
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

URL = "https://www.example.com/"
INDEXABLE: Final = "indexable"


def test_a_row_can_be_read_when_append_returns(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append(fetched_page(f"{URL}1"))
    (line,) = ledger_file(tmp_path, "pages").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["url"] == f"{URL}1"
    ledger.close()


def test_what_a_page_does_not_have_is_not_written(tmp_path: Path) -> None:
    empty = fetched_page(f"{URL}1", None)
    full = fetched_page(
        f"{URL}2",
        noindex=False,
        title="",
        directives=["nofollow"],
        refreshes=[Refresh("meta", 0.0, None, None)],
        statements=[Statement("header", "", "nofollow", None, applies=True)],
    )
    ledger = Ledger(tmp_path)
    ledger.append(empty)
    ledger.append(full)
    ledger.close()
    file = ledger_file(tmp_path, "pages")
    first, second = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert not any(value is None or value == [] for value in [*first.values(), *second.values()])
    assert (second["title"], second["retries"], second["noindex"]) == ("", 0, False)
    assert list(read_rows(file, Page)) == [empty, full]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", Kind.RSS),
        ("loc", None),
        ("url", None),
        ("url", f"{URL}another"),
        ("lastmod", "2026-11-05T10:00Z"),
        ("changefreq", "daily"),
        ("priority", "0.5"),
        ("lastmod_at", datetime(2026, 11, 5, tzinfo=UTC)),
        ("images", [Image("a.png")]),
        ("videos", [Video("a.png")]),
        ("news", [News("The Example")]),
        ("alternates", [Alternate("sitemap", "alternate", "de", f"{URL}de", f"{URL}de")]),
        ("unknown_elements", ["author"]),
        ("repeated_elements", ["loc"]),
        ("out_of_order", True),
        ("line", 7),
        ("recovered", True),
        ("truncated_columns", ["loc"]),
        ("skip_reason", SkipReason.LIMIT),
    ],
)
def test_each_column_of_an_entry_is_written_if_no_other_is(
    column: str, value: object, tmp_path: Path
) -> None:
    entry = Entry("sitemap.xml", 1, Kind.URLSET, f"{URL}1", f"{URL}1")
    setattr(entry, column, value)
    ledger = Ledger(tmp_path)
    ledger.append(Entries(entry.sitemap, [entry]))
    ledger.close()
    assert list(read_rows(ledger_file(tmp_path, "entries"), Entry)) == [entry]


def test_lines_of_earlier_versions_have_all_columns(tmp_path: Path) -> None:
    page = fetched_page(f"{URL}1", noindex=False)
    Ledger(tmp_path).close()
    file = ledger_file(tmp_path, "pages")
    file.write_bytes(msgspec.json.encode(page) + b"\n")
    assert list(read_rows(file, Page)) == [page]


def test_a_ledger_that_is_opened_again_is_appended_to(tmp_path: Path) -> None:
    for number in range(3):
        ledger = Ledger(tmp_path)
        ledger.append(fetched_page(f"{URL}{number}"))
        ledger.close()
    assert len(ledger_file(tmp_path, "pages").read_bytes().splitlines()) == 3


def test_each_table_has_a_file(tmp_path: Path) -> None:
    Ledger(tmp_path).close()
    assert {path.stem for path in (tmp_path / "log").iterdir()} == LEDGER_TABLES.keys()


def test_a_torn_last_line_loses_only_that_row(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append(listed(f"{URL}1", f"{URL}2"))
    ledger.append(fetched_page(f"{URL}1"))
    ledger.append(fetched_page(f"{URL}2"))
    ledger.close()
    file = ledger_file(tmp_path, "pages")
    file.write_bytes(file.read_bytes()[:-40])
    run = build_run(tmp_path, [])
    assert dict(zip(run.urls["url"], run.urls["verdict"], strict=True)) == {
        f"{URL}1": "indexable",
        f"{URL}2": "unchecked",
    }


@pytest.mark.parametrize("value", ["half \ud83d a pair", object()], ids=["text", "type"])
def test_a_row_that_cannot_be_written_is_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, value: Any
) -> None:
    entries = listed(f"{URL}1", f"{URL}2", f"{URL}3")
    entries.rows[1].lastmod = value
    written = fetched_page(f"{URL}1")
    bad = fetched_page(f"{URL}3", title=value)
    run = build_run(tmp_path, [sitemap_of(entries), entries, bad, written])
    assert run.manifest.damage == {"entries": 1, "pages": 1}
    assert run.manifest.exit_status("never") == 3
    assert run.entries["position"].tolist() == [1, 3]
    assert run.pages["url"].tolist() == [f"{URL}1"]
    assert f"The page '{URL}3' cannot be written: " in caplog.text
    assert len(caplog.records) == 2


def test_a_table_of_rows_that_cannot_be_written_is_empty(tmp_path: Path) -> None:
    bad = rendered(fetched_page(URL), title="\ud83d")
    entries = listed(URL)
    run = build_run(tmp_path, [sitemap_of(entries), entries, fetched_page(URL), bad])
    assert run.manifest.damage == {"renderings": 1}
    assert not run.manifest.complete


def test_passwords_are_hidden_in_an_item_that_cannot_be_written() -> None:
    item = fetched_page(URL, title="\ud83d", canonical="http://user:hush@a.example/")
    assert redacted(item).canonical == "http://user:***@a.example/"


@pytest.mark.parametrize(("extra", "lost"), [(0, False), (1, True), (MAX_LINE, True)])
def test_a_line_that_is_too_long_loses_only_that_row(
    tmp_path: Path, extra: int, *, lost: bool
) -> None:
    with_line_of(tmp_path, MAX_LINE + extra)
    assert [row is None for row in read_rows(ledger_file(tmp_path, "pages"), Page)] == [
        False,
        lost,
        False,
    ]
    run = build_run(tmp_path, [])
    second = "unchecked" if lost else INDEXABLE
    assert run.urls["verdict"].tolist() == [INDEXABLE, second, INDEXABLE]
    assert run.manifest.damage == ({"pages": 1} if lost else {})
    assert drop_unfinished(tmp_path, Audit(NO_RULES)) == run.manifest.damage
    assert build_run(tmp_path, [], reason="the run was stopped").manifest.damage == {}


def with_line_of(folder: Path, size: int) -> None:
    """Write a ledger with three pages; the line of the second one has so many bytes."""
    ledger = Ledger(folder)
    entries = listed(f"{URL}1", f"{URL}2", f"{URL}3")
    ledger.append(sitemap_of(entries))
    ledger.append(entries)
    for number in (1, 2, 3):
        page = fetched_page(f"{URL}{number}", noindex=False, title="")
        if number == 2:
            page.title = "x" * (size - len(RowEncoder().encode([page])))
        ledger.append(page)
    ledger.close()


@pytest.mark.parametrize(
    ("size", "longest"),
    [(10, 1 << 20), (1 << 20, 1 << 20), ((1 << 20) + 1, (1 << 20) + 1), (3 << 20, 3 << 20)],
)
def test_the_longest_line(tmp_path: Path, size: int, longest: int) -> None:
    file = tmp_path / "lines"
    for before in (0, 7, 1 << 19, (1 << 20) - 5):
        file.write_bytes(b"a\n" * (before // 2) + b"x" * (size - 1) + b"\n" + b"b\n" * 9)
        assert longest_line(file) == longest


def test_special_characters_are_kept(tmp_path: Path) -> None:
    title = 'line\nbreak, "quotes", \\, \x00, \x1b[31m, 日本語, \U0001f600'
    run = build_run(tmp_path, [listed(URL), fetched_page(URL, title=title)])
    assert run.pages["title"].tolist() == [title]
