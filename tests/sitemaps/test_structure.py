"""Unexpected elements between entries, and misspelled namespaces that entries use."""

import pytest

from sitemapaudit.items import NamespaceBinding, UnexpectedElement
from sitemapaudit.sitemaps.extensions import is_misspelled_namespace
from sitemapaudit.sitemaps.structure import MAX_NAMED
from sitemapaudit.sitemaps.xml_stream import MAX_ELEMENT
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, locs, measure_growth, read, urlset

A, B = "https://example.com/a", "https://example.com/b"
ONE, TWO = entry(A), entry(B)
GOOGLE = "http://www.google.com/schemas/sitemap-"
XHTML = "http://www.w3.org/1999/xhtml"


def unexpected_elements(*children: str) -> list[tuple[int, str]]:
    row, _ = read(urlset(*children))
    return [(element.line, element.name) for element in row.unexpected_elements]


# Unexpected elements.

UNEXPECTED = [
    ([ONE, TWO], []),
    ([], []),
    ([f"<sitemap><loc>{A}</loc></sitemap>"], [(3, "sitemap")]),
    ([ONE, f"<sitemap><loc>{A}</loc></sitemap>", TWO], [(4, "sitemap")]),
    ([ONE, TWO, "<sitemap/>"], [(5, "sitemap")]),
    (["<sitemap/>", ONE, "<sitemap/>", "<a/>"], [(3, "sitemap"), (5, "sitemap"), (6, "a")]),
    ([f"<loc>{A}</loc>"], [(3, "loc")]),
    ([ONE, "<URL/>", "<lastmod/>", TWO, "<a/>"], [(4, "URL"), (5, "lastmod"), (7, "a")]),
    ([f"<group>{ONE}</group>", TWO], [(3, "group")]),
    ([TWO, f"<group>{ONE}{ONE}</group>"], [(4, "group")]),
    ([f"<group>{ONE}</group>", f"<group>{ONE}</group>"], [(3, "group"), (4, "group")]),
    # Elements of other namespaces, and nodes that are not elements.
    (["<x:url xmlns:x='urn:x'/>", ONE, "<a xmlns='urn:x'/>"], []),
    # The schema allows no element without a namespace (XML Schema, "##other").
    ([ONE, "<a xmlns=''/>"], [(4, "a")]),
    ([ONE, "text", "<!-- <sitemap/> -->", "<?sitemap?>", TWO], []),
    # Elements within an entry are checked with the entry.
    (["<url><sitemap/><loc>c</loc></url>", ONE], []),
]  # fmt: skip


@pytest.mark.parametrize(("children", "expected"), UNEXPECTED)
def test_unexpected_elements_are_recorded(
    children: list[str], expected: list[tuple[int, str]]
) -> None:
    assert unexpected_elements(*children) == expected


def test_urls_in_an_index_are_unexpected() -> None:
    body = f"{DECLARATION}<sitemapindex xmlns='{NAMESPACE}'>\n{ONE}\n<sitemap/></sitemapindex>"
    row, entries = read(body)
    assert (row.unexpected_elements, len(entries)) == ([UnexpectedElement(3, "url")], 1)


def test_a_file_without_a_namespace_is_checked_too() -> None:
    row, _ = read(f"<urlset>{ONE}<b/><x:b xmlns:x='urn:x'/></urlset>")
    assert row.unexpected_elements == [UnexpectedElement(1, "b")]


def test_feeds_have_no_unexpected_elements() -> None:
    row, _ = read(f"<rss version='2.0'><channel><item><link>{A}</link></item></channel><a/></rss>")
    assert row.unexpected_elements == []


def test_the_number_of_recorded_elements_is_limited() -> None:
    assert len(unexpected_elements(*["<a/>"] * 30, ONE, *["<b/>"] * 30)) == 20


def test_elements_after_a_fatal_error_are_not_recorded() -> None:
    assert unexpected_elements("<a/>", ONE, "<a/>", TWO, "&", "<a/>") == [(3, "a"), (5, "a")]


def test_elements_after_an_undeclared_prefix_are_recorded() -> None:
    assert unexpected_elements("<x:url/>", ONE, "<a/>") == [(5, "a")]


def test_an_unexpected_entry_within_an_entry_damages_no_field() -> None:
    body = urlset(
        f"<url><loc>{A}</loc><sitemap><loc>c</loc></sitemap><lastmod>2026</lastmod></url>"
    )
    _, (only,) = read(body)
    assert (only.loc, only.lastmod, only.unknown_elements) == (A, "2026", ["sitemap"])


def test_a_long_index_with_the_wrong_root_is_well_formed() -> None:
    child = f"<sitemap><loc>{A}</loc></sitemap>"
    children = [child] * (MAX_ELEMENT // len(child) + 10_000)
    row, entries = read(urlset(*children, ONE))
    assert (row.xml_error, locs(entries)) == (None, [A])
    assert len(row.unexpected_elements) == MAX_NAMED


@pytest.mark.parametrize("repeated", ["<sitemap><loc>a</loc></sitemap>", "<g><url/></g>"])
def test_unexpected_elements_take_little_memory(repeated: str) -> None:
    grown = measure_growth(
        f"""body = compressed(["<url/>{repeated * 40}"] * 1_500)
row = Sitemap(SITEMAP)""",
        "for _ in SitemapReader(Response(SITEMAP, 200, body=body), row): pass\n"
        "assert row.xml_error is None and len(row.unexpected_elements) == 20",
    )
    assert grown < 10_000_000


# Namespaces of extensions.

BINDINGS = [
    # prefix, namespace, whether it is misspelled
    ("image", f"{GOOGLE}image/1.1", False),
    ("video", f"{GOOGLE}video/1.1", False),
    ("news", f"{GOOGLE}news/0.9", False),
    ("xhtml", XHTML, False),
    # Any prefix is allowed.
    ("i", f"{GOOGLE}image/1.1", False),
    (None, XHTML, False),
    # Another scheme, version, host or ending.
    ("image", f"{GOOGLE}image/1.1/", True),
    ("image", f"{GOOGLE}image/1.0", True),
    ("i", f"{GOOGLE}image/1.1".replace("http:", "https:"), True),
    ("v", f"{GOOGLE}video/1.0", True),
    (None, f"{GOOGLE}news/0.8", True),
    ("n", "http://google.com/schemas/sitemap-news/0.9", True),
    ("n", f"{GOOGLE}News/0.9", True),
    ("x", "https://www.w3.org/1999/xhtml", True),
    ("x", f"{XHTML}/", True),
    ("x", "http://www.w3.org/2002/06/xhtml2", True),
    ("x", "http://www.w3.org/TR/xhtml11/xhtml11_schema.html", True),
    # Another address under a usual prefix.
    ("image", "urn:image", True),
    ("image", f"{GOOGLE}video/1.1", True),
    ("xhtml", "http://www.w3.org/2005/Atom", True),
    # Other extensions.
    ("mobile", f"{GOOGLE}mobile/1.0", False),
    ("pagemap", f"{GOOGLE}pagemap/1.0", False),
    ("imagery", "urn:image", False),
    (None, NAMESPACE, False),
    ("xsi", "http://www.w3.org/2001/XMLSchema-instance", False),
]


@pytest.mark.parametrize(("prefix", "namespace", "expected"), BINDINGS)
def test_misspelled_namespaces(prefix: str | None, namespace: str, expected: bool) -> None:
    assert is_misspelled_namespace(prefix, namespace) is expected


WRONG = f"{GOOGLE}image/1.0"
OTHER = f"{GOOGLE}video/1.0"
IMAGE = "<image:image/>"
USES = [
    # attributes of the root, children, the misspelled namespaces in use
    (f" xmlns:image='{WRONG}'", [ONE], []),
    (f" xmlns:image='{WRONG}'", [ONE, IMAGE, f"<x>{IMAGE}</x>"], []),
    (f" xmlns:image='{WRONG}'", [f"<url>{IMAGE}</url>"], [("image", WRONG)]),
    (f" xmlns:image='{WRONG}'", [f"<url>{IMAGE * 2}</url>"] * 3, [("image", WRONG)]),
    (f" xmlns:image='{WRONG}'", [f"<url><a><b>{IMAGE}</b></a></url>"], [("image", WRONG)]),
    (f" xmlns:image='{WRONG}' xmlns:i='{WRONG}'", ["<url><i:image/></url>"], [("i", WRONG)]),
    (
        f" xmlns:image='{WRONG}' xmlns:video='{OTHER}'",
        ["<url><video:video/></url>", f"<url>{IMAGE}</url>"],
        [("video", OTHER), ("image", WRONG)],
    ),
    (" xmlns:image='urn:x'", [f"<url>{IMAGE}</url>"], [("image", "urn:x")]),
    # Declared on the element that uses it.
    ("", [ONE, f"<url><i:image xmlns:i='{WRONG}'/></url>"], [("i", WRONG)]),
    ("", [f"<url xmlns:image='{WRONG}'>{IMAGE}</url>"] * 2, [("image", WRONG)]),
    ("", [f"<url><image xmlns='{WRONG}'><loc/></image></url>"], [(None, WRONG)]),
    # The right namespace is used; a misspelled one is declared with another prefix.
    (f" xmlns:a='{WRONG}' xmlns:image='{GOOGLE}image/1.1'", [f"<url>{IMAGE}</url>"], []),
]


@pytest.mark.parametrize(("attributes", "children", "expected"), USES)
def test_misspelled_namespaces_in_use_are_recorded(
    attributes: str, children: list[str], expected: list[tuple[str | None, str]]
) -> None:
    row, _ = read(urlset(*children, attributes=attributes))
    assert row.xml_error is None
    assert row.wrong_namespaces == [NamespaceBinding(*pair) for pair in expected]


def test_a_misspelled_namespace_after_an_error_is_recorded() -> None:
    row, _ = read(urlset(entry("&"), f"<url>{IMAGE}</url>", attributes=f" xmlns:image='{WRONG}'"))
    assert row.wrong_namespaces == [NamespaceBinding("image", WRONG)]


def test_the_namespace_of_the_file_is_not_an_extension() -> None:
    body = f"<image:urlset xmlns:image='{NAMESPACE}'><image:url><image:loc/></image:url>"
    row, entries = read(f"{body}</image:urlset>")
    assert (len(entries), row.wrong_namespaces) == (1, [])


def test_feeds_are_not_checked() -> None:
    body = f"<rss version='2.0' xmlns:image='{WRONG}'><channel><item>{IMAGE}</item></channel></rss>"
    assert read(body)[0].wrong_namespaces == []


def test_the_number_of_recorded_namespaces_is_limited() -> None:
    children = (f"<url><i:i xmlns:i='{WRONG}{number}'/></url>" for number in range(50))
    row, _ = read(urlset(*children))
    assert len(row.wrong_namespaces) == 20
