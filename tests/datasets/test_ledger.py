"""The ledger: each row is written before the next, and a torn last line loses only that row."""

import json
from pathlib import Path

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.ledger import Ledger, ledger_file
from tests.support import build_run, fetched_page, listed

URL = "https://www.example.com/"


def test_a_row_can_be_read_when_append_returns(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.append(fetched_page(f"{URL}1"))
    (line,) = ledger_file(tmp_path, "pages").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["url"] == f"{URL}1"
    ledger.close()


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


def test_special_characters_are_kept(tmp_path: Path) -> None:
    title = 'line\nbreak, "quotes", \\, \x00, \x1b[31m, 日本語, \U0001f600'
    run = build_run(tmp_path, [listed(URL), fetched_page(URL, title=title)])
    assert run.pages["title"].tolist() == [title]
