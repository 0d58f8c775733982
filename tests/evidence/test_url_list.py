"""Lists of URLs: their formats, and the mistakes that are refused."""

import os
from pathlib import Path

import openpyxl
import pytest

from sitemapaudit.evidence.url_list import COLUMNS, read_url_list

A, B = "https://www.example.com/a", "https://www.example.com/b"


def read(folder: Path, content: bytes | str, name: str = "list") -> list[str]:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_url_list(str(file)).text.decode().split("\n")


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (f"{A}\r\n\r\n{B}\r\n", [A, "", B]),
        (f"# old\n {A}\n", ["# old", f" {A}"]),
        (f"\ufeffurl\n{A}\n", ["", A]),
        (f"URL,Clicks\n{A},3\n,4\n{B},5\n", ["", A, "", B]),
        (f'Status;Address\n200;"{A}"\n\n200;{B};x\n', ["", A, "", B]),
        (f'x\tTop pages\n"1\n2"\t{A}\n3\t{B}\n', ["", A, "", B]),
        (f"# Landing page\n# 2026\n\nPage,Url\n{A},{B}\n", ["", "", "", "", B]),
        (f"{A}\n{A},{B}\n", [A, f"{A},{B}"]),
        (f"{A}\nurl\n", [A, "url"]),
        (f"{A}\nhttps://u:secret@www.example.com/\n", [A, "https://u:***@www.example.com/"]),
        (f"url\n{A}\n".encode("utf-16"), ["", A]),
        (f"{A}\n{B}?\xe9\n".encode("latin-1"), [A, f"{B}?\ufffd"]),
    ],
)
def test_each_url_stays_on_its_line(content: bytes | str, lines: list[str], tmp_path: Path) -> None:
    assert read(tmp_path, content) == lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (f"{A},1\n{B},2\n", [A, B]),
        (f"1;{A};x\n2;{B}\n", [A, B]),
        (f'"a,b"\t{A}\n\tnone\n', [A, "none"]),
        (f"{A}\n{B},2\n", [A, f"{B},2"]),
    ],
)
def test_a_table_without_names_of_columns(content: str, lines: list[str], tmp_path: Path) -> None:
    """Its first row says which column has the URLs; a single cell makes it a text."""
    assert read(tmp_path, content, "export.csv") == lines


def test_a_workbook_has_the_urls_in_its_first_table(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["A note"])
    sheet = book.create_sheet()
    for row in (["Clicks", "Page"], [1, A], [2, None], [3, B]):
        sheet.append(row)
    book.save(tmp_path / "book")
    assert read(tmp_path, (tmp_path / "book").read_bytes(), "b.xlsx") == ["", A, "", B]


def test_a_pipe_is_read_once() -> None:
    reading, writing = os.pipe()
    os.write(writing, f"{A}\n{B}\n".encode())
    os.close(writing)
    first = read_url_list(f"/dev/fd/{reading}")
    assert read_url_list(f"/dev/fd/{reading}") is first
    assert first.text.decode() == f"{A}\n{B}"
    os.close(reading)


def test_a_list_comes_on_standard_input() -> None:
    reading, writing = os.pipe()
    os.write(writing, f"url\n{A}\n".encode())
    os.close(writing)
    before = os.dup(0)
    os.dup2(reading, 0)
    try:
        first = read_url_list("-")
        assert read_url_list("-") is first
    finally:
        os.dup2(before, 0)
    assert first.origin == "https://www.example.com"


def test_the_site_is_that_of_most_urls(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"https://other.example/\nnothing\n{A}\n{B}\n")
    assert read_url_list(str(tmp_path / "list")).origin == "https://www.example.com"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("list.txt", None, "cannot be read: No such file or directory"),
        ("list.txt", "\n \n", "contains no URLs"),
        ("list.csv", "url,clicks\n", "contains no URLs"),
        ("list.txt", "\n/a\n/b\n", "contains no absolute URLs; its line 2 is '/a'"),
        ("list.csv", "link,clicks\n/a,1\n", f"has no column with URLs: name it {COLUMNS[0]}"),
        ("list.xlsx", b"PK\x03\x04 nothing", "cannot be read as a workbook: "),
        ("list.xls", b"\xd0\xcf\x11\xe0\n\0\0", "is not a text, a CSV table or a workbook"),
    ],
)
def test_a_mistake_is_one_sentence(
    name: str, content: bytes | str | None, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(ValueError, match=f"^{file} {reason}"):
        read_url_list(str(file))
