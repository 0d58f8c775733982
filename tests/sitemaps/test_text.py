"""text: the lines of a text sitemap, numbered, in constant memory."""

import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.sitemaps.text import MAX_LINE, numbered_lines

LINES = [
    (b"", []),
    (b"a", [(1, "a")]),
    (b"a\n", [(1, "a")]),
    (b"a\nb", [(1, "a"), (2, "b")]),
    (b"a\rb\r", [(1, "a"), (2, "b")]),
    (b"a\r\nb\r\n", [(1, "a"), (2, "b")]),
    (b"a\n\rb", [(1, "a"), (3, "b")]),
    # Blank lines are counted and not handed out.
    (b"\n\na", [(3, "a")]),
    (b"a\n \t\n\r\nb\n\n", [(1, "a"), (4, "b")]),
    (b"\n\r\n \n", []),
    # As written, white space and all.
    (b" a b\t\n", [(1, " a b\t")]),
    (b"a\na\na", [(1, "a"), (2, "a"), (3, "a")]),
    ("é\nß".encode(), [(1, "é"), (2, "ß")]),
    # A byte that is no character.
    (b"a\xffb\nc\xc3", [(1, "a\ufffdb"), (2, "c\ufffd")]),
    (b"\xe9\n\xed\xa0\x80", [(1, "\ufffd"), (2, "\ufffd\ufffd\ufffd")]),
    # Nothing else breaks a line.
    ("a\v\f\x1c\x85\u2028\u2029b".encode(), [(1, "a\v\f\x1c\x85\u2028\u2029b")]),
    (b"a\0b", [(1, "a\0b")]),
]


def chunked(body: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(("body", "expected"), LINES)
def test_lines(body: bytes, expected: list[tuple[int, str]], size: int) -> None:
    assert list(numbered_lines(chunked(body, size), "UTF-8")) == expected


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-8"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_encodings(encoding: str, size: int) -> None:
    body = "é\r\n\n😀\r".encode(encoding)
    assert list(numbered_lines(chunked(body, size), encoding)) == [(1, "é"), (3, "😀")]


@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, 10 * MAX_LINE])
@pytest.mark.parametrize("size", [1_000, 10**9])
@pytest.mark.parametrize("end", [b"", b"\nb"])
def test_a_long_line_is_cut(length: int, size: int, end: bytes) -> None:
    lines = list(numbered_lines(chunked(b"a" * length + end, size), "UTF-8"))
    assert lines[0] == (1, "a" * min(length, MAX_LINE))
    assert lines[1:] == ([(2, "b")] if end else [])


def test_an_endless_line_takes_little_memory() -> None:
    tracemalloc.start()
    lines = list(numbered_lines((b"a" * MAX_LINE for _ in range(1_000)), "UTF-8"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(number, len(line)) for number, line in lines] == [(1, MAX_LINE)]
    assert peak < 10 * MAX_LINE


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\r\n ")), st.integers(1, 7))
def test_any_text(text: str, size: int) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    expected = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    assert list(numbered_lines(chunked(text.encode(), size), "UTF-8")) == expected
