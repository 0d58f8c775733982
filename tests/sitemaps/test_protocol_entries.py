"""Entries are checked against the schemas sitemap.xsd and siteindex.xsd."""

import pytest

from sitemapaudit.items import Entry
from sitemapaudit.sitemaps.structure import MAX_NAMED
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, locs, read, urlset

A, B = "https://example.com/a", "https://example.com/b"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
BOUND = f" xmlns:s='{NAMESPACE}' xmlns:image='{IMAGE}' xmlns:v='{VIDEO}' xmlns:n='{NEWS}'"
BOUND += f" xmlns:xhtml='{XHTML}' xmlns:x='urn:x'"

LOC, LASTMOD = f"<loc>{A}</loc>", "<lastmod>2026</lastmod>"
FREQUENCY, PRIORITY = "<changefreq>daily</changefreq>", "<priority>1</priority>"
PICTURE = "<image:image><image:loc>i</image:loc></image:image>"


def read_entry(markup: str) -> Entry:
    """Return the entry of a urlset with this markup."""
    row, (only,) = read(urlset(f"<url>{markup}</url>", attributes=BOUND))
    assert row.xml_error is None
    return only


# Elements that the schema does not allow.

UNKNOWN = [
    (LOC, []),
    (LOC + LASTMOD + FREQUENCY + PRIORITY + PICTURE, []),
    (f"{LOC}<news/>", ["news"]),
    (f"{LOC}<Priority>1</Priority>", ["Priority"]),
    (f"{LOC}<s:expires>2026</s:expires>", ["expires"]),
    (f"{LOC}<news/><a/><news/>", ["news", "a"]),
    ("<sitemap/>", ["sitemap"]),
    # Children of an unknown element belong to it.
    (f"{LOC}<image><loc>i</loc></image>", ["image"]),
    # Within a field, or within an extension.
    (f"<loc>{A}<b/></loc>", ["loc/b"]),
    (f"<loc>{A}<b><i/></b></loc>", ["loc/b", "loc/b/i"]),
    (f"{LOC}<image:image><loc>i</loc></image:image>", ["image:image/loc"]),
    (
        f"{LOC}<image:image><image:loc>i<s:title/></image:loc></image:image>",
        ["image:image/image:loc/title"],
    ),
    (f"{LOC}<v:video><v:title/><title/></v:video>", ["v:video/title"]),
    (
        f"{LOC}<v:video><v:title><b/></v:title></v:video>",
        ["v:video/v:title/b"],
    ),
    (
        f"{LOC}<n:news><n:publication><name/></n:publication></n:news>",
        ["n:news/n:publication/name"],
    ),
    (f"{LOC}<xhtml:link href='{A}'><loc/></xhtml:link>", ["xhtml:link/loc"]),
    (f"{LOC}<x:a><x:b><loc/></x:b></x:a>", ["x:a/x:b/loc"]),
    (f"{LOC}<image xmlns='{IMAGE}'><loc xmlns='{NAMESPACE}'/></image>", ["image/loc"]),
    # Elements without a namespace.
    (f"{LOC}<a xmlns=''/>", ["a"]),
    # The schema allows other namespaces.
    (f"{LOC}<x:loc/><x:a><x:loc/></x:a>", []),
    (f"{LOC}<image:caption/>", []),
    (f"{LOC}<image:image><image:unknown/></image:image>", []),
]


@pytest.mark.parametrize(("markup", "expected"), UNKNOWN)
def test_unknown_elements_are_recorded(markup: str, expected: list[str]) -> None:
    only = read_entry(markup)
    assert list(only.unknown_elements) == expected
    assert (only.repeated_elements, only.out_of_order) == ((), False)


@pytest.mark.parametrize("unknown", ["<a{}/>", "<loc><a{}/></loc>", "<x:a><a{}/></x:a>"])
def test_the_number_of_recorded_elements_is_limited(unknown: str) -> None:
    only = read_entry("".join(unknown.format(number) for number in range(50)))
    assert len(only.unknown_elements) == MAX_NAMED == len(set(only.unknown_elements))


def read_index_entry(markup: str) -> Entry:
    """Return the entry of a sitemap index with this markup."""
    body = f"{DECLARATION}<sitemapindex xmlns='{NAMESPACE}'><sitemap>{markup}</sitemap>"
    _, (only,) = read(body + "</sitemapindex>")
    return only


def test_an_index_entry_allows_fewer_elements() -> None:
    only = read_index_entry(LOC + LASTMOD + FREQUENCY + PRIORITY)
    assert only.unknown_elements == ["changefreq", "priority"]
    assert (only.loc, only.changefreq, only.priority) == (A, "daily", "1")
    assert read_index_entry(LOC + LASTMOD).unknown_elements == ()


@pytest.mark.parametrize("namespace", ["", "http://www.google.com/schemas/sitemap/0.84"])
def test_a_wrong_namespace_allows_the_same_elements(namespace: str) -> None:
    bound = f" xmlns='{namespace}'" if namespace else ""
    markup = f"{LASTMOD}{LOC}<b/>{LASTMOD}"
    _, (only,) = read(f"<urlset{bound}><url>{markup}</url></urlset>")
    assert (only.unknown_elements, only.repeated_elements, only.out_of_order) == (
        ["b"],
        ["lastmod"],
        True,
    )


# Repeated fields.

REPEATED = [
    (LOC + LOC, ["loc"]),
    (LOC + LOC + LOC, ["loc"]),
    (f"<loc/>{LOC}", ["loc"]),
    (f"{LOC}<s:loc>{A}</s:loc>", ["loc"]),
    (LOC + LASTMOD * 2 + FREQUENCY * 2 + PRIORITY * 2, ["lastmod", "changefreq", "priority"]),
    (LOC + PICTURE * 3, []),
    (f"{LOC}<x:loc/><x:loc/>", []),
]


@pytest.mark.parametrize(("markup", "expected"), REPEATED)
def test_repeated_fields_are_recorded(markup: str, expected: list[str]) -> None:
    only = read_entry(markup)
    assert list(only.repeated_elements) == expected
    assert (only.unknown_elements, only.out_of_order) == ((), False)


# Order.

ORDERS = [
    (LOC, False),
    (LOC + PRIORITY, False),
    (LOC + LASTMOD + FREQUENCY + PRIORITY, False),
    (LOC + LASTMOD + FREQUENCY + PRIORITY + PICTURE + "<x:a/>" + PICTURE, False),
    (LASTMOD + LOC, True),
    (LOC + FREQUENCY + LASTMOD, True),
    (LOC + PRIORITY + LASTMOD, True),
    (LOC + PRIORITY + FREQUENCY, True),
    (PICTURE + LOC, True),
    (LOC + PICTURE + LASTMOD, True),
    (LOC + f"<xhtml:link href='{A}'/>" + LASTMOD, True),
    (LOC + "<x:a/>" + PRIORITY, True),
    # Repeated and unknown elements do not break the order.
    (LOC + LASTMOD + LOC, False),
    (LOC + "<a/>" + LASTMOD, False),
]


@pytest.mark.parametrize(("markup", "expected"), ORDERS)
def test_the_order_of_fields(markup: str, expected: bool) -> None:
    assert read_entry(markup).out_of_order is expected


# After an error.


def test_an_entry_after_an_error_is_checked_too() -> None:
    body = urlset(entry("&"), f"<url>{LASTMOD}{LOC}<b/>{LASTMOD}</url>")
    _, (_, only) = read(body)
    assert only.recovered
    assert (only.unknown_elements, only.repeated_elements, only.out_of_order) == (
        ["b"],
        ["lastmod"],
        True,
    )


def test_a_rearranged_entry_is_not_checked() -> None:
    markup = f"<url><loc>{A}<priority>1</priority></loc>{LASTMOD}<b/></url>"
    _, (_, only) = read(urlset(entry("&"), markup))
    assert (only.loc, only.priority, only.lastmod) == (A, "1", "2026")
    assert (only.unknown_elements, only.repeated_elements, only.out_of_order) == ((), (), False)


def test_feeds_are_not_checked_against_the_schema() -> None:
    body = f"<rss version='2.0'><channel><item><link>{A}</link><link>{B}</link><loc/></item>"
    _, (only,) = read(f"{body}</channel></rss>")
    assert (only.unknown_elements, only.repeated_elements, only.out_of_order) == ((), (), False)


def test_an_entity_reference_is_not_an_element() -> None:
    doctype = "<!DOCTYPE a [<!ENTITY i 'b'>]>"
    row, entries = read(f"{doctype}<urlset>&i;<url>&i;{LOC}</url>&i;</urlset>")
    assert locs(entries) == [A]
    assert (entries[0].unknown_elements, row.unexpected_elements) == ((), [])
