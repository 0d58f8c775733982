"""loc-host-mismatch: a URL on a host whose robots.txt does not declare the sitemap."""

import json
from pathlib import Path

from sitemapaudit.items import Kind, Permission
from sitemapaudit.urls import origin
from tests.rules.scope import SITE, file, policy, urls_of
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import SITEMAP, listed, sitemap_of
from tests.support.runs import build_audited_run
from tests.support.settings import NO_RULES

RULE = "loc-host-mismatch"
SHOP = "https://shop.example.com"
PAGE = f"{SHOP}/a"
INDEX = f"{SITE}/index.xml"


def test_hosts() -> None:
    same = [
        "https://www.example.com/a",
        "https://WWW.Example.COM/b",
        "https://www.example.com:443/c",
        "https://www.example.com:8443/d",
        "http://www.example.com/e",
    ]
    other = [
        "https://example.com/a",
        "https://shop.example.com/a",
        "http://shop.example.com/a",
        "https://shop.example.com:8443/a",
        "https://www.example.org/a",
        "https://www.example.com.example.org/a",
        "https://www.example.com./a",
        "https://xn--bcher-kva.example/a",
        "https://[2001:db8::1]/a",
    ]
    policies = [policy(origin(url)) for url in other]
    tables = tables_of([*policies, file(), listed(*same, *other, "/a", "ftp://b.example/")], RULE)
    assert urls_of(tables, RULE) == set(other)


def test_what_built_for_other_host_finds_is_not_repeated() -> None:
    site = "https://www.shop.com"
    urls = [f"{site}/", "https://shop.com/a", "http://localhost:1313/b"]
    for several, found in ((urls, {"https://shop.com/a"}), (urls[1:], set())):
        entries = listed(*several, sitemap=f"{site}/sitemap.xml")
        tables = tables_of([sitemap_of(entries), entries], RULE, folder="_site", site=site)
        assert urls_of(tables, RULE) == found


def test_a_robots_txt_that_could_not_be_read_is_mentioned() -> None:
    known = {Permission.RULES: "https://a.example/", Permission.ALL: "https://b.example/"}
    unknown = {Permission.NONE: "https://c.example/", Permission.UNREACHABLE: "https://d.example/"}
    policies = [
        policy(origin(url), permission=permission) for permission, url in (known | unknown).items()
    ]
    locs = [*known.values(), *unknown.values(), "https://unfetched.example/"]
    tables = tables_of([policy(SITE), *policies, file(), listed(*locs)], RULE)
    notes = {
        url: message.partition(f"{SITE[8:]} (")[2] for url, _, message in rule_on(tables, RULE)
    }
    unread = "another domain; its robots.txt, which may declare the sitemap, is unknown)"
    assert notes == {url: "another domain)" if url in known.values() else unread for url in locs}


def test_only_the_robots_txt_of_the_same_origin_counts() -> None:
    policies = [
        policy(SITE, SITEMAP),
        policy("https://a.example", f"{SITE}/b.xml", SITEMAP),
        policy("https://b.example", f"{SITE}/b.xml"),
        policy("https://c.example"),
        policy("http://c.example", SITEMAP),
    ]
    locs = ["https://a.example/", "https://b.example/", "https://c.example/", "http://c.example/"]
    tables = tables_of([*policies, file(), listed(*locs)], RULE)
    assert urls_of(tables, RULE) == {"https://b.example/", "https://c.example/"}


def test_children_of_a_declared_index_are_declared_too() -> None:
    other, above = f"{SITE}/other.xml", f"{SITE}/above.xml"
    tables = tables_of(
        [
            policy(SHOP, INDEX),
            policy("https://above.example", above),
            file(above, kind=Kind.SITEMAPINDEX),
            file(INDEX, kind=Kind.SITEMAPINDEX, parent=above),
            file(SITEMAP, parent=INDEX),
            file(other, parent=above),
            listed(INDEX, other, sitemap=above, kind=Kind.SITEMAPINDEX),
            listed(SITEMAP, sitemap=INDEX, kind=Kind.SITEMAPINDEX),
            listed(PAGE, "https://above.example/a"),
            listed(f"{SHOP}/b", "https://above.example/b", sitemap=other),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SHOP}/b"}


def test_the_final_url_of_the_sitemap_counts() -> None:
    cdn = "https://cdn.example.net"
    final, stray = f"{cdn}/sitemap.xml", f"{SITE}/stray.xml"
    tables = tables_of(
        [
            policy(SITE),
            policy(SHOP, SITEMAP),
            policy("https://final.example", final),
            policy("https://none.example"),
            file(SITEMAP, final=final),
            file(stray, final=f"{cdn}/stray.xml"),
            listed(
                f"{cdn}/a", f"{SITE}/a", PAGE, "https://final.example/", "https://none.example/"
            ),
            listed(f"{SHOP}/b", sitemap=stray),
        ],
        RULE,
    )
    assert urls_of(tables, RULE) == {f"{SITE}/a", "https://none.example/", f"{SHOP}/b"}


def test_formats() -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/{kind}"]
        for item in (file(at, kind=kind), listed(f"{SHOP}/{kind}", sitemap=at, kind=kind))
    ]
    tables = tables_of([policy(SHOP), *items], RULE)
    assert urls_of(tables, RULE) == {f"{SHOP}/{kind}" for kind in kinds[:-1]}


def test_message_evidence_and_place() -> None:
    tables = tables_of([policy(SHOP), file(), listed(f"{SITE}/", PAGE)], RULE)
    message = "is on shop.example.com, but its sitemap is on www.example.com"
    assert rule_on(tables, RULE) == [(PAGE, "warning", message)]
    (row,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)
    assert json.loads(str(row.evidence)) == {
        "host": "shop.example.com",
        "sitemap_host": "www.example.com",
        "note": "",
    }


def test_users_can_raise_the_severity(tmp_path: Path) -> None:
    rules = {**NO_RULES, RULE: "error"}
    run = build_audited_run(tmp_path, [policy(SHOP), file(), listed(f"{SITE}/", PAGE)], rules=rules)
    assert list(run.findings["rule"]) == [RULE]
    assert list(run.findings["severity"]) == ["error"]


def test_message_says_how_the_hosts_differ() -> None:
    notes = {
        "https://example.com/": " (they differ only by www)",
        "https://a.b.example.com/": "",
        "https://notexample.com/": " (another domain)",
        "https://www.example.net/": " (another domain)",
        "https://93.184.215.14/": " (another domain)",
    }
    hosts = [policy(origin(url)) for url in notes]
    tables = tables_of([*hosts, file(), listed(*notes)], RULE)
    found = {
        url: message.partition(", but its sitemap is on www.example.com")[2]
        for url, _, message in rule_on(tables, RULE)
    }
    assert found == notes


def test_hosts_that_search_engines_cannot_reach_are_an_error() -> None:
    cases = {
        "localhost:1313": "error",
        "site.localhost": "error",
        "127.0.0.1:4000": "error",
        "10.11.12.13": "error",
        "172.16.0.1": "error",
        "192.168.1.1:8080": "error",
        "[::1]:3000": "error",
        "[fd00::1]": "error",
        "example.com": "error",
        "www.example.org": "error",
        "shop.test": "error",
        "web.internal": "error",
        "printer.local": "error",
        "172.15.0.1": "warning",
        "100.example.de": "warning",
        "localhost.de": "warning",
        "notexample.com": "warning",
        "[2001:db8::1]": "warning",
    }
    public = "https://www.workshop.de/sitemap.xml"
    locs = [f"http://{host}/a" for host in cases]
    run: list[Item] = [
        *(policy(origin(at)) for at in locs),
        file(public),
        listed(*locs, sitemap=public),
    ]
    found = {url: finding for url, *finding in rule_on(tables_of(run, RULE), RULE)}
    assert {host: found[f"http://{host}/a"][0] for host in cases} == cases
    for host, severity in cases.items():
        message = found[f"http://{host}/a"][1]
        assert message.startswith(f"is on {host}, but its sitemap is on www.workshop.de")
        assert (f"search engines cannot reach {host}" in message) == (severity == "error")


def test_a_reserved_host_is_as_reachable_as_the_sitemap_on_another_one() -> None:
    run: list[Item] = [
        file("http://localhost/sitemap.xml"),
        listed("http://127.0.0.1/", sitemap="http://localhost/sitemap.xml"),
    ]
    assert [severity for _, severity, _ in rule_on(tables_of(run, RULE), RULE)] == ["warning"]
