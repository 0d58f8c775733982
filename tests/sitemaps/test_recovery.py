"""Entries after the first error of an XML file are recovered one by one."""

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.sitemaps.recovery import recover_entries
from sitemapaudit.sitemaps.xml_stream import MAX_ELEMENT, Root, text_of
from tests.sitemaps.files import MARKUP, NAMESPACE, entry, measure_each_growth, urlset
from tests.support.effort import cpu_limit

URL = f"{{{NAMESPACE}}}url"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
ROOT = Root("urlset", NAMESPACE, {None: NAMESPACE, "i": IMAGE}, None)


def recovered(
    body: str | bytes,
    root: Root = ROOT,
    tags: tuple[str, ...] = (URL,),
    encoding: str | None = None,
    size: int = 65_536,
) -> list[tuple[int, str | None]]:
    """Return the line and the text of each recovered entry."""
    data = body.encode() if isinstance(body, str) else body
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    return [
        (one.line, None if one.element is None else text_of(one.element))
        for one in recover_entries(chunks, root, tags, encoding)
    ]


def texts(body: str | bytes, **how: int) -> list[str | None]:
    return [text for _, text in recovered(body, **how)]  # type: ignore[arg-type]


# Where entries begin and end.

FILES = [
    # markup between the entries a and c, and the recovered entries
    (entry("b"), ["a", "b", "c"]),
    ("", ["a", "c"]),
    ("<url/>", ["a", "", "c"]),
    ("<url />", ["a", "", "c"]),
    ("<url a='b'>b</url >", ["a", "b", "c"]),
    ("<url\n>b</url\n>", ["a", "b", "c"]),
    # An end tag, a start tag or both are missing.
    ("<url><loc>b</loc>", ["a", "b", "c"]),
    ("<url><loc>b", ["a", "b", "c"]),
    ("<url>b<url>c", ["a", "b", "c", "c"]),
    ("<loc>b</loc></url>", ["a", "b", "c"]),
    ("</url>", ["a", "c"]),
    ("</url></url>", ["a", "c"]),
    ("</urlset>", ["a", "c"]),
    (f"</urlset><urlset xmlns='x'>{entry('b')}", ["a", "b", "c"]),
    # An entry within an entry: in the order in which they begin.
    (f"<url>b{entry('d')}</url>", ["a", "b", "d", "c"]),
    (f"<url>b{entry('d')}{entry('e')}f</url>", ["a", "b", "d", "e", "c"]),
    (f"<url>b{entry('d')}e</url><loc>f</loc></url>", ["a", "b", "d", "f", "c"]),
    ("<url/><loc>b</loc></url>", ["a", "", "b", "c"]),
    # Other names.
    ("<urls>b</urls>", ["a", "c"]),
    ("<i:url>b</i:url>", ["a", "c"]),
    ("<url:x>b</url:x>", ["a", "c"]),
    ("<URL>b</URL>", ["a", "c"]),
    (f"<url>{entry('b')[5:-6]}<i:url>d</i:url></url>", ["a", "bd", "c"]),
    # Comments, CDATA and processing instructions contain no entries.
    (f"<!-- {entry('b')} -->", ["a", "c"]),
    (f"<![CDATA[ {entry('b')} ]]>", ["a", "c"]),
    (f"<?b {entry('b')} ?>", ["a", "c"]),
    ("<url><!-- </url> -->b<![CDATA[</url><url>]]></url>", ["a", "b</url><url>", "c"]),
    ("<!---->", ["a", "c"]),
    ("<!-->", ["a", "c"]),
    # Unclosed sections hide nothing.
    (f"<!-- {entry('b')}", ["a", "b", "c"]),
    (f"<![CDATA[ {entry('b')}", ["a", "b", "c"]),
    (f"<? {entry('b')}", ["a", "b", "c"]),
    # Unclosed tags hide nothing.
    (f"<{entry('b')}", ["a", "b", "c"]),
    (f"<url{entry('b')}", ["a", "b", "c"]),
    ("<url a=b>b</url>", ["a", "b", "c"]),
    ("<url a='1' a='2'>b</url>", ["a", "b", "c"]),
    ("<url><loc>b</lock></url>", ["a", "b", "c"]),
    ("<url><loc>b</loc></loc></url>", ["a", "b", "c"]),
]


@pytest.mark.parametrize("size", [1, 5, 65_536])
@pytest.mark.parametrize(("markup", "expected"), FILES)
def test_where_entries_begin_and_end(markup: str, expected: list[str], size: int) -> None:
    found = texts(urlset(entry("a"), markup, entry("c")), size=size)
    assert [text and text.strip() for text in found] == expected


def test_each_entry_has_its_line() -> None:
    closed = "<url>\n<loc>b\n</loc>\n</url>"
    body = urlset(
        entry("a"), "", closed, "<!--\n\n-->", entry("c"), "\n<loc>d</loc></url>", entry("e")
    )
    for size in (1, 10, 65_536):
        assert [line for line, _ in recovered(body, size=size)] == [3, 5, 12, 14, 15]


def test_an_incomplete_last_entry_is_skipped() -> None:
    whole = urlset(entry("https://example.com/a"), entry("https://example.com/b")).strip()
    ends = [whole.index("</url>"), whole.index("</url>", whole.index("/b"))]
    for size in range(len(whole)):
        complete = sum(end + len("</url>") <= size for end in ends)
        expected = ["https://example.com/a", "https://example.com/b"][:complete]
        assert texts(whole[:size]) == expected


def test_the_end_of_the_root_ends_an_entry() -> None:
    assert texts(urlset(entry("a"), "<url><loc>b</loc>")) == ["a", "b\n"]


# Names.


@pytest.mark.parametrize(
    ("prefixes", "name"),
    [({None: NAMESPACE}, "url"), ({"s": NAMESPACE}, "s:url"), ({"ü.-1": NAMESPACE}, "ü.-1:url")],
)
def test_entries_with_a_prefix_are_recovered(prefixes: dict[str | None, str], name: str) -> None:
    root = Root("urlset", NAMESPACE, prefixes, None)
    body = f"<{name}><x>a&</x></{name}><other:url>b</other:url><{name}>c</{name}>"
    assert recovered(body, root) == [(1, "a&"), (1, "c")]


def test_a_namespace_can_have_several_prefixes() -> None:
    root = Root("urlset", NAMESPACE, {None: NAMESPACE, "s": NAMESPACE, "i": IMAGE}, None)
    body = "<url>a</url><s:url>b</s:url><i:url>c</i:url><url>d</s:url>"
    assert [text for _, text in recovered(body, root)] == ["a", "b", "d"]


def test_entries_without_a_namespace_are_recovered() -> None:
    body = "<channel><item>a&b</item><x:item>c</x:item><item>d</item></channel>"
    assert recovered(body, Root("rss", None, {}, "2.0"), ("item",)) == [(1, "a&b"), (1, "d")]


def test_a_namespace_is_escaped() -> None:
    unusual = "a&b<c>'\"\n"
    root = Root("urlset", unusual, {None: unusual, "x": ""}, None)
    assert recovered("<url>a</url>", root, (f"{{{unusual}}}url",)) == [(1, "a")]


# Encodings.

ENCODED = entry("café")


@pytest.mark.parametrize(
    ("body", "encoding", "expected"),
    [
        (ENCODED.encode(), None, "café"),
        (ENCODED.encode(), "UTF-8", "café"),
        (ENCODED.encode(), "utf8", "café"),
        (ENCODED.encode("latin-1"), "ISO-8859-1", "café"),
        (ENCODED.encode("latin-1"), "latin1", "café"),
        (ENCODED.encode("cp1252"), "Windows-1252", "café"),
        (ENCODED.encode("utf-16-le"), "UTF-16LE", "café"),
        (ENCODED.encode("utf-16-be"), "UTF-16BE", "café"),
        (entry("表").encode("shift_jis"), "Shift_JIS", "表"),
        # Not the declared encoding, or not an encoding.
        (ENCODED.encode("latin-1"), "UTF-8", "caf\ufffd"),
        (ENCODED.encode("latin-1"), None, "caf\ufffd"),
        (ENCODED.encode(), "nonsense", "café"),
        (ENCODED.encode(), "hex", "café"),
        (ENCODED.encode(), "unicode_escape", "café"),
        (ENCODED.encode(), "idna", "café"),
        (ENCODED.encode(), "", "café"),
    ],
)
def test_entries_in_any_encoding_are_recovered(
    body: bytes, encoding: str | None, expected: str
) -> None:
    for size in (1, 3, 65_536):
        assert recovered(body, encoding=encoding, size=size) == [(1, expected)]


def test_an_entry_that_cannot_be_recovered_keeps_its_position() -> None:
    body = urlset(entry("a"), entry("<a>" * 300 + "</a>" * 300), entry("c"))
    assert texts(body) == ["a", None, "c"]


# Limits.


def test_an_endless_entry_is_skipped() -> None:
    body = urlset(entry("a"), f"<url>{'x' * (MAX_ELEMENT + 100_000)}</url>", entry("c"))
    assert texts(body) == ["a", "c"]


OPENINGS = ["<!-- ", "<![CDATA[ ", "<? ", "<url a='", "<url", "</url "]


@cache
def growth_by_opening() -> dict[str, int]:
    """Return the memory that each unclosed section takes."""
    codes = (
        f"""start = b"<urlset>" + {opening!r}.encode()
chunks = chain((start,), repeat(b"x" * 65_536, 400), (b"<url>a</url>",))
entries = recover_entries(chunks, Root("urlset", None, {{}}, None), ("url",), None)
assert [one.element.text for one in entries] == ['a']"""
        for opening in OPENINGS
    )
    prepare = """from sitemapaudit.sitemaps.recovery import recover_entries
from sitemapaudit.sitemaps.xml_stream import Root"""
    return dict(zip(OPENINGS, measure_each_growth(prepare, *codes), strict=True))


@pytest.mark.parametrize("opening", OPENINGS)
def test_an_unclosed_section_takes_bounded_memory(opening: str) -> None:
    assert growth_by_opening()[opening] < 5 * MAX_ELEMENT


REPEATED = [
    "<!--",
    "<![CDATA[",
    "<?",
    "<url",
    "<url ",
    "<url>",
    "</url>",
    "</url",
    "<",
    "&",
    "&#",
    "'",
]


@pytest.mark.parametrize(
    "repeated", [*REPEATED, "<a b='", "<url><a b=\"'", "<!-->", "]]>", "<a ", "\0"]
)
def test_no_markup_takes_long(repeated: str) -> None:
    body = urlset("<url>" + repeated * (100_000 // len(repeated)) + "</url>")
    with cpu_limit():
        texts(body)


# Any markup.


def chunks_of(body: bytes, sizes: list[int]) -> Iterator[bytes]:
    for size in sizes:
        yield body[:size]
        body = body[size:]
    yield body


@given(MARKUP, st.lists(st.integers(0, 9)))
def test_the_chunk_size_does_not_matter(markup: str, sizes: list[int]) -> None:
    body = urlset(entry("a"), markup, entry("b")).encode("utf-8", "replace")
    entries = [
        (one.line, None if one.element is None else text_of(one.element))
        for one in recover_entries(chunks_of(body, sizes), ROOT, (URL,), None)
    ]
    assert entries == recovered(body)
