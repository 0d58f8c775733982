"""loc-above-directory: a loc outside the directory of a sitemap that robots.txt does not name."""

import json
from pathlib import Path

from sitemapaudit.items import Entries, Kind, Permission, Sitemap
from tests.rules.scope import SITE, file, policy, urls_of
from tests.support import build_run, listed, rule_on

RULE = "loc-above-directory"
DEEP = f"{SITE}/a/b/sitemap.xml"
INDEX = f"{SITE}/index.xml"


def test_directory(tmp_path: Path) -> None:
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
    run = build_run(
        tmp_path,
        [file(DEEP), listed(*(SITE + path for path in inside + outside), sitemap=DEEP)],
    )
    assert urls_of(run, RULE) == {SITE + path for path in outside}


def test_an_address_is_judged_as_normalised(tmp_path: Path) -> None:
    run = build_run(tmp_path, [file(DEEP), listed(f"{SITE}/a/b/../c", sitemap=DEEP)])
    assert urls_of(run, RULE) == {f"{SITE}/a/c"}


def test_other_origins_are_other_rules(tmp_path: Path) -> None:
    locs = ["http://www.example.com/c", "https://www.example.com:8443/c", "https://example.com/c"]
    run = build_run(tmp_path, [file(DEEP), listed(*locs, "/c", sitemap=DEEP)])
    assert urls_of(run, RULE) == set()


def test_the_root_and_the_query_of_the_sitemap(tmp_path: Path) -> None:
    root, slashes = f"{SITE}/sitemap.php?dir=/a/b/", f"{SITE}/a/sitemap.php?dir=/b/c/"
    run = build_run(
        tmp_path,
        [
            file(root),
            file(slashes),
            listed(f"{SITE}/x", f"{SITE}/A/y", sitemap=root),
            listed(f"{SITE}/a/z", f"{SITE}/w", sitemap=slashes),
        ],
    )
    assert urls_of(run, RULE) == {f"{SITE}/w"}


def test_who_declares_the_sitemap(tmp_path: Path) -> None:
    declared, elsewhere = f"{SITE}/a/declared.xml", f"{SITE}/a/elsewhere.xml"
    run = build_run(
        tmp_path,
        [
            policy(SITE, declared, f"{SITE}/a/another.xml"),
            policy("https://other.example", elsewhere),
            policy("http://www.example.com", elsewhere),
            file(declared),
            file(elsewhere),
            listed(f"{SITE}/1", sitemap=declared),
            listed(f"{SITE}/2", sitemap=elsewhere),
        ],
    )
    assert urls_of(run, RULE) == {f"{SITE}/2"}


def test_a_robots_txt_that_could_not_be_read(tmp_path: Path) -> None:
    down = policy(SITE, permission=Permission.NONE)
    run = build_run(tmp_path, [down, file(DEEP), listed(f"{SITE}/c", sitemap=DEEP)])
    assert urls_of(run, RULE) == {f"{SITE}/c"}


def test_an_index_that_is_declared_vouches_for_its_children(tmp_path: Path) -> None:
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
    run = build_run(tmp_path, [policy(SITE, INDEX), *items])
    assert urls_of(run, RULE) == {f"{SITE}/2"}


def test_the_address_that_answers_counts(tmp_path: Path) -> None:
    lower, higher, away = f"{SITE}/lower.xml", f"{SITE}/a/higher.xml", f"{SITE}/a/away.xml"
    cdn = "https://cdn.example.net"
    run = build_run(
        tmp_path,
        [
            policy("https://x.example"),
            file(lower, final=f"{SITE}/a/lower.xml"),
            file(higher, final=f"{SITE}/higher.xml"),
            file(away, final=f"{cdn}/b/away.xml"),
            listed(f"{SITE}/1", f"{SITE}/a/2", sitemap=lower),
            listed(f"{SITE}/3", f"{SITE}/a/4", sitemap=higher),
            listed(f"{SITE}/5", f"{cdn}/6", f"{cdn}/b/7", sitemap=away),
        ],
    )
    assert urls_of(run, RULE) == {f"{SITE}/1", f"{cdn}/6"}


def test_a_declared_address_that_redirects(tmp_path: Path) -> None:
    declared, final = f"{SITE}/sitemap.xml", f"{SITE}/a/real.xml"
    items: list[Sitemap | Entries] = [
        file(declared, final=final),
        listed(f"{SITE}/1", sitemap=declared),
    ]
    assert urls_of(build_run(tmp_path / "a", [policy(SITE, declared), *items]), RULE) == set()
    assert urls_of(build_run(tmp_path / "b", [policy(SITE, final), *items]), RULE) == set()


def test_formats(tmp_path: Path) -> None:
    kinds = [Kind.URLSET, Kind.TEXT, Kind.RSS, Kind.ATOM, Kind.SITEMAPINDEX]
    items = [
        item
        for kind in kinds
        for at in [f"{SITE}/a/{kind}"]
        for item in (file(at, kind=kind), listed(f"{SITE}/{kind}", sitemap=at, kind=kind))
    ]
    assert urls_of(build_run(tmp_path, items), RULE) == {f"{SITE}/{kind}" for kind in kinds[:-1]}


def test_message_evidence_and_place(tmp_path: Path) -> None:
    run = build_run(tmp_path, [file(DEEP), listed(f"{SITE}/a/b/", f"{SITE}/a/bc", sitemap=DEEP)])
    message = f"lies outside {SITE}/a/b/, the directory of its sitemap"
    assert rule_on(run, RULE) == [(f"{SITE}/a/bc", "warning", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (DEEP, 2)
    assert json.loads(str(row.evidence)) == {"directory": f"{SITE}/a/b/"}
