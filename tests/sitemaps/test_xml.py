"""xml: elements of a file that nobody trusts, parsed strictly as a stream."""

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from lxml import etree

from sitemapaudit.sitemaps.xml import (
    CAUTIOUS,
    MAX_ELEMENT,
    Element,
    Elements,
    Root,
    Watch,
    line_of,
    root_of,
    split_tag,
    text_of,
    with_names,
)
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, growth_of, urlset

URL = f"{{{NAMESPACE}}}url"


def chunked(body: str | bytes, size: int = 65_536) -> Iterator[bytes]:
    data = body.encode() if isinstance(body, str) else body
    for start in range(0, len(data), size):
        yield data[start : start + size]


def texts(elements: Elements) -> list[str]:
    return ["".join(text_of(child) for child in element) for element in elements]


def parsed(body: str | bytes, size: int = 65_536) -> tuple[list[str], Elements]:
    elements = Elements(chunked(body, size), (URL,))
    return texts(elements), elements


# Elements.


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 65_536])
def test_elements_whatever_the_chunks(size: int) -> None:
    found, elements = parsed(urlset(*(entry(f"a{n}") for n in range(20))), size)
    assert found == [f"a{n}" for n in range(20)]
    assert elements.fault is None
    assert not elements.broke_off


def test_an_element_is_whole_when_it_is_handed_out() -> None:
    inner = f"<loc>a</loc>{'<lastmod>b</lastmod>' * 5_000}"
    found, _ = parsed(urlset(f"<url>{inner}</url>"), 100)
    assert found == ["a" + "b" * 5_000]


def test_an_element_tells_its_line() -> None:
    body = urlset(
        entry("a"), "", entry("b"), "<url>\n<loc>c</loc></url>", *[""] * 70_000, entry("d")
    )
    lines = [line_of(element) for element in Elements(chunked(body), (URL,))]
    assert lines == [3, 5, 6, 70_008]


FAULTS = [
    # What stands in line 4 behind a sound entry; "^" is where it cannot be XML any more.
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
@pytest.mark.parametrize("markup", FAULTS)
def test_the_first_fault_has_line_and_column(markup: str, size: int) -> None:
    sound, _, rest = markup.partition("^")
    found, elements = parsed(urlset(entry("a"), sound + rest, entry("&")), size)
    assert found[0] == "a"
    assert elements.fault is not None
    assert elements.fault.fatal
    assert elements.broke_off
    assert (elements.fault.line, elements.fault.column) == (4, len(sound) + 1)


def test_the_fault_of_a_file_in_one_long_line() -> None:
    sound = "".join(entry(f"a{n}") for n in range(10_000))
    found, elements = parsed(f'<urlset xmlns="{NAMESPACE}">{sound}<1/></urlset>')
    assert len(found) == 10_000
    assert elements.fault is not None
    assert elements.fault.line == 1
    assert elements.fault.column == len(f'<urlset xmlns="{NAMESPACE}">{sound}<1')


def test_the_fault_behind_a_thousand_lesser_ones_ends_the_parse() -> None:
    lesser = ["<url><x:loc/></url>"] * 1_000
    found, elements = parsed(urlset(*lesser, entry("&"), entry("b")))
    assert len(found) == 1_000
    assert elements.broke_off


def test_a_fault_is_told_without_the_piece_of_the_file() -> None:
    _, elements = parsed(urlset("<![CDATA[ open\nsecret"))
    assert elements.fault is not None
    assert "\n" not in elements.fault.message
    assert "secret" not in elements.fault.message


def test_an_undeclared_prefix_is_a_fault_that_loses_nothing() -> None:
    found, elements = parsed(urlset(entry("a"), "<url><x:loc/></url>", entry("b")))
    assert found == ["a", "", "b"]
    assert elements.fault is not None
    assert elements.fault.line == 4
    assert not elements.fault.fatal
    assert not elements.broke_off


def test_the_first_fault_counts_though_a_graver_one_follows() -> None:
    found, elements = parsed(urlset(entry("a"), "<url><x:loc/></url>", entry("&"), entry("b")))
    assert found == ["a", ""]
    assert elements.fault is not None
    assert elements.fault.line == 4
    assert elements.fault.fatal
    assert elements.broke_off


def test_a_file_that_breaks_off() -> None:
    whole = urlset(entry("a"), entry("b"))
    for size in range(whole.index("</url>") + len("</url>"), len(whole.rstrip())):
        found, elements = parsed(whole[:size])
        assert found == ["a", "b"][: whole[:size].count("</url>")]
        assert elements.broke_off


@pytest.mark.parametrize("body", [b"", b" ", b"text", b"<", b"\xff\xfe\xff", b"<?xml?>", b"&#1;"])
def test_what_is_no_xml(body: bytes) -> None:
    found, elements = parsed(body)
    assert found == []
    assert elements.broke_off


def test_an_entry_within_an_entry_ends_the_stream() -> None:
    nested = urlset(entry("a"), f"<url><loc>b</loc>{entry('c')}</url>", entry("d"))
    found, elements = parsed(nested)
    assert found == ["a"]
    assert elements.fault is None
    assert elements.nested
    assert elements.broke_off


def test_what_stands_among_the_elements_is_shown_as_it_goes() -> None:
    class Seen(Watch):
        def on_namespace(self, prefix: str | None, namespace: str) -> None:
            seen.append((prefix, namespace))

        def on_other(self, element: Element) -> None:
            seen.append((line_of(element), split_tag(element)[1]))

    seen: list[object] = []
    image = "<url><i:a xmlns:i='urn:i'/></url>"
    body = urlset("<a><c/></a>", image, "<b/>", "<b/>", image, "<c/>", "<b/>")
    others = (f"{{{NAMESPACE}}}c",)
    note = seen.append
    for element in Elements(chunked(body, 7), (URL,), others=others, watch=Seen()):
        note(split_tag(element)[1])
    a, b, c = (3, "a"), [(5, "b"), (6, "b")], [(8, "c"), (9, "b")]
    declared = ("i", "urn:i")
    assert [one for one in seen if one not in (declared, (None, NAMESPACE))] == [
        "url", a, "url", *b, *c
    ]  # fmt: skip
    assert seen[0] == (None, NAMESPACE)
    assert seen.count(declared) == 2


def test_a_parent_of_many_elements_is_dropped_with_them() -> None:
    group = f"<group>{entry('a')}{entry('b')}</group>"
    found, elements = parsed(urlset(*[group] * 3, entry("c")))
    assert found == ["a", "b"] * 3 + ["c"]
    assert not elements.broke_off


# Bounds.


@pytest.mark.parametrize("end", ["", "</a><a>"])
@pytest.mark.parametrize("start", ["<a>", "<url>", "<url><loc>", "<a><a>"])
def test_memory_does_not_grow_with_the_entries(start: str, end: str) -> None:
    grown = growth_of(
        f"""start = '<urlset xmlns="{NAMESPACE}">{start}'.encode()
chunk = (entry('a' * 100) + '<b>c</b>{end}').encode() * 400
elements = Elements(chain((start,), repeat(chunk, 200)), ('{URL}',))""",
        "for _ in elements: pass",
    )
    assert grown < 10_000_000


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

    elements = Elements(chunks(), (URL,))
    assert texts(elements) == ["a"]
    assert elements.fault is not None
    assert elements.fault.fatal
    assert read <= MAX_ELEMENT + 2 * 65_536


def test_a_fault_that_the_parser_holds_back_is_told_all_the_same() -> None:
    many = [entry(f"a{n}") for n in range(200_000)]
    found, elements = parsed(urlset(entry("a"), entry("?a=1&b"), *many))
    assert found == ["a"]
    assert elements.fault is not None
    assert (elements.fault.line, elements.fault.column) == (4, 17)


@pytest.mark.parametrize("depth", [300, 100_000])
def test_deep_nesting_is_a_fault(depth: int) -> None:
    found, elements = parsed(urlset(entry("a"), "<a>" * depth + "</a>" * depth, entry("b")))
    assert found == ["a"]
    assert elements.fault is not None
    assert elements.fault.fatal


# Entities.


def laughs(levels: int) -> str:
    """Return a DOCTYPE whose entity ``j`` has ten to the power of ``levels`` laughs."""
    names = "jihgfedcba"[: levels + 1]
    laughing = (f'<!ENTITY {one} "{f"&{other};" * 10}">' for one, other in pairwise(names))
    return f'<!DOCTYPE a [<!ENTITY {names[-1]} "ha">{"".join(laughing)}]>'


LAUGHS = laughs(3)
EXTERNAL = '<!DOCTYPE a [<!ENTITY j SYSTEM "file:///etc/passwd">]>'
REMOTE = '<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd" [<!ENTITY j "x">]>'


@pytest.mark.parametrize("doctype", [LAUGHS, EXTERNAL, REMOTE])
def test_an_entity_is_kept_by_name(doctype: str) -> None:
    found, _ = parsed(urlset(entry("a&j;b"), entry("&j;"), declaration=doctype))
    assert found == ["a&j;b", "&j;"]


@pytest.mark.parametrize("doctype", [LAUGHS, REMOTE])
def test_an_entity_in_an_attribute_is_kept_by_name(doctype: str) -> None:
    body = urlset('<url a="&lt;1&j;2&amp;3&#52;" b="5"/>', declaration=doctype)
    attributes = [dict(with_names(element).attrib) for element in Elements(chunked(body), (URL,))]
    assert attributes == [{"a": "<1&j;2&34", "b": "5"}]


def test_a_billion_laughs_are_not_laughed() -> None:
    body = urlset(entry("a"), entry("&j;"), "<url a='&j;'/>", declaration=laughs(9))
    begun = time.perf_counter()
    found, elements = parsed(body)
    assert time.perf_counter() - begun < 1
    assert len("".join(found)) < 10
    assert elements.fault is not None
    assert "amplification" in elements.fault.message


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
    ("a" * 3_000_000, "a" * 3_000_000),
]


@pytest.mark.parametrize(("markup", "expected"), TEXTS, ids=[text[:9] for text, _ in TEXTS])
def test_text(markup: str, expected: str) -> None:
    assert text_of(etree.fromstring(f"<a>{markup}</a>", etree.XMLParser(**CAUTIOUS))) == expected


def test_text_within_deep_markup() -> None:
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
def test_root(head: str, expected: Root) -> None:
    assert root_of(head.encode()) == expected


@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-8"])
def test_root_in_an_encoding(encoding: str) -> None:
    root = root_of("<?xml version='1.0' encoding='ascii'?><é/>".encode(encoding), encoding)
    assert root == Root("é", None, {}, None)


@pytest.mark.parametrize("head", [b"", b"<", b"text", b"<!-- <a/> -->", b"<urlset", b"</a>"])
def test_no_root(head: bytes) -> None:
    assert root_of(head) is None


@pytest.mark.parametrize("character", ["&#1;", "&#xD800;", "&#xFFFE;"])
def test_no_root_where_a_namespace_holds_what_is_no_character(character: str) -> None:
    assert root_of(f"<a xmlns='{character}'/>".encode()) is None
    assert root_of(f"<a xmlns:b='{character}'/>".encode()) is None
