"""The elements of an untrusted file, parsed strictly as a stream."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product

import pytest
from lxml import etree

from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.sitemaps.xml_stream import (
    MAX_ELEMENT,
    SAFE_OPTIONS,
    Element,
    ElementStream,
    ParseListener,
    Root,
    keep_entity_names,
    line_of,
    root_of,
    split_tag,
    text_of,
)
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, measure_each_growth, urlset
from tests.support.effort import cpu_limit

URL = f"{{{NAMESPACE}}}url"


def split_chunks(body: str | bytes, size: int = 65_536) -> Iterator[bytes]:
    data = body.encode() if isinstance(body, str) else body
    for start in range(0, len(data), size):
        yield data[start : start + size]


def texts(elements: ElementStream) -> list[str]:
    return ["".join(text_of(child) for child in element) for element in elements]


def parse(body: str | bytes, size: int = 65_536) -> tuple[list[str], ElementStream]:
    elements = ElementStream(split_chunks(body, size), (URL,))
    return texts(elements), elements


# Elements.


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 65_536])
def test_elements_are_read_from_chunks_of_any_size(size: int) -> None:
    found, elements = parse(urlset(*(entry(f"a{n}") for n in range(20))), size)
    assert found == [f"a{n}" for n in range(20)]
    assert elements.error is None
    assert not elements.is_incomplete


def test_an_element_is_complete_when_it_is_yielded() -> None:
    inner = f"<loc>a</loc>{'<lastmod>b</lastmod>' * 5_000}"
    found, _ = parse(urlset(f"<url>{inner}</url>"), 100)
    assert found == ["a" + "b" * 5_000]


def test_an_element_has_its_line() -> None:
    body = urlset(
        entry("a"), "", entry("b"), "<url>\n<loc>c</loc></url>", *[""] * 70_000, entry("d")
    )
    lines = [line_of(element) for element in ElementStream(split_chunks(body), (URL,))]
    assert lines == [3, 5, 6, 70_008]


ERRORS = [
    # Line 4 after a valid entry; "^" is where it stops being well-formed.
    entry("?a=1&b^=2"),
    entry("a&^"),
    entry("a &^ b"),
    entry("a<b^</loc>"),
    entry("a^\x01b"),
    entry("a^\ufffeb"),
    entry("a&#1;^b"),
    entry("a&b;^c"),
    entry("<b></c>^"),
    "<url><loc>a</url>^",
    "<url a=^b>",
    "<url a='^<'>",
    "<url a='1' a='2'^>",
    "<url a='1'^b='2'>",
    "</urlset> ^<b/>",
    "^]]>",
    "<!-- a ^-- b -->",
    "<^1/>",
    "<^ url/>",
    "</urls>^",
]


@pytest.mark.parametrize("size", [1, 65_536])
@pytest.mark.parametrize("markup", ERRORS)
def test_the_first_error_has_a_line_and_a_column(markup: str, size: int) -> None:
    before, _, after = markup.partition("^")
    found, elements = parse(urlset(entry("a"), before + after, entry("&")), size)
    assert found[0] == "a"
    assert elements.error is not None
    assert elements.error.fatal
    assert elements.is_incomplete
    assert (elements.error.line, elements.error.column) == (4, len(before) + 1)


def test_the_error_of_a_file_with_one_long_line() -> None:
    valid = "".join(entry(f"a{n}") for n in range(10_000))
    found, elements = parse(f'<urlset xmlns="{NAMESPACE}">{valid}<1/></urlset>')
    assert len(found) == 10_000
    assert elements.error is not None
    assert elements.error.line == 1
    assert elements.error.column == len(f'<urlset xmlns="{NAMESPACE}">{valid}<1')


def test_a_fatal_error_after_a_thousand_others_ends_the_parse() -> None:
    others = ["<url><x:loc/></url>"] * 1_000
    found, elements = parse(urlset(*others, entry("&"), entry("b")))
    assert len(found) == 1_000
    assert elements.is_incomplete


def test_an_error_message_does_not_quote_the_file() -> None:
    _, elements = parse(urlset("<![CDATA[ open\nsecret"))
    assert elements.error is not None
    assert "\n" not in elements.error.message
    assert "secret" not in elements.error.message


def test_an_undeclared_prefix_loses_no_element() -> None:
    found, elements = parse(urlset(entry("a"), "<url><x:loc/></url>", entry("b")))
    assert found == ["a", "", "b"]
    assert elements.error is not None
    assert elements.error.line == 4
    assert not elements.error.fatal
    assert not elements.is_incomplete


def test_the_first_error_is_kept_if_a_fatal_one_follows() -> None:
    found, elements = parse(urlset(entry("a"), "<url><x:loc/></url>", entry("&"), entry("b")))
    assert found == ["a", ""]
    assert elements.error is not None
    assert elements.error.line == 4
    assert elements.error.fatal
    assert elements.is_incomplete


def test_a_truncated_file_is_incomplete() -> None:
    whole = urlset(entry("a"), entry("b"))
    for size in range(whole.index("</url>") + len("</url>"), len(whole.rstrip())):
        found, elements = parse(whole[:size])
        assert found == ["a", "b"][: whole[:size].count("</url>")]
        assert elements.is_incomplete


@pytest.mark.parametrize("body", [b"", b" ", b"text", b"<", b"\xff\xfe\xff", b"<?xml?>", b"&#1;"])
def test_other_content_is_incomplete(body: bytes) -> None:
    found, elements = parse(body)
    assert found == []
    assert elements.is_incomplete


def test_an_entry_within_an_entry_ends_the_stream() -> None:
    nested = urlset(entry("a"), f"<url><loc>b</loc>{entry('c')}</url>", entry("d"))
    found, elements = parse(nested)
    assert found == ["a"]
    assert elements.error is None
    assert elements.nested
    assert elements.is_incomplete


def test_the_listener_receives_everything_between_the_elements() -> None:
    class Recorder(ParseListener):
        def on_namespace(self, prefix: str | None, namespace: str) -> None:
            received.append((prefix, namespace))

        def on_other_child(self, element: Element) -> None:
            received.append((line_of(element), split_tag(element)[1]))

    received: list[object] = []
    image = "<url><i:a xmlns:i='urn:i'/></url>"
    body = urlset("<a><c/></a>", image, "<b/>", "<b/>", image, "<c/>", "<b/>")
    misplaced = (f"{{{NAMESPACE}}}c",)
    record = received.append
    for element in ElementStream(
        split_chunks(body, 7), (URL,), misplaced_tags=misplaced, listener=Recorder()
    ):
        record(split_tag(element)[1])
    a, b, c = (3, "a"), [(5, "b"), (6, "b")], [(8, "c"), (9, "b")]
    declared = ("i", "urn:i")
    assert [one for one in received if one not in (declared, (None, NAMESPACE))] == [
        "url", a, "url", *b, *c
    ]  # fmt: skip
    assert received[0] == (None, NAMESPACE)
    assert received.count(declared) == 2


def test_a_parent_of_many_elements_is_dropped_with_them() -> None:
    group = f"<group>{entry('a')}{entry('b')}</group>"
    found, elements = parse(urlset(*[group] * 3, entry("c")))
    assert found == ["a", "b"] * 3 + ["c"]
    assert not elements.is_incomplete


# Limits.


STARTS = ["<a>", "<url>", "<url><loc>", "<a><a>"]
ENDS = ["", "</a><a>"]


@cache
def growth_by_parts() -> dict[tuple[str, str], int]:
    """Return the memory that many entries take, by what precedes them and by the end of each."""
    parts = list(product(STARTS, ENDS))
    codes = (
        f"""start = '<urlset xmlns="{NAMESPACE}">{start}'.encode()
chunk = (entry('a' * 100) + '<b>c</b>{end}').encode() * 400
for _ in ElementStream(chain((start,), repeat(chunk, 100)), ('{URL}',)): pass"""
        for start, end in parts
    )
    return dict(zip(parts, measure_each_growth("", *codes), strict=True))


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("start", STARTS)
def test_memory_does_not_grow_with_the_entries(start: str, end: str) -> None:
    assert growth_by_parts()[start, end] < 10_000_000


@pytest.mark.parametrize(
    "endless", [b"<a/>", b"<a>", b"text ", b"<!-- ", b"<![CDATA[ ", b"&a", b"<url><loc>", b"<a b='"]
)
def test_a_file_without_a_finished_entry_ends(endless: bytes) -> None:
    chunk = endless * (65_536 // len(endless))
    read = 0

    def chunks() -> Iterator[bytes]:
        nonlocal read
        yield urlset(entry("a")).removesuffix("</urlset>\n").encode()
        for _ in range(1_000):
            read += len(chunk)
            yield chunk

    elements = ElementStream(chunks(), (URL,))
    assert texts(elements) == ["a"]
    assert elements.error is not None
    assert elements.error.fatal
    assert read <= MAX_ELEMENT + 2 * 65_536


def test_an_error_that_libxml2_withholds_is_reported() -> None:
    many = [entry(f"a{n}") for n in range(200_000)]
    found, elements = parse(urlset(entry("a"), entry("?a=1&b"), *many))
    assert found == ["a"]
    assert elements.error is not None
    assert (elements.error.line, elements.error.column) == (4, 17)


@pytest.mark.parametrize("depth", [300, 100_000])
def test_deep_nesting_is_a_fatal_error(depth: int) -> None:
    found, elements = parse(urlset(entry("a"), "<a>" * depth + "</a>" * depth, entry("b")))
    assert found == ["a"]
    assert elements.error is not None
    assert elements.error.fatal


# Entities.


def laughs(levels: int) -> str:
    """Return a DOCTYPE with an entity ``j`` that expands to 10 ** ``levels`` laughs."""
    names = "jihgfedcba"[: levels + 1]
    entities = (f'<!ENTITY {one} "{f"&{other};" * 10}">' for one, other in pairwise(names))
    return f'<!DOCTYPE a [<!ENTITY {names[-1]} "ha">{"".join(entities)}]>'


LAUGHS = laughs(3)
EXTERNAL = '<!DOCTYPE a [<!ENTITY j SYSTEM "file:///etc/passwd">]>'
REMOTE = '<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd" [<!ENTITY j "x">]>'


@pytest.mark.parametrize("doctype", [LAUGHS, EXTERNAL, REMOTE])
def test_an_entity_in_text_is_kept_by_name(doctype: str) -> None:
    found, _ = parse(urlset(entry("a&j;b"), entry("&j;"), declaration=doctype))
    assert found == ["a&j;b", "&j;"]


@pytest.mark.parametrize("doctype", [LAUGHS, REMOTE])
def test_an_entity_in_an_attribute_is_kept_by_name(doctype: str) -> None:
    body = urlset('<url a="&lt;1&j;2&amp;3&#52;" b="5"/>', declaration=doctype)
    attributes = [
        dict(keep_entity_names(element).attrib)
        for element in ElementStream(split_chunks(body), (URL,))
    ]
    assert attributes == [{"a": "<1&j;2&34", "b": "5"}]


def test_a_billion_laughs_are_not_expanded() -> None:
    body = urlset(entry("a"), entry("&j;"), "<url a='&j;'/>", declaration=laughs(9))
    with cpu_limit():
        found, elements = parse(body)
    assert len("".join(found)) < 10
    assert elements.error is not None
    assert "amplification" in elements.error.message


# Text.

TEXTS = [
    ("a", "a"),
    ("", ""),
    (" a\n b ", " a\n b "),
    ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"),
    ("&#65;&#x42;&#233;", "ABé"),
    ("<![CDATA[a&b<c>&amp;]]>", "a&b<c>&amp;"),
    ("a<![CDATA[b]]>c", "abc"),
    ("a<!-- b -->c<!---->", "ac"),
    ("a<?b c?>d", "ad"),
    ("a<b>c<d/>e</b>f", "acef"),
    ("a\r\nb\rc", "a\nb\nc"),
    ("a" * 3_000_000, "a" * (MAX_TEXT + 1)),
]


@pytest.mark.parametrize(("markup", "expected"), TEXTS, ids=[text[:9] for text, _ in TEXTS])
def test_the_text_of_an_element(markup: str, expected: str) -> None:
    assert (
        text_of(etree.fromstring(f"<a>{markup}</a>", etree.XMLParser(**SAFE_OPTIONS))) == expected
    )


def test_the_text_of_deeply_nested_elements() -> None:
    deep = "<a>" * 200 + "b" + "</a>" * 200
    assert text_of(etree.fromstring(f"<a>{deep}</a>")) == "b"


# The root.

ROOTS = [
    (f'<urlset xmlns="{NAMESPACE}"/>', Root("urlset", NAMESPACE, {None: NAMESPACE}, None)),
    (f'<s:urlset xmlns:s="{NAMESPACE}"/>', Root("urlset", NAMESPACE, {"s": NAMESPACE}, None)),
    ("<urlset>", Root("urlset", None, {}, None)),
    ("<rss version='2.0'>", Root("rss", None, {}, "2.0")),
    ("<a xmlns='b' xmlns:c='d' c:version='e'/>", Root("a", "b", {None: "b", "c": "d"}, None)),
    ("<!-- a --><?b?><!DOCTYPE c><c/>", Root("c", None, {}, None)),
    (f"{DECLARATION}{DECLARATION}<a/>", Root("a", None, {}, None)),
    ("<b:a c:version='1'>", Root("b:a", None, {}, None)),
    ("<a>&<b></c>", Root("a", None, {}, None)),
    (f"{LAUGHS}<a version='&j;'/>", Root("a", None, {}, "&j;")),
]


@pytest.mark.parametrize(("head", "expected"), ROOTS)
def test_the_root_of_a_file(head: str, expected: Root) -> None:
    assert root_of(head.encode()) == expected


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-8"])
def test_the_root_in_any_encoding(encoding: str) -> None:
    root = root_of("<?xml version='1.0' encoding='ascii'?><é/>".encode(encoding), encoding)
    assert root == Root("é", None, {}, None)


@pytest.mark.parametrize("head", [b"", b"<", b"text", b"<!-- <a/> -->", b"<urlset", b"</a>"])
def test_files_without_a_root(head: bytes) -> None:
    assert root_of(head) is None


@pytest.mark.parametrize("character", ["&#1;", "&#xD800;", "&#xFFFE;"])
def test_a_namespace_with_an_invalid_character_has_no_root(character: str) -> None:
    assert root_of(f"<a xmlns='{character}'/>".encode()) is None
    assert root_of(f"<a xmlns:b='{character}'/>".encode()) is None
