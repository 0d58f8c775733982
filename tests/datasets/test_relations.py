"""The views that rules ask through: scope, cross-submission, alternates."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.datasets.database import connect, view_tables
from sitemapaudit.datasets.relations import view_relations
from sitemapaudit.items import (
    Alternate,
    Declared,
    Entries,
    Error,
    Kind,
    Page,
    Permission,
    Robots,
    Role,
    Sitemap,
)
from tests.support import NO_RULES, answered, build_run, listed

HOME, SHOP = "https://www.example.com", "https://shop.example.com"
CDN = "https://cdn.example.net"


def ask(
    folder: Path, items: Iterable[Any], query: str, *, searched: bool = True
) -> list[tuple[Any, ...]]:
    """Return what the views answer over the tables of a run."""
    build_run(folder, items, rules=NO_RULES)
    with connect() as connection:
        view_tables(connection, folder)
        connection.execute(f"create table run as select {searched} as searched")
        view_relations(connection)
        return connection.execute(f"{query} order by all").fetchall()


def robots(site: str, *declared: str | None, **values: Any) -> Robots:
    lines = [Declared(number, url or "x", url) for number, url in enumerate(declared, start=1)]
    return Robots(site, f"{site}/robots.txt", sitemaps=lines, **values)


@pytest.mark.parametrize(
    ("asked", "final", "origin", "directory"),
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
def test_files(tmp_path: Path, asked: str, final: str | None, origin: str, directory: str) -> None:
    items = [Sitemap(asked, status=200, final_url=final)]
    query = "select sitemap, address, origin, directory from files"
    assert ask(tmp_path, items, query) == [(asked, final or asked, origin, directory)]


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
        # An index vouches for all that is below it, and not for what is above.
        ([robots(HOME, CHILD)], [(HOME, CHILD), (HOME, GRANDCHILD)]),
        ([robots(HOME, INDEX)], [(HOME, CHILD), (HOME, GRANDCHILD), (HOME, INDEX)]),
        # Each origin speaks for itself alone, of files of any other.
        (
            [robots(HOME, GRANDCHILD), robots(SHOP, CHILD)],
            [(SHOP, CHILD), (SHOP, GRANDCHILD), (HOME, GRANDCHILD)],
        ),
        # What is declared need not have been read.
        ([robots(HOME, f"{HOME}/unread.xml")], [(HOME, f"{HOME}/unread.xml")]),
    ],
)
def test_vouched(tmp_path: Path, lines: list[Any], expected: list[tuple[str, str]]) -> None:
    items = [*lines, *CHILDREN]
    assert ask(tmp_path, items, "select origin, sitemap from vouched") == expected


def test_vouched_by_the_address_that_answered(tmp_path: Path) -> None:
    moved = Sitemap(INDEX, status=200, hops=1, final_url=f"{CDN}/index.xml")
    items = [robots(CDN, f"{CDN}/index.xml"), moved, *CHILDREN]
    found = ask(tmp_path, items, "from vouched")
    assert found == [(CDN, name) for name in (f"{CDN}/index.xml", CHILD, GRANDCHILD, INDEX)]


def test_vouched_of_a_child_of_two_indexes(tmp_path: Path) -> None:
    other = f"{HOME}/other.xml"
    items = [robots(HOME, other), *CHILDREN, listed(CHILD, sitemap=other, kind=Kind.SITEMAPINDEX)]
    found = ask(tmp_path, items, "select sitemap from vouched")
    assert found == [(CHILD,), (GRANDCHILD,), (other,)]


def test_vouched_ends_in_a_circle(tmp_path: Path) -> None:
    back = listed(INDEX, sitemap=CHILD, kind=Kind.SITEMAPINDEX)
    found = ask(tmp_path, [robots(HOME, INDEX), CHILDREN[0], back], "select sitemap from vouched")
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
def test_read_hosts(tmp_path: Path, permission: Permission, read: bool) -> None:
    rows = ask(tmp_path, [robots(SHOP, permission=permission)], "from read_hosts")
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
def test_foreign_entries(tmp_path: Path, loc: str, origin: str | None) -> None:
    file = Sitemap(f"{HOME}/sitemap.xml", status=200, kind=Kind.URLSET)
    items = [file, listed(loc, sitemap=file.sitemap)]
    found = ask(tmp_path, items, "select home, origin, loc from foreign_entries")
    assert found == ([(HOME, origin, loc)] if origin else [])


def test_foreign_is_measured_from_the_address_that_answered(tmp_path: Path) -> None:
    file = Sitemap(f"{HOME}/sitemap.xml", status=200, final_url=f"{SHOP}/sitemap.xml")
    items = [file, listed(f"{HOME}/a", f"{SHOP}/a", sitemap=file.sitemap)]
    query = "select home, origin, url from foreign_entries"
    assert ask(tmp_path, items, query) == [(SHOP, HOME, f"{HOME}/a")]


A, B, DE = f"{HOME}/a", f"{HOME}/b", f"{HOME}/de"


def named(source: str, rel: str | None = "alternate", hreflang: str | None = "de") -> Alternate:
    return Alternate(source, rel, hreflang, DE, DE, "a fault")


def entry_with(*alternates: Alternate, kind: Kind = Kind.URLSET, loc: str = A) -> Entries:
    entries = listed(loc, kind=kind)
    entries.rows[0].alternates = list(alternates)
    return entries


def page_with(*alternates: Alternate, url: str = A, **values: Any) -> Page:
    return answered(url, alternates=list(alternates), **values)


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([entry_with(named("sitemap"))], [(A, "sitemap", 1)]),
        ([entry_with(named("sitemap"), named("sitemap"))], [(A, "sitemap", 1)] * 2),
        ([entry_with(), page_with(named("tag"))], [(A, "tag", None)]),
        ([entry_with(), page_with(named("header"))], [(A, "header", None)]),
        (
            [entry_with(named("sitemap")), page_with(named("tag"), named("header"))],
            [(A, "header", None), (A, "sitemap", 1), (A, "tag", None)],
        ),
        ([page_with(named("tag"), url=B, role=Role.HREFLANG)], [(B, "tag", None)]),
        ([entry_with(named("sitemap", " Alternate "))], [(A, "sitemap", 1)]),
        ([entry_with(named("sitemap", "nofollow\nalternate"))], [(A, "sitemap", 1)]),
        # What is no alternate: hreflang-link-invalid says so.
        ([entry_with(named("sitemap", None))], []),
        ([entry_with(named("sitemap", "canonical"))], []),
        ([entry_with(named("sitemap", hreflang=None))], []),
        ([entry_with(named("sitemap", hreflang=" "))], []),
        ([entry_with(named("sitemap"), loc="not a url")], []),
        ([entry_with(named("sitemap"), kind=Kind.SITEMAPINDEX)], []),
        ([entry_with(), page_with()], []),
        ([entry_with(), page_with(named("tag"), status=404)], []),
        ([entry_with(), page_with(named("tag"), challenge="a challenge")], []),
    ],
)
def test_alternates(
    tmp_path: Path, items: list[Any], expected: list[tuple[str, str, int | None]]
) -> None:
    assert ask(tmp_path, items, "select url, source, position from alternates") == expected


def test_columns_of_alternates(tmp_path: Path) -> None:
    query = "select code, hreflang, href, target, fault, sitemap from alternates"
    found = ask(tmp_path, [entry_with(named("sitemap", hreflang=" De "))], query)
    assert found == [("de", " De ", DE, DE, "a fault", f"{HOME}/sitemap.xml")]


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"status": 200}, True),
        ({"status": 404}, True),
        ({"status": 410}, True),
        ({"status": 500}, False),
        ({"status": 403}, False),
        ({"error": Error.TIMEOUT}, False),
        ({"status": 200, "fault": "mismatched tag"}, False),
        ({"status": 200, "cut": True}, False),
        ({"status": 200, "gzip_fault": "ends too early"}, False),
    ],
)
def test_partly_known(tmp_path: Path, values: dict[str, Any], *, known: bool) -> None:
    items = [robots(SHOP, f"{HOME}/sitemap.xml"), Sitemap(f"{HOME}/sitemap.xml", **values)]
    found = ask(tmp_path, items, "from partly_known")
    assert found == ([] if known else [(SHOP,), (HOME,)])


def test_nothing_is_wholly_known_where_nobody_searched(tmp_path: Path) -> None:
    items = [Sitemap(f"{HOME}/sitemap.xml", status=200), listed(f"{HOME}/a")]
    assert ask(tmp_path, items, "from partly_known", searched=False) == [(HOME,)]
