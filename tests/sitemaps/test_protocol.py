"""protocol: entries against the schema of sitemaps (sitemap.xsd, siteindex.xsd)."""

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


def judged(markup: str) -> Entry:
    """Return an entry of a urlset, read from what stands within its tags."""
    row, (only,) = read(urlset(f"<url>{markup}</url>", attributes=BOUND))
    assert row.fault is None
    return only


# Elements that are not known at their place.

UNKNOWN = [
    (LOC, []),
    (LOC + LASTMOD + FREQUENCY + PRIORITY + PICTURE, []),
    (f"{LOC}<news/>", ["news"]),
    (f"{LOC}<Priority>1</Priority>", ["Priority"]),
    (f"{LOC}<s:expires>2026</s:expires>", ["expires"]),
    (f"{LOC}<news/><a/><news/>", ["news", "a"]),
    ("<sitemap/>", ["sitemap"]),
    # What an unknown one holds is a part of it.
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
    # Other namespaces, or none, are not the schema's business.
    (f"{LOC}<x:loc/><x:a><x:loc/></x:a>", []),
    (f"{LOC}<a xmlns=''/>", []),
    (f"{LOC}<image:caption/>", []),
    (f"{LOC}<image:image><image:unknown/></image:image>", []),
]


@pytest.mark.parametrize(("markup", "expected"), UNKNOWN)
def test_unknown_elements(markup: str, expected: list[str]) -> None:
    only = judged(markup)
    assert only.unknown == expected
    assert (only.repeated, only.disordered) == ([], False)


@pytest.mark.parametrize("stray", ["<a{}/>", "<loc><a{}/></loc>", "<x:a><a{}/></x:a>"])
def test_so_many_are_named_and_no_more(stray: str) -> None:
    only = judged("".join(stray.format(number) for number in range(50)))
    assert len(only.unknown) == MAX_NAMED == len(set(only.unknown))


def index(markup: str) -> Entry:
    body = f"{DECLARATION}<sitemapindex xmlns='{NAMESPACE}'><sitemap>{markup}</sitemap>"
    _, (only,) = read(body + "</sitemapindex>")
    return only


def test_a_child_of_an_index_knows_fewer_elements() -> None:
    only = index(LOC + LASTMOD + FREQUENCY + PRIORITY)
    assert only.unknown == ["changefreq", "priority"]
    assert (only.loc, only.changefreq, only.priority) == (A, "daily", "1")
    assert index(LOC + LASTMOD).unknown == []


@pytest.mark.parametrize("namespace", ["", "http://www.google.com/schemas/sitemap/0.84"])
def test_in_a_wrong_namespace_the_same_elements_are_known(namespace: str) -> None:
    bound = f" xmlns='{namespace}'" if namespace else ""
    markup = f"{LASTMOD}{LOC}<b/>{LASTMOD}"
    _, (only,) = read(f"<urlset{bound}><url>{markup}</url></urlset>")
    assert (only.unknown, only.repeated, only.disordered) == (["b"], ["lastmod"], True)


# Repeats.

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
def test_repeated_fields(markup: str, expected: list[str]) -> None:
    only = judged(markup)
    assert only.repeated == expected
    assert (only.unknown, only.disordered) == ([], False)


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
    # A fault of its own is no fault of order.
    (LOC + LASTMOD + LOC, False),
    (LOC + "<a/>" + LASTMOD, False),
]


@pytest.mark.parametrize(("markup", "expected"), ORDERS)
def test_order(markup: str, expected: bool) -> None:
    assert judged(markup).disordered is expected


# Behind a fault.


def test_an_entry_behind_a_fault_is_judged_too() -> None:
    body = urlset(entry("&"), f"<url>{LASTMOD}{LOC}<b/>{LASTMOD}</url>")
    _, (_, only) = read(body)
    assert only.recovered
    assert (only.unknown, only.repeated, only.disordered) == (["b"], ["lastmod"], True)


def test_what_was_put_back_says_nothing_of_the_order() -> None:
    markup = f"<url><loc>{A}<priority>1</priority></loc>{LASTMOD}<b/></url>"
    _, (_, only) = read(urlset(entry("&"), markup))
    assert (only.loc, only.priority, only.lastmod) == (A, "1", "2026")
    assert (only.unknown, only.repeated, only.disordered) == ([], [], False)


def test_feeds_have_a_schema_of_their_own() -> None:
    body = f"<rss version='2.0'><channel><item><link>{A}</link><link>{B}</link><loc/></item>"
    _, (only,) = read(f"{body}</channel></rss>")
    assert (only.unknown, only.repeated, only.disordered) == ([], [], False)


def test_an_entity_is_no_element() -> None:
    doctype = "<!DOCTYPE a [<!ENTITY i 'b'>]>"
    row, entries = read(f"{doctype}<urlset>&i;<url>&i;{LOC}</url>&i;</urlset>")
    assert locs(entries) == [A]
    assert (entries[0].unknown, row.strangers) == ([], [])
