"""loc-scheme-mismatch: the host of the sitemap, but a different scheme or port."""

import json

from sitemapaudit.items import Kind
from tests.rules.scope import SITE, file, policy, urls_of
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "loc-scheme-mismatch"
HTTP = "http://www.example.com"


def example() -> list[Item]:
    """Return a sitemap with https that lists a URL with http."""
    return [file(), listed(f"{HTTP}/a")]


def test_schemes_and_ports() -> None:
    same = [
        "https://www.example.com/a",
        "HTTPS://WWW.Example.COM/b",
        "https://www.example.com:443/c",
        "http://example.com/d",
        "http://shop.example.com/e",
        "http://www.example.com.example.org/f",
    ]
    other = [
        "http://www.example.com/a",
        "http://www.example.com:443/a",
        "http://www.example.com:8080/a",
        "https://www.example.com:80/a",
        "https://www.example.com:8443/a",
    ]
    tables = tables_of([file(), listed(*same, *other, "http://www.example.com:80/b", "/c")], RULE)
    assert urls_of(tables, RULE) == {*other, "http://www.example.com/b"}


def test_a_sitemap_with_http_or_a_port() -> None:
    plain, port = f"{HTTP}/sitemap.xml", f"{SITE}:8443/sitemap.xml"
    tables = tables_of(
        [
            file(plain),
            file(port),
            listed(f"{HTTP}/a", f"{HTTP}:80/b", f"{SITE}/c", sitemap=plain),
            listed(f"{SITE}:8443/d", f"{SITE}/e", f"{HTTP}:8443/f", sitemap=port),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SITE}/c", f"{SITE}/e", f"{HTTP}:8443/f"}


def test_the_final_url_of_the_sitemap_counts() -> None:
    plain, moved = f"{HTTP}/sitemap.xml", f"{SITE}/moved.xml"
    tables = tables_of(
        [
            file(plain, final=SITEMAP),
            file(moved, final="https://cdn.example.net/moved.xml"),
            listed(f"{HTTP}/a", f"{SITE}/b", sitemap=plain),
            listed(f"{HTTP}/c", f"{SITE}/d", "http://cdn.example.net/e", sitemap=moved),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{HTTP}/a", "http://cdn.example.net/e"}


def test_declared_sitemaps_make_no_difference() -> None:
    policies = [policy(SITE, SITEMAP), policy(HTTP, SITEMAP)]
    tables = tables_of([*policies, file(), listed(f"{HTTP}/a", f"{SITE}/b")], RULE)
    assert urls_of(tables, RULE) == {f"{HTTP}/a"}


def test_formats() -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/{kind}"]
        for item in (file(at, kind=kind), listed(f"{HTTP}/{kind}", sitemap=at, kind=kind))
    ]
    assert urls_of(tables_of(items, RULE), RULE) == {f"{HTTP}/{kind}" for kind in kinds[:-1]}


def test_message_evidence_and_place() -> None:
    tables = tables_of([file(), listed(f"{SITE}/", f"{HTTP}/a")], RULE)
    message = f"is on {HTTP}, but its sitemap is on {SITE}"
    assert rule_on(tables, RULE) == [(f"{HTTP}/a", "warning", message)]
    (row,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)
    assert json.loads(str(row.evidence)) == {"origin": HTTP, "sitemap_origin": SITE}
