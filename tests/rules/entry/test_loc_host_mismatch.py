"""loc-host-mismatch: a loc on a host for which nothing says that its sitemap may speak."""

from pathlib import Path

import pytest

from sitemapaudit.items import Kind, Permission
from sitemapaudit.urls import origin
from tests.rules.scope import SITE, file, policy, urls_of
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "loc-host-mismatch"
SHOP = "https://shop.example.com"
PAGE = f"{SHOP}/a"
INDEX = f"{SITE}/index.xml"


def test_hosts(tmp_path: Path) -> None:
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
    run = build_run(tmp_path, [*policies, file(), listed(*same, *other, "/a", "ftp://b.example/")])
    assert urls_of(run, RULE) == set(other)


def test_what_is_known_of_the_host(tmp_path: Path) -> None:
    known = {Permission.RULES: "https://a.example/", Permission.ALL: "https://b.example/"}
    unknown = {Permission.NONE: "https://c.example/", Permission.UNREACHABLE: "https://d.example/"}
    policies = [
        policy(origin(url), permission=permission) for permission, url in (known | unknown).items()
    ]
    locs = [*known.values(), *unknown.values(), "https://unasked.example/"]
    run = build_run(tmp_path, [policy(SITE), *policies, file(), listed(*locs)])
    assert urls_of(run, RULE) == set(known.values())


def test_who_declares_the_sitemap(tmp_path: Path) -> None:
    policies = [
        policy(SITE, SITEMAP),
        policy("https://a.example", f"{SITE}/b.xml", SITEMAP),
        policy("https://b.example", f"{SITE}/b.xml"),
        policy("https://c.example"),
        policy("http://c.example", SITEMAP),
    ]
    locs = ["https://a.example/", "https://b.example/", "https://c.example/", "http://c.example/"]
    run = build_run(tmp_path, [*policies, file(), listed(*locs)])
    assert urls_of(run, RULE) == {"https://b.example/", "https://c.example/"}


def test_an_index_that_is_declared_vouches_for_its_children(tmp_path: Path) -> None:
    other, above = f"{SITE}/other.xml", f"{SITE}/above.xml"
    run = build_run(
        tmp_path,
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
    )
    assert urls_of(run, RULE) == {f"{SHOP}/b"}


def test_the_address_that_answers_counts(tmp_path: Path) -> None:
    cdn = "https://cdn.example.net"
    final, stray = f"{cdn}/sitemap.xml", f"{SITE}/stray.xml"
    run = build_run(
        tmp_path,
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
    )
    assert urls_of(run, RULE) == {f"{SITE}/a", "https://none.example/", f"{SHOP}/b"}


def test_formats(tmp_path: Path) -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/{kind}"]
        for item in (file(at, kind=kind), listed(f"{SHOP}/{kind}", sitemap=at, kind=kind))
    ]
    run = build_run(tmp_path, [policy(SHOP), *items])
    assert urls_of(run, RULE) == {f"{SHOP}/{kind}" for kind in kinds[:-1]}


@pytest.mark.parametrize(("rules", "severity"), [(None, "warning"), ({RULE: "error"}, "error")])
def test_message_severity_and_place(
    tmp_path: Path, rules: dict[str, str] | None, severity: str
) -> None:
    run = build_run(tmp_path, [policy(SHOP), file(), listed(f"{SITE}/", PAGE)], rules=rules)
    message = "is on shop.example.com, and its sitemap on www.example.com"
    assert rule_on(run, RULE) == [(PAGE, severity, message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)


def test_message_tells_hosts_that_differ_by_www_only(tmp_path: Path) -> None:
    relations = {
        "https://example.com/": " (they differ by www only)",
        "https://a.b.example.com/": "",
        "https://notexample.com/": "",
        "https://www.example.net/": "",
    }
    hosts = [policy(origin(url)) for url in relations]
    run = build_run(tmp_path, [*hosts, file(), listed(*relations)])
    told = {
        url: message.partition(", and its sitemap on www.example.com")[2]
        for url, _, message in rule_on(run, RULE)
    }
    assert told == relations
