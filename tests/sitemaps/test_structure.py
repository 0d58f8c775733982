"""structure: what stands among the entries, and which wrong namespaces they use."""

import pytest

from sitemapaudit.items import Binding, Stranger
from sitemapaudit.sitemaps.extensions import is_wrong_form
from sitemapaudit.sitemaps.structure import MAX_NAMED
from sitemapaudit.sitemaps.xml import MAX_ELEMENT
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, growth_of, locs, read, urlset

A, B = "https://example.com/a", "https://example.com/b"
ONE, TWO = entry(A), entry(B)
GOOGLE = "http://www.google.com/schemas/sitemap-"
XHTML = "http://www.w3.org/1999/xhtml"


def strangers(*children: str) -> list[tuple[int, str]]:
    row, _ = read(urlset(*children))
    return [(stranger.line, stranger.name) for stranger in row.strangers]


# Strangers.

STRANGERS = [
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
    # Other namespaces may stand there, and so may what is no element.
    (["<x:url xmlns:x='urn:x'/>", ONE, "<a xmlns='urn:x'/>", "<a xmlns=''/>"], []),
    ([ONE, "text", "<!-- <sitemap/> -->", "<?sitemap?>", TWO], []),
    # Within an entry it is the entry's matter.
    (["<url><sitemap/><loc>c</loc></url>", ONE], []),
]  # fmt: skip


@pytest.mark.parametrize(("children", "expected"), STRANGERS)
def test_strangers_among_entries(children: list[str], expected: list[tuple[int, str]]) -> None:
    assert strangers(*children) == expected


def test_an_index_with_urls() -> None:
    body = f"{DECLARATION}<sitemapindex xmlns='{NAMESPACE}'>\n{ONE}\n<sitemap/></sitemapindex>"
    row, entries = read(body)
    assert (row.strangers, len(entries)) == ([Stranger(3, "url")], 1)


def test_a_file_without_a_namespace_has_strangers_too() -> None:
    row, _ = read(f"<urlset>{ONE}<b/><x:b xmlns:x='urn:x'/></urlset>")
    assert row.strangers == [Stranger(1, "b")]


def test_feeds_have_none() -> None:
    row, _ = read(f"<rss version='2.0'><channel><item><link>{A}</link></item></channel><a/></rss>")
    assert row.strangers == []


def test_so_many_strangers_are_named_and_no_more() -> None:
    assert len(strangers(*["<a/>"] * 30, ONE, *["<b/>"] * 30)) == MAX_NAMED


def test_strangers_behind_a_fault_are_not_known() -> None:
    assert strangers("<a/>", ONE, "<a/>", TWO, "&", "<a/>") == [(3, "a"), (5, "a")]


def test_strangers_before_a_prefix_that_is_not_declared_are() -> None:
    assert strangers("<x:url/>", ONE, "<a/>") == [(5, "a")]


def test_an_entry_that_is_a_stranger_within_an_entry_harms_no_field() -> None:
    body = urlset(
        f"<url><loc>{A}</loc><sitemap><loc>c</loc></sitemap><lastmod>2026</lastmod></url>"
    )
    _, (only,) = read(body)
    assert (only.loc, only.lastmod, only.unknown) == (A, "2026", ["sitemap"])


def test_a_long_index_under_the_wrong_root_is_well_formed() -> None:
    child = f"<sitemap><loc>{A}</loc></sitemap>"
    children = [child] * (MAX_ELEMENT // len(child) + 10_000)
    row, entries = read(urlset(*children, ONE))
    assert (row.fault, locs(entries)) == (None, [A])
    assert len(row.strangers) == MAX_NAMED


@pytest.mark.parametrize("repeated", ["<sitemap><loc>a</loc></sitemap>", "<g><url/></g>"])
def test_strangers_take_little_memory(repeated: str) -> None:
    grown = growth_of(
        f"""body = packed(["<url/>{repeated * 40}"] * 6_000)
row = Sitemap(SITEMAP)""",
        "for _ in SitemapReader(Answer(SITEMAP, 200, body=body), row): pass\n"
        "assert row.fault is None and len(row.strangers) == 20",
    )
    assert grown < 10_000_000


# Namespaces of extensions.

FORMS = [
    # prefix, namespace, whether it is a wrong form
    ("image", f"{GOOGLE}image/1.1", False),
    ("video", f"{GOOGLE}video/1.1", False),
    ("news", f"{GOOGLE}news/0.9", False),
    ("xhtml", XHTML, False),
    # Any prefix will do.
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


@pytest.mark.parametrize(("prefix", "namespace", "expected"), FORMS)
def test_wrong_forms(prefix: str | None, namespace: str, expected: bool) -> None:
    assert is_wrong_form(prefix, namespace) is expected


WRONG = f"{GOOGLE}image/1.0"
OTHER = f"{GOOGLE}video/1.0"
IMAGE = "<image:image/>"
USES = [
    # attributes of the root, children, what is used
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
    # Declared where it is used.
    ("", [ONE, f"<url><i:image xmlns:i='{WRONG}'/></url>"], [("i", WRONG)]),
    ("", [f"<url xmlns:image='{WRONG}'>{IMAGE}</url>"] * 2, [("image", WRONG)]),
    ("", [f"<url><image xmlns='{WRONG}'><loc/></image></url>"], [(None, WRONG)]),
    # The right one, though a wrong one is declared under another prefix.
    (f" xmlns:a='{WRONG}' xmlns:image='{GOOGLE}image/1.1'", [f"<url>{IMAGE}</url>"], []),
]


@pytest.mark.parametrize(("attributes", "children", "expected"), USES)
def test_wrong_namespaces_in_use(
    attributes: str, children: list[str], expected: list[tuple[str | None, str]]
) -> None:
    row, _ = read(urlset(*children, attributes=attributes))
    assert row.fault is None
    assert row.wrong_namespaces == [Binding(*pair) for pair in expected]


def test_a_wrong_namespace_behind_a_fault() -> None:
    row, _ = read(urlset(entry("&"), f"<url>{IMAGE}</url>", attributes=f" xmlns:image='{WRONG}'"))
    assert row.wrong_namespaces == [Binding("image", WRONG)]


def test_the_namespace_of_the_file_is_no_extension() -> None:
    body = f"<image:urlset xmlns:image='{NAMESPACE}'><image:url><image:loc/></image:url>"
    row, entries = read(f"{body}</image:urlset>")
    assert (len(entries), row.wrong_namespaces) == (1, [])


def test_feeds_are_not_judged() -> None:
    body = f"<rss version='2.0' xmlns:image='{WRONG}'><channel><item>{IMAGE}</item></channel></rss>"
    assert read(body)[0].wrong_namespaces == []


def test_so_many_namespaces_are_named_and_no_more() -> None:
    children = (f"<url><i:i xmlns:i='{WRONG}{number}'/></url>" for number in range(50))
    row, _ = read(urlset(*children))
    assert len(row.wrong_namespaces) == MAX_NAMED
