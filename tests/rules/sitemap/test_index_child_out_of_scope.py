"""index-child-out-of-scope: a child on another origin, or outside the index's directory."""

from pathlib import Path

from sitemapaudit import Run
from sitemapaudit.items import Entries, Kind, Permission, Sitemap
from tests.rules.scope import SITE, file, policy
from tests.support import build_run, listed, rule_on

RULE = "index-child-out-of-scope"
INDEX = f"{SITE}/a/b/index.xml"
CDN = "https://cdn.example.net"


def index(
    *children: str, at: str = INDEX, final: str | None = None, parent: str | None = None
) -> list[Sitemap | Entries]:
    row = file(at, kind=Kind.SITEMAPINDEX, final=final, parent=parent)
    return [row, listed(*children, sitemap=at, kind=Kind.SITEMAPINDEX)]


def found(run: Run) -> dict[str, str]:
    """Return the severity for each child that is found."""
    return {message.split(", ")[0].split()[1]: grade for _, grade, message in rule_on(run, RULE)}


def test_directory_of_the_same_origin(tmp_path: Path) -> None:
    inside = ["/a/b/c.xml", "/a/b/c/d.xml", "/a/b/", "/a/b/?x=1", "/a/%62/e.xml"]
    outside = ["/c.xml", "/a/c.xml", "/a/b", "/a/bc.xml", "/a/bc/d.xml", "/A/b/c.xml", "/x?/a/b/"]
    run = build_run(tmp_path, index(*(SITE + path for path in inside + outside)))
    assert found(run) == {SITE + path: "warning" for path in outside}


def test_an_index_in_the_root_may_list_all(tmp_path: Path) -> None:
    children = [f"{SITE}/c.xml", f"{SITE}/a/b/c.xml", f"{SITE}/A/"]
    run = build_run(tmp_path, index(*children, at=f"{SITE}/index.php?of=/a/b/"))
    assert found(run) == {}


def test_scope_follows_the_address_that_answers(tmp_path: Path) -> None:
    run = build_run(
        tmp_path,
        [
            policy(SITE),
            *index(f"{SITE}/a/b/c.xml", f"{SITE}/d/e.xml", at=INDEX, final=f"{SITE}/d/index.xml"),
            *index(f"{CDN}/x.xml", f"{SITE}/x.xml", at=f"{SITE}/i.xml", final=f"{CDN}/i.xml"),
        ],
    )
    assert found(run) == {f"{SITE}/a/b/c.xml": "warning", f"{SITE}/x.xml": "error"}


def test_a_child_with_a_sitemap_line_of_its_own(tmp_path: Path) -> None:
    named, unnamed = f"{SITE}/c.xml", f"{SITE}/d.xml"
    run = build_run(
        tmp_path,
        [
            policy(SITE, INDEX, named),
            policy(CDN, unnamed),
            *index(named, unnamed),
            file(named, parent=INDEX),
            file(unnamed, parent=INDEX),
        ],
    )
    assert found(run) == {unnamed: "warning"}


def test_other_origins_that_declare_nothing(tmp_path: Path) -> None:
    silent = {
        f"{CDN}/c.xml": Permission.RULES,
        "https://none.example/c.xml": Permission.ALL,
        "https://example.com/c.xml": Permission.RULES,
        "http://www.example.com/a/b/c.xml": Permission.RULES,
        "https://www.example.com:8443/a/b/c.xml": Permission.RULES,
    }
    unknown = {
        "https://down.example/c.xml": Permission.NONE,
        "https://lost.example/c.xml": Permission.UNREACHABLE,
    }
    policies = [
        policy(child.partition("/a/b/")[0].removesuffix("/c.xml"), permission=permission)
        for child, permission in (silent | unknown).items()
    ]
    children = [*silent, *unknown, "https://unasked.example/c.xml"]
    run = build_run(tmp_path, [policy(SITE, INDEX, *children), *policies, *index(*children)])
    assert found(run) == dict.fromkeys(silent, "error")


def test_other_origins_that_declare_child_or_index(tmp_path: Path) -> None:
    by_child, by_index, other = CDN, "https://b.example", "https://c.example"
    children = [f"{origin}/c.xml" for origin in (by_child, by_index, other)]
    run = build_run(
        tmp_path,
        [
            policy(by_child, f"{by_child}/c.xml"),
            policy(by_index, INDEX),
            policy(other, f"{other}/d.xml", f"{by_child}/c.xml"),
            *index(*children),
        ],
    )
    assert found(run) == {f"{other}/c.xml": "error"}


def test_an_index_above_or_another_index_of_the_child(tmp_path: Path) -> None:
    above, second, child = f"{SITE}/above.xml", f"{SITE}/second.xml", f"{CDN}/c.xml"
    run = build_run(
        tmp_path,
        [
            policy(CDN, above),
            *index(INDEX, at=above),
            *index(child, parent=above),
            *index(child, at=second),
            file(child, parent=second),
        ],
    )
    rows = run.findings[run.findings["rule"] == RULE]
    assert list(rows["sitemap"]) == [second]


def test_pages_are_another_rules(tmp_path: Path) -> None:
    run = build_run(
        tmp_path,
        [policy(CDN), file(INDEX), listed(f"{SITE}/c.html", f"{CDN}/c.html", sitemap=INDEX)],
    )
    assert found(run) == {}


def test_messages_and_place(tmp_path: Path) -> None:
    children = [f"{SITE}/a/b/c.xml", f"{CDN}/c.xml", f"{SITE}/d.xml", f"{CDN}/c.xml"]
    run = build_run(tmp_path, [policy(CDN), *index(*children)])
    offsite = "is on another origin, and the robots.txt of that does not declare it"
    assert [told for _, *told in rule_on(run, RULE)] == [
        ["error", f"lists {CDN}/c.xml, which {offsite}"],
        ["warning", f"lists {SITE}/d.xml, which lies outside {SITE}/a/b/"],
    ]
    rows = run.findings[run.findings["rule"] == RULE].sort_values("position")
    assert list(zip(rows["sitemap"], rows["position"], strict=True)) == [(INDEX, 2), (INDEX, 3)]
