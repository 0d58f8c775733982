"""The numbered lines of a text sitemap, read in constant memory."""

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.sitemaps.text_file import MAX_LINE, read_lines

LINES = [
    (b"", []),
    (b"a", [(1, "a")]),
    (b"a\n", [(1, "a")]),
    (b"a\nb", [(1, "a"), (2, "b")]),
    (b"a\rb\r", [(1, "a"), (2, "b")]),
    (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
    (b"a\n\rb", [(1, "a"), (3, "b")]),
    # Blank lines count, but are not yielded.
    (b"\n\na", [(3, "a")]),
    (b"a\n \t\n\r\nb\n\n", [(1, "a"), (4, "b")]),
    (b"\n\r\n \n", []),
    # As written, including white space.
    (b" a b\t\n", [(1, " a b\t")]),
    (b"a\na\na", [(1, "a"), (2, "a"), (3, "a")]),
    ("é\nß".encode(), [(1, "é"), (2, "ß")]),
    # Undecodable bytes.
    (b"a\xffb\nc\xc3", [(1, "a\ufffdb"), (2, "c\ufffd")]),
    (b"\xe9\n\xed\xa0\x80", [(1, "\ufffd"), (2, "\ufffd\ufffd\ufffd")]),
    # No other character ends a line.
    ("a\v\f\x1c\x85\u2028\u2029b".encode(), [(1, "a\v\f\x1c\x85\u2028\u2029b")]),
    (b"a\0b", [(1, "a\0b")]),
]


def split_chunks(body: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(("body", "expected"), LINES)
def test_lines_are_numbered(body: bytes, expected: list[tuple[int, str]], size: int) -> None:
    assert list(read_lines(split_chunks(body, size), "UTF-8")) == expected


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-8"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_lines_in_any_encoding(encoding: str, size: int) -> None:
    body = "é\r\n\n😀\r".encode(encoding)
    assert list(read_lines(split_chunks(body, size), encoding)) == [(1, "é"), (3, "😀")]


@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, 10 * MAX_LINE])
@pytest.mark.parametrize("size", [1_000, 10**9])
@pytest.mark.parametrize("end", [b"", b"\nb"])
def test_a_long_line_is_truncated(length: int, size: int, end: bytes) -> None:
    lines = list(read_lines(split_chunks(b"a" * length + end, size), "UTF-8"))
    assert lines[0] == (1, "a" * min(length, MAX_LINE))
    assert lines[1:] == ([(2, "b")] if end else [])


def test_an_endless_line_takes_little_memory() -> None:
    tracemalloc.start()
    lines = list(read_lines((b"a" * MAX_LINE for _ in range(1_000)), "UTF-8"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(number, len(line)) for number, line in lines] == [(1, MAX_LINE)]
    assert peak < 10 * MAX_LINE


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\r\n ")), st.integers(1, 7))
def test_any_text_is_split_at_line_breaks(text: str, size: int) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    expected = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    assert list(read_lines(split_chunks(text.encode(), size), "UTF-8")) == expected
