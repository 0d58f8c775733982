"""Nesting that would take hours or all the memory is cut; every other document is parsed whole."""

import pytest

from sitemapaudit.pages.html import read_html
from sitemapaudit.pages.nesting import MANY, SOME, TOO_MANY, parsable_length
from tests.pages.answers import canonical, head, page_of, swift

MEGABYTE = 1_000_000


def filled(piece: str, size: int = MEGABYTE) -> bytes:
    return (piece * (size // len(piece))).encode()


def numbered(piece: str, count: int) -> bytes:
    return "".join(piece.format(n=number) for number in range(count)).encode()


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<DIV class='a'>",
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
        "<div><!--</div>-->",
        "<div title='</div>'>",
        '<div title=">" lang = "</div>">',
        "<div><script></div></script>",
        "<div><textarea></div></textarea>",
        "<div></span>",
        "<div><object></div></object>",
        "<svg><style><div>",
        "<svg><title><div>",
    ],
)
def test_deep_nesting(piece: str) -> None:
    with swift(seconds=10):
        html = read_html(b"<title>Deep</title>" + filled(piece), None)
    assert html.title == "Deep"
    assert html.cut


@pytest.mark.parametrize("charset", [None, "utf-8", "iso-8859-1", "utf-16-le"])
def test_in_any_encoding(charset: str | None) -> None:
    body = ("<title>Deep</title>" + "<div>" * 200_000).encode(charset or "utf-16")
    with swift(seconds=10):
        html = read_html(body, charset)
    assert (html.title, html.cut) == ("Deep", True)


def test_the_rest_of_a_deep_document_costs_as_much() -> None:
    with swift(seconds=10):
        assert read_html(b"<div>" * 9_000 + b"<div></div>" * 90_000, None).cut


@pytest.mark.parametrize(
    "piece",
    [
        "<p><b id={n}>x",
        "<p><font size={n}>x",
        "<p><b id={n}><!--</b>-->x",
        "<p><b id={n}>x<object></b></object>",
        "<P><B ID='{n}'>x",
    ],
)
def test_formatting_that_multiplies(piece: str) -> None:
    body = numbered(piece, SOME)
    assert body.count(b"<") < MANY
    with swift(seconds=10):
        html = read_html(body, None)
    assert html.cut
    assert html.text.words < SOME


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
def test_long_documents_are_parsed_whole(piece: str) -> None:
    body = numbered(piece, 2 * MANY)
    assert body.count(b"<") > MANY
    html = read_html(body, None)
    assert not html.cut
    assert html.text.words >= 2 * MANY


def test_a_table_without_end_tags_is_parsed_whole() -> None:
    body = b"<table>" + b"<tr><td>text<td>text" * MANY + b"</table>"
    assert parsable_length(body) == len(body)


@pytest.mark.parametrize("count", [MANY, 10 * MANY])
def test_few_open_elements_are_no_nesting(count: int) -> None:
    body = b"<div>" * 200 + b"<p>text" * (count - 200)
    assert parsable_length(body) == len(body)


@pytest.mark.parametrize(("count", "whole"), [(TOO_MANY, True), (TOO_MANY + 1, False)])
def test_so_many_tags_are_parsed(count: int, *, whole: bool) -> None:
    body = b"text" + b"<p>" * count + b"text"
    assert parsable_length(body) == (len(body) if whole else 4 + 3 * TOO_MANY)


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
def test_tags_that_do_not_end(piece: str) -> None:
    body = b"<p>" * (MANY + 1) + filled(piece, 10 * MEGABYTE)
    with swift(seconds=10):
        assert 0 < parsable_length(body) <= len(body)


def test_a_page_that_was_cut_says_so() -> None:
    body = head("<title>Deep</title>", canonical("/a")).encode() + filled("<div>")
    page = page_of(body + b"<meta name=robots content=noindex>")
    assert (page.cut, page.title, page.canonical) == (True, "Deep", page.url)
    assert (page.bytes, page.noindex, page.verdict) == (len(body) + 34, False, "indexable")
    assert not page_of(head()).cut


@pytest.mark.parametrize(
    "document",
    [
        b"<p " + numbered("a{n} ", 300_000),
        b'<p x=">" ' + numbered("a{n} ", 300_000),
        b"<p " + numbered('a{n}="1"', 300_000),
        b"<p " + numbered("a{n}/", 300_000),
        (b"<p " + numbered("a{n} ", 330) + b">") * 2_000,
        b"<br>" * MANY + (b"<br " + numbered("a{n} ", 330) + b">") * 2_000,
    ],
)
def test_attributes_that_are_compared_with_each_other(document: bytes) -> None:
    with swift(seconds=10):
        html = read_html(document, None)
    assert html.cut


def test_some_long_attributes_and_many_short_ones_are_parsed_whole() -> None:
    document = f"<p {'x' * MEGABYTE}>".encode() + b"<p " + numbered('a{n}="b c d" ', 1_000) + b">"
    assert parsable_length(document) == len(document)
