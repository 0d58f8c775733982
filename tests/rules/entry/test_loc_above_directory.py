"""loc-above-directory: a URL outside the directory of a sitemap not declared in robots.txt."""

import json

from sitemapaudit.items import Entries, Kind, Permission, Sitemap
from tests.rules.scope import SITE, file, policy, urls_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "loc-above-directory"
DEEP = f"{SITE}/a/b/sitemap.xml"
INDEX = f"{SITE}/index.xml"


def test_directory() -> None:
    inside = [
        "/a/b/",
        "/a/b/c",
        "/a/b/c/d",
        "/a/b/?c=d",
        "/a/b/sitemap.xml/c",
        "/a/b//c",
        "/a/%62/e",
        "/x/../a/b/f",
    ]
    outside = ["/", "/a", "/a/", "/a/b", "/a/b?c=/", "/a/bc", "/a/bc/d", "/a/B/c", "/A/b/c"]
    outside += ["/b/c", "/?u=/a/b/", "/x/a/b/c", "//a/b/c", "/a/b%2Fc"]
    tables = tables_of(
        [file(DEEP), listed(*(SITE + path for path in inside + outside), sitemap=DEEP)],
        RULE,
    )
    assert urls_of(tables, RULE) == {SITE + path for path in outside}


def test_urls_are_compared_normalized() -> None:
    tables = tables_of([file(DEEP), listed(f"{SITE}/a/b/../c", sitemap=DEEP)], RULE)
    assert urls_of(tables, RULE) == {f"{SITE}/a/c"}


def test_other_origins_are_not_reported() -> None:
    locs = ["http://www.example.com/c", "https://www.example.com:8443/c", "https://example.com/c"]
    tables = tables_of([file(DEEP), listed(*locs, "/c", sitemap=DEEP)], RULE)
    assert urls_of(tables, RULE) == set()


def test_the_query_of_the_sitemap_url_does_not_count() -> None:
    root, slashes = f"{SITE}/sitemap.php?dir=/a/b/", f"{SITE}/a/sitemap.php?dir=/b/c/"
    tables = tables_of(
        [
            file(root),
            file(slashes),
            listed(f"{SITE}/x", f"{SITE}/A/y", sitemap=root),
            listed(f"{SITE}/a/z", f"{SITE}/w", sitemap=slashes),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SITE}/w"}


def test_only_the_robots_txt_of_the_same_origin_counts() -> None:
    declared, elsewhere = f"{SITE}/a/declared.xml", f"{SITE}/a/elsewhere.xml"
    tables = tables_of(
        [
            policy(SITE, declared, f"{SITE}/a/another.xml"),
            policy("https://other.example", elsewhere),
            policy("http://www.example.com", elsewhere),
            file(declared),
            file(elsewhere),
            listed(f"{SITE}/1", sitemap=declared),
            listed(f"{SITE}/2", sitemap=elsewhere),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SITE}/2"}


def test_robots_txt_could_not_be_read() -> None:
    down = policy(SITE, permission=Permission.NONE)
    tables = tables_of([down, file(DEEP), listed(f"{SITE}/c", sitemap=DEEP)], RULE)
    assert urls_of(tables, RULE) == {f"{SITE}/c"}


def test_children_of_a_declared_index_are_declared_too() -> None:
    other, above = f"{SITE}/o/other.xml", f"{SITE}/o/index.xml"
    items: list[Sitemap | Entries] = [
        file(INDEX, kind=Kind.SITEMAPINDEX),
        file(DEEP, parent=INDEX),
        file(above, kind=Kind.SITEMAPINDEX),
        file(other, parent=above),
        listed(DEEP, sitemap=INDEX, kind=Kind.SITEMAPINDEX),
        listed(other, sitemap=above, kind=Kind.SITEMAPINDEX),
        listed(f"{SITE}/1", sitemap=DEEP),
        listed(f"{SITE}/2", sitemap=other),
    ]
    tables = tables_of([policy(SITE, INDEX), *items], RULE)
    assert urls_of(tables, RULE) == {f"{SITE}/2"}


def test_the_final_url_of_the_sitemap_counts() -> None:
    lower, higher, away = f"{SITE}/lower.xml", f"{SITE}/a/higher.xml", f"{SITE}/a/away.xml"
    cdn = "https://cdn.example.net"
    tables = tables_of(
        [
            policy("https://x.example"),
            file(lower, final=f"{SITE}/a/lower.xml"),
            file(higher, final=f"{SITE}/higher.xml"),
            file(away, final=f"{cdn}/b/away.xml"),
            listed(f"{SITE}/1", f"{SITE}/a/2", sitemap=lower),
            listed(f"{SITE}/3", f"{SITE}/a/4", sitemap=higher),
            listed(f"{SITE}/5", f"{cdn}/6", f"{cdn}/b/7", sitemap=away),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SITE}/1", f"{cdn}/6"}


def test_a_declared_sitemap_that_redirects() -> None:
    declared, final = f"{SITE}/sitemap.xml", f"{SITE}/a/real.xml"
    items: list[Sitemap | Entries] = [
        file(declared, final=final),
        listed(f"{SITE}/1", sitemap=declared),
    ]
    assert urls_of(tables_of([policy(SITE, declared), *items], RULE), RULE) == set()
    assert urls_of(tables_of([policy(SITE, final), *items], RULE), RULE) == set()


def test_formats() -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/a/{kind}"]
        for item in (file(at, kind=kind), listed(f"{SITE}/{kind}", sitemap=at, kind=kind))
    ]
    assert urls_of(tables_of(items, RULE), RULE) == {f"{SITE}/{kind}" for kind in kinds[:-1]}


def test_message_evidence_and_place() -> None:
    tables = tables_of([file(DEEP), listed(f"{SITE}/a/b/", f"{SITE}/a/bc", sitemap=DEEP)], RULE)
    message = f"is outside {SITE}/a/b/, the directory of its sitemap"
    assert rule_on(tables, RULE) == [(f"{SITE}/a/bc", "warning", message)]
    (row,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (DEEP, 2)
    assert json.loads(str(row.evidence)) == {"directory": f"{SITE}/a/b/"}
