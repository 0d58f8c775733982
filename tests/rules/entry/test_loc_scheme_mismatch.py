"""loc-scheme-mismatch: the sitemap's host, and another scheme or port."""

import json
from pathlib import Path

from sitemapaudit.items import Kind
from tests.rules.scope import SITE, file, policy, urls_of
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "loc-scheme-mismatch"
HTTP = "http://www.example.com"


def test_schemes_and_ports(tmp_path: Path) -> None:
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
    run = build_run(tmp_path, [file(), listed(*same, *other, "http://www.example.com:80/b", "/c")])
    assert urls_of(run, RULE) == {*other, "http://www.example.com/b"}


def test_a_sitemap_at_http_or_at_a_port(tmp_path: Path) -> None:
    plain, port = f"{HTTP}/sitemap.xml", f"{SITE}:8443/sitemap.xml"
    run = build_run(
        tmp_path,
        [
            file(plain),
            file(port),
            listed(f"{HTTP}/a", f"{HTTP}:80/b", f"{SITE}/c", sitemap=plain),
            listed(f"{SITE}:8443/d", f"{SITE}/e", f"{HTTP}:8443/f", sitemap=port),
        ],
    )
    assert urls_of(run, RULE) == {f"{SITE}/c", f"{SITE}/e", f"{HTTP}:8443/f"}


def test_the_address_that_answers_counts(tmp_path: Path) -> None:
    plain, moved = f"{HTTP}/sitemap.xml", f"{SITE}/moved.xml"
    run = build_run(
        tmp_path,
        [
            file(plain, final=SITEMAP),
            file(moved, final="https://cdn.example.net/moved.xml"),
            listed(f"{HTTP}/a", f"{SITE}/b", sitemap=plain),
            listed(f"{HTTP}/c", f"{SITE}/d", "http://cdn.example.net/e", sitemap=moved),
        ],
    )
    assert urls_of(run, RULE) == {f"{HTTP}/a", "http://cdn.example.net/e"}


def test_a_robots_txt_that_both_schemes_share_changes_nothing(tmp_path: Path) -> None:
    policies = [policy(SITE, SITEMAP), policy(HTTP, SITEMAP)]
    run = build_run(tmp_path, [*policies, file(), listed(f"{HTTP}/a", f"{SITE}/b")])
    assert urls_of(run, RULE) == {f"{HTTP}/a"}


def test_formats(tmp_path: Path) -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/{kind}"]
        for item in (file(at, kind=kind), listed(f"{HTTP}/{kind}", sitemap=at, kind=kind))
    ]
    assert urls_of(build_run(tmp_path, items), RULE) == {f"{HTTP}/{kind}" for kind in kinds[:-1]}


def test_message_evidence_and_place(tmp_path: Path) -> None:
    run = build_run(tmp_path, [file(), listed(f"{SITE}/", f"{HTTP}/a")])
    message = f"is listed with {HTTP}, and the sitemap is at {SITE}"
    assert rule_on(run, RULE) == [(f"{HTTP}/a", "warning", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)
    assert json.loads(str(row.evidence)) == {"origin": HTTP, "home": SITE}
