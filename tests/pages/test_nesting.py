"""Nesting that would take hours or all the memory is truncated; other documents are not."""

from collections.abc import Callable

import pytest

from sitemapaudit.pages.html import read_html
from sitemapaudit.pages.nesting import COPYING_TAGS, DEEP_TAGS, MAX_TAGS, parsable_length
from tests.pages.responses import canonical, head, page_of
from tests.support.effort import cpu_limit

MEGABYTE = 1_000_000


def repeat(piece: str, size: int = MEGABYTE // 2) -> bytes:
    """Return a piece repeated to this size; the default has more tags than are parsed."""
    return (piece * (size // len(piece))).encode()


def repeat_numbered(piece: str, count: int) -> bytes:
    """Return numbered copies of a piece."""
    return "".join(piece.format(n=number) for number in range(count)).encode()


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<b>",
        "<font>",
        "<b><font>",
        "<b><div><font>",
        "<b><div><font><p>",
        "<ul><li>",
        "<section><h2>",
        "<rt>",
        "<optgroup>",
        "<div></p>",
        "<div><script></div></script>",
        "<div><textarea></div></textarea>",
        "<div></span>",
        "<div><object></div></object>",
        "<svg><style><div>",
        "<svg><title><div>",
    ],
)
def test_deep_nesting_is_truncated(piece: str) -> None:
    with cpu_limit(10):
        html = read_html(b"<title>Deep</title>" + repeat(piece), None)
    assert html.title == "Deep"
    assert html.truncated


@pytest.mark.parametrize(
    "piece",
    [
        "<DIV class='a'>",
        "<div><!--</div>-->",
        "<div title='</div>'>",
        '<div title=">" lang = "</div>">',
    ],
)
def test_nesting_is_truncated_at_the_same_depth_however_it_is_written(piece: str) -> None:
    depth = parsable_length(repeat("<div>")) // len("<div>")
    assert parsable_length(repeat(piece)) == depth * len(piece)


@pytest.mark.parametrize("charset", [None, "utf-8", "iso-8859-1", "utf-16-le"])
def test_deep_nesting_is_truncated_in_any_encoding(charset: str | None) -> None:
    body = ("<title>Deep</title>" + "<b>" * 200_000).encode(charset or "utf-16")
    with cpu_limit(10):
        html = read_html(body, charset)
    assert (html.title, html.truncated) == ("Deep", True)


def test_flat_elements_in_a_deep_document_count() -> None:
    with cpu_limit(10):
        assert read_html(b"<div>" * 9_000 + b"<div></div>" * 90_000, None).truncated


@pytest.mark.parametrize(
    "piece",
    [
        "<p><b id={n}>x",
        "<p><b id={n}>x<object></b></object>",
    ],
)
def test_formatting_that_multiplies_is_truncated(piece: str) -> None:
    body = repeat_numbered(piece, COPYING_TAGS)
    assert body.count(b"<") <= DEEP_TAGS
    with cpu_limit(10):
        html = read_html(body, None)
    assert html.truncated
    assert html.text.words < COPYING_TAGS


@pytest.mark.parametrize(
    "piece", ["<p><font size={n:04}>x", "<p><b id={n:04}><!--</b>-->x", "<P><B ID='{n:04}'>x"]
)
def test_copies_are_counted_however_they_are_written(piece: str) -> None:
    def count_parsed(piece: str) -> int:
        return parsable_length(repeat_numbered(piece, COPYING_TAGS)) // len(piece.format(n=0))

    assert count_parsed(piece) == count_parsed("<p><b id={n:04}>x") < COPYING_TAGS


@pytest.mark.parametrize(
    "piece",
    [
        "<p>text",
        "<p>text</p>",
        "<br>text",
        "<p><img src=a><input><hr>text",
        "<div>text</div>",
        "<div><p>text</div>",
        "<li>text",
        "<dt>text<dd>text",
        "<option>text",
        "<p><b id={n}>text</b>",
        "<!--<div>-->text ",
        "<script>'<div>'</script>text ",
        "<p title='<div>'>text",
        "<svg><path d='M0 0'/><g/></svg>text ",
        "<svg><title>not this</title><path d='M0 0'/></svg>text ",
        "<i class='icon-{n}'></i>text ",
        "<table><tr><td>text<td>text</table>",
        "< p>text ",
        "</div>text ",
    ],
)
def test_long_documents_are_parsed_completely(piece: str) -> None:
    count = 3 * DEEP_TAGS // 2  # Too many, if each of them left an element open.
    body = repeat_numbered(piece, count)
    assert parsable_length(repeat_numbered("<div>", count)) < 5 * count
    html = read_html(body, None)
    assert not html.truncated
    assert html.text.words >= count


def test_a_table_without_end_tags_is_parsed_completely() -> None:
    body = b"<table>" + b"<tr><td>text<td>text" * DEEP_TAGS + b"</table>"
    assert parsable_length(body) == len(body)


@pytest.mark.parametrize("count", [DEEP_TAGS, 10 * DEEP_TAGS])
def test_few_open_elements_are_not_deep_nesting(count: int) -> None:
    body = b"<div>" * 200 + b"<p>text" * (count - 200)
    assert parsable_length(body) == len(body)


@pytest.mark.parametrize(("count", "complete"), [(MAX_TAGS, True), (MAX_TAGS + 1, False)])
def test_the_number_of_tags_is_limited(count: int, *, complete: bool) -> None:
    body = b"text" + b"<p>" * count + b"text"
    assert parsable_length(body) == (len(body) if complete else 4 + 3 * MAX_TAGS)


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<a b='",
        "<a b=",
        "<!--",
        "<script>",
        "<svg><script>",
        "<",
        "</",
        "<a/ = ",
        "<a <b ='\">",
        '="',
    ],
)
def test_unclosed_tags_take_little_time(piece: str) -> None:
    body = b"<p>" * (DEEP_TAGS + 1) + repeat(piece, 10 * MEGABYTE)
    with cpu_limit(10):
        assert 0 < parsable_length(body) <= len(body)


OPTIONS = [
    "<option>",
    "<option selected>",
    "<OPTION value='a'>text</OPTION>",
    "<p><option>",
    "<option><!--</select>-->",
    "<option title='</select>'>",
    "<option><template><select></select></template>",
]


@pytest.mark.parametrize("piece", OPTIONS)
def test_too_many_options_of_a_select_are_truncated(piece: str) -> None:
    options = repeat(piece)
    for start in (b"<select multiple>", b"<p><select><optgroup>"):
        assert parsable_length(start + options) < len(options)


def test_the_slowest_options_are_parsed_in_time() -> None:
    with cpu_limit(10):
        html = read_html(b"<title>Menu</title><select>" + repeat("<option selected>"), None)
    assert (html.title, html.truncated) == ("Menu", True)


@pytest.mark.parametrize(
    "document",
    [
        b"<select>" + repeat_numbered("<option>{n}", 11_000) + b"</select>",
        repeat_numbered("<select>" + "<option>{n}" * 250 + "</select>", 300),
        b"<select><option></select>" + repeat_numbered("<option>{n}", 50_000),
    ],
    ids=["one menu", "many menus", "no menu"],
)
def test_the_options_of_menus_are_parsed_completely(document: bytes) -> None:
    assert parsable_length(document) == len(document)


@pytest.mark.parametrize("name", ["body", "HTML"])
def test_tags_whose_attributes_are_merged_are_truncated(name: str) -> None:
    tags = (
        f"<{name} {' '.join(f'a{first + n}' for n in range(90))}>"
        for first in range(0, 100_000, 90)
    )
    with cpu_limit(10):
        html = read_html(b"<title>Merged</title>" + "".join(tags).encode(), None)
    assert (html.title, html.truncated) == ("Merged", True)


def test_a_truncated_page_is_recorded() -> None:
    body = head("<title>Deep</title>", canonical("/a")).encode() + repeat("<b>")
    page = page_of(body + b"<meta name=robots content=noindex>")
    assert (page.truncated, page.title, page.canonical) == (True, "Deep", page.url)
    assert (page.bytes, page.noindex, page.verdict) == (len(body) + 34, False, "indexable")
    assert not page_of(head()).truncated


@pytest.mark.parametrize(
    "make",
    [
        lambda: b"<p " + repeat_numbered("a{n} ", 100_000),
        lambda: b'<p x=">" ' + repeat_numbered("a{n} ", 100_000),
        lambda: b"<p " + repeat_numbered('a{n}="1"', 100_000),
        lambda: b"<p " + repeat_numbered("a{n}/", 100_000),
        lambda: (b"<p " + repeat_numbered("a{n} ", 330) + b">") * 2_000,
        lambda: b"<br>" * DEEP_TAGS + b"<br " + repeat_numbered("a{n} ", 20_000) + b">",
    ],
    ids=["words", "quoted sign", "values", "slashes", "many tags", "after deep tags"],
)
def test_too_many_attributes_are_truncated(make: Callable[[], bytes]) -> None:
    document = make()
    with cpu_limit(10):
        html = read_html(document, None)
    assert html.truncated


def test_long_attributes_and_many_short_ones_are_parsed_completely() -> None:
    document = (
        f"<p {'x' * MEGABYTE}>".encode() + b"<p " + repeat_numbered('a{n}="b c d" ', 1_000) + b">"
    )
    assert parsable_length(document) == len(document)
