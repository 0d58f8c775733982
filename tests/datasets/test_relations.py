"""The relations that rules query: scope, cross-submission, alternates."""

from typing import Any

import pytest

from sitemapaudit.items import (
    Alternate,
    DeclaredSitemap,
    Entries,
    Error,
    Kind,
    Page,
    Permission,
    Robots,
    Role,
    Sitemap,
)
from tests.datasets.relations import HOME, query_relations
from tests.support.rows import fetched_page, listed

SHOP = "https://shop.example.com"
CDN = "https://cdn.example.net"


def robots(site: str, *declared: str | None, **values: Any) -> Robots:
    lines = [
        DeclaredSitemap(number, url or "x", url) for number, url in enumerate(declared, start=1)
    ]
    return Robots(site, f"{site}/robots.txt", sitemaps=lines, **values)


@pytest.mark.parametrize(
    ("requested", "final", "origin", "directory"),
    [
        (f"{HOME}/sitemap.xml", None, HOME, f"{HOME}/"),
        (f"{HOME}/sitemap.xml", f"{HOME}/sitemap.xml", HOME, f"{HOME}/"),
        (f"{HOME}/a/b/sitemap.xml", None, HOME, f"{HOME}/a/b/"),
        (f"{HOME}/a/sitemap", None, HOME, f"{HOME}/a/"),
        (f"{HOME}/a/", None, HOME, f"{HOME}/a/"),
        (f"{HOME}/a/sitemap?of=b/c", None, HOME, f"{HOME}/a/"),
        (f"{HOME}:8443/sitemap.xml", None, f"{HOME}:8443", f"{HOME}:8443/"),
        (f"{HOME}/sitemap.xml", f"{CDN}/x/sitemap.xml", CDN, f"{CDN}/x/"),
        ("http://[::1]:80/a/s.xml", None, "http://[::1]:80", "http://[::1]:80/a/"),
    ],
)
def test_sitemap_files(requested: str, final: str | None, origin: str, directory: str) -> None:
    items = [Sitemap(requested, status=200, final_url=final)]
    query = "select sitemap, address, origin, directory from sitemap_files"
    assert query_relations(items, query) == [(requested, final or requested, origin, directory)]


INDEX, CHILD, GRANDCHILD = f"{HOME}/index.xml", f"{HOME}/child.xml", f"{HOME}/grandchild.xml"
CHILDREN = [
    listed(CHILD, sitemap=INDEX, kind=Kind.SITEMAPINDEX),
    listed(GRANDCHILD, sitemap=CHILD, kind=Kind.SITEMAPINDEX),
    listed(f"{HOME}/a", sitemap=GRANDCHILD),
]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([robots(HOME)], []),
        ([robots(HOME, None)], []),
        ([robots(HOME, GRANDCHILD)], [(HOME, GRANDCHILD)]),
        ([robots(HOME, GRANDCHILD, GRANDCHILD)], [(HOME, GRANDCHILD)]),
        # A declared index authorizes all sitemaps below it, and none above.
        ([robots(HOME, CHILD)], [(HOME, CHILD), (HOME, GRANDCHILD)]),
        ([robots(HOME, INDEX)], [(HOME, CHILD), (HOME, GRANDCHILD), (HOME, INDEX)]),
        # Each origin authorizes sitemaps for itself only, on any host.
        (
            [robots(HOME, GRANDCHILD), robots(SHOP, CHILD)],
            [(SHOP, CHILD), (SHOP, GRANDCHILD), (HOME, GRANDCHILD)],
        ),
        # A declared sitemap need not have been read.
        ([robots(HOME, f"{HOME}/unread.xml")], [(HOME, f"{HOME}/unread.xml")]),
    ],
)
def test_authorized_sitemaps(lines: list[Any], expected: list[tuple[str, str]]) -> None:
    items = [*lines, *CHILDREN]
    assert query_relations(items, "select origin, sitemap from authorized_sitemaps") == expected


def test_a_sitemap_is_authorized_by_the_url_that_responded() -> None:
    moved = Sitemap(INDEX, status=200, hops=1, final_url=f"{CDN}/index.xml")
    items = [robots(CDN, f"{CDN}/index.xml"), moved, *CHILDREN]
    found = query_relations(items, "from authorized_sitemaps")
    assert found == [(CDN, name) for name in (f"{CDN}/index.xml", CHILD, GRANDCHILD, INDEX)]


def test_a_child_of_two_indexes_is_authorized_by_either() -> None:
    other = f"{HOME}/other.xml"
    items = [robots(HOME, other), *CHILDREN, listed(CHILD, sitemap=other, kind=Kind.SITEMAPINDEX)]
    found = query_relations(items, "select sitemap from authorized_sitemaps")
    assert found == [(CHILD,), (GRANDCHILD,), (other,)]


def test_indexes_that_list_each_other_are_authorized_once() -> None:
    back = listed(INDEX, sitemap=CHILD, kind=Kind.SITEMAPINDEX)
    found = query_relations(
        [robots(HOME, INDEX), CHILDREN[0], back],
        "select sitemap from authorized_sitemaps",
    )
    assert found == [(CHILD,), (INDEX,)]


@pytest.mark.parametrize(
    ("permission", "read"),
    [
        (Permission.RULES, True),
        (Permission.ALL, True),
        (Permission.NONE, False),
        (Permission.UNREACHABLE, False),
    ],
)
def test_origins_with_robots(permission: Permission, read: bool) -> None:
    rows = query_relations([robots(SHOP, permission=permission)], "from origins_with_robots")
    assert rows == [(SHOP,)] * read


@pytest.mark.parametrize(
    ("loc", "origin"),
    [
        (f"{HOME}/a", None),
        (HOME, None),
        (f"{HOME}:443/a", None),
        ("HTTPS://WWW.EXAMPLE.COM/a", None),
        ("not a url", None),
        (f"{SHOP}/a", SHOP),
        ("https://example.com/a", "https://example.com"),
        ("http://www.example.com/a", "http://www.example.com"),
        (f"{HOME}:8443/a", f"{HOME}:8443"),
        (f"{HOME}.evil.example/a", f"{HOME}.evil.example"),
    ],
)
def test_cross_origin_entries(loc: str, origin: str | None) -> None:
    file = Sitemap(f"{HOME}/sitemap.xml", status=200, kind=Kind.URLSET)
    items = [file, listed(loc, sitemap=file.sitemap)]
    found = query_relations(
        items, "select sitemap_origin as home, origin, loc from cross_origin_entries"
    )
    assert found == ([(HOME, origin, loc)] if origin else [])


def test_the_origin_of_a_sitemap_is_that_of_the_url_that_responded() -> None:
    file = Sitemap(f"{HOME}/sitemap.xml", status=200, final_url=f"{SHOP}/sitemap.xml")
    items = [file, listed(f"{HOME}/a", f"{SHOP}/a", sitemap=file.sitemap)]
    query = "select sitemap_origin as home, origin, url from cross_origin_entries"
    assert query_relations(items, query) == [(SHOP, HOME, f"{HOME}/a")]


A, B, DE = f"{HOME}/a", f"{HOME}/b", f"{HOME}/de"


def alternate(source: str, rel: str | None = "alternate", hreflang: str | None = "de") -> Alternate:
    return Alternate(source, rel, hreflang, DE, DE, "an error")


def entry_with(*alternates: Alternate, kind: Kind = Kind.URLSET, loc: str = A) -> Entries:
    entries = listed(loc, kind=kind)
    entries.rows[0].alternates = list(alternates)
    return entries


def page_with(*alternates: Alternate, url: str = A, **values: Any) -> Page:
    return fetched_page(url, alternates=list(alternates), **values)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([entry_with(alternate("sitemap"))], [(A, "sitemap", 1)]),
        ([entry_with(alternate("sitemap"), alternate("sitemap"))], [(A, "sitemap", 1)] * 2),
        ([entry_with(), page_with(alternate("tag"))], [(A, "tag", None)]),
        ([entry_with(), page_with(alternate("header"))], [(A, "header", None)]),
        (
            [entry_with(alternate("sitemap")), page_with(alternate("tag"), alternate("header"))],
            [(A, "header", None), (A, "sitemap", 1), (A, "tag", None)],
        ),
        ([page_with(alternate("tag"), url=B, role=Role.HREFLANG)], [(B, "tag", None)]),
        ([entry_with(alternate("sitemap", " Alternate "))], [(A, "sitemap", 1)]),
        ([entry_with(alternate("sitemap", "nofollow\nalternate"))], [(A, "sitemap", 1)]),
        # These are not alternates; hreflang-link-invalid reports them.
        ([entry_with(alternate("sitemap", None))], []),
        ([entry_with(alternate("sitemap", "canonical"))], []),
        ([entry_with(alternate("sitemap", hreflang=None))], []),
        ([entry_with(alternate("sitemap", hreflang=" "))], []),
        ([entry_with(alternate("sitemap"), loc="not a url")], []),
        ([entry_with(alternate("sitemap"), kind=Kind.SITEMAPINDEX)], []),
        ([entry_with(), page_with()], []),
        ([entry_with(), page_with(alternate("tag"), status=404)], []),
        ([entry_with(), page_with(alternate("tag"), challenge="a challenge")], []),
    ],
)
def test_alternates(items: list[Any], expected: list[tuple[str, str, int | None]]) -> None:
    assert query_relations(items, "select url, source, position from alternates") == expected


def test_the_columns_of_alternates() -> None:
    query = "select code, hreflang, href, target, code_error, sitemap from alternates"
    found = query_relations([entry_with(alternate("sitemap", hreflang=" De "))], query)
    assert found == [("de", " De ", DE, DE, "an error", f"{HOME}/sitemap.xml")]


@pytest.mark.parametrize(
    ("values", "complete"),
    [
        ({"status": 200}, True),
        ({"status": 404}, True),
        ({"status": 410}, True),
        ({"status": 500}, False),
        ({"status": 403}, False),
        ({"error": Error.TIMEOUT}, False),
        ({"status": 200, "xml_error": "mismatched tag"}, True),
        ({"status": 200, "truncated": True}, False),
        ({"status": 200, "gzip_error": "ends too early"}, True),
    ],
)
def test_incomplete_origins(values: dict[str, Any], *, complete: bool) -> None:
    items = [robots(SHOP, f"{HOME}/sitemap.xml"), Sitemap(f"{HOME}/sitemap.xml", **values)]
    found = query_relations(items, "select origin from incomplete_origins")
    assert found == ([] if complete else [(SHOP,), (HOME,)])


def test_every_origin_is_incomplete_if_sitemaps_were_not_searched() -> None:
    items = [Sitemap(f"{HOME}/sitemap.xml", status=200), listed(f"{HOME}/a")]
    assert query_relations(items, "select origin from incomplete_origins", searched=False) == [
        (HOME,)
    ]
