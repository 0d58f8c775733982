"""No line of the ledger that lost bytes is read as a row."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Page
from sitemapaudit.runs.ledger.checksums import is_sound
from sitemapaudit.runs.ledger.ledger import (
    Ledger,
    RowEncoder,
    count_lines,
    ledger_file,
    read_rows,
)
from sitemapaudit.runs.ledger.resuming import drop_unfinished
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

URL = "https://www.example.com/"
PAGES = [Page(f"{URL}{number}", title="a, b", description="c") for number in range(40)]
ENCODE = RowEncoder().encode


def cuts(content: bytes) -> Iterator[bytes]:
    """Yield a file without some of its bytes: up to 300 anywhere, or whole columns."""
    choose = random.Random(0)
    places = [
        place for place in range(len(content)) if content[place : place + 2] in (b',"', b"}\n")
    ]
    for _ in range(100):
        begin = choose.randrange(len(content))
        yield content[:begin] + content[begin + choose.randint(1, 300) :]
        begin, end = sorted(choose.sample(places, 2))
        yield content[:begin] + content[end:]


def without_checksums(content: bytes) -> bytes:
    return re.sub(rb'"sum":"[0-9a-f]{8}",', b"", content)


@pytest.mark.parametrize("together", [1, 40])
def test_a_cut_line_is_never_another_row(tmp_path: Path, together: int) -> None:
    file = tmp_path / "pages.jsonl"
    content = b"".join(ENCODE(PAGES[at : at + together]) for at in range(0, 40, together))
    for cut in cuts(content):
        file.write_bytes(cut)
        rows = list(read_rows(file, Page))
        assert len(rows) == count_lines(file)
        assert all(row in PAGES for row in rows if row is not None)
        assert not is_sound(file) or None not in rows
    file.write_bytes(content)
    assert list(read_rows(file, Page)) == PAGES
    assert is_sound(file)


def test_lines_without_checksums_are_read(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    lines = without_checksums(ENCODE(PAGES))
    file.write_bytes(lines + b"{torn\n" + ENCODE(PAGES[:2]))
    assert list(read_rows(file, Page)) == [*PAGES, None, *PAGES[:2]]
    assert is_sound(file)


def test_a_large_file(tmp_path: Path) -> None:
    """Blocks, and the place where they meet, can be anywhere in the parts that are read."""
    file = tmp_path / "pages.jsonl"
    content = ENCODE([Page(f"{URL}{number}", title="x" * number) for number in range(2_000)])
    file.write_bytes(content)
    assert len(content) > 2**21
    assert is_sound(file)
    for place in range(10, len(content), 99_991):
        file.write_bytes(content[:place] + b"?" + content[place + 1 :])
        assert not is_sound(file)


def write_ledger(folder: Path) -> Path:
    """Write the ledger of two pages; return the file of the pages."""
    ledger = Ledger(folder)
    entries = listed(f"{URL}1", f"{URL}2")
    ledger.append(sitemap_of(entries))
    ledger.append(entries)
    for number in (1, 2):
        ledger.append(fetched_page(f"{URL}{number}", noindex=False, description="a description"))
    ledger.close()
    return ledger_file(folder, "pages")


def test_a_cut_line_is_lost_and_fetched_again(tmp_path: Path) -> None:
    file = write_ledger(tmp_path)
    cut = b'"description":"a description",'
    first, second = file.read_bytes().splitlines(keepends=True)
    assert cut in first
    file.write_bytes(first.replace(cut, b"") + second)
    run = build_run(tmp_path, [])
    assert run.manifest.damage == {"pages": 1}
    assert run.urls["verdict"].tolist() == ["unchecked", "indexable"]
    assert drop_unfinished(tmp_path, Audit(NO_RULES)) == {"pages": 1}
    assert file.read_bytes() == second


def test_a_ledger_of_an_earlier_version_is_complete(tmp_path: Path) -> None:
    write_ledger(tmp_path)
    for file in (tmp_path / "log").glob("*.jsonl"):
        file.write_bytes(without_checksums(file.read_bytes()))
    run = build_run(tmp_path, [])
    assert (run.manifest.damage, len(run.pages)) == ({}, 2)
