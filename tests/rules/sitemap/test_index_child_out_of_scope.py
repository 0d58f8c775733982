"""index-child-out-of-scope: a child is on another origin, or outside the directory of the index."""

from sitemapaudit.items import Entries, Kind, Permission, Sitemap
from tests.rules.scope import SITE, file, policy
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import listed

RULE = "index-child-out-of-scope"
INDEX = f"{SITE}/a/b/index.xml"
CDN = "https://cdn.example.net"


def index(
    *children: str, at: str = INDEX, final: str | None = None, parent: str | None = None
) -> list[Sitemap | Entries]:
    row = file(at, kind=Kind.SITEMAPINDEX, final=final, parent=parent)
    return [row, listed(*children, sitemap=at, kind=Kind.SITEMAPINDEX)]


def found(run: Tables) -> dict[str, str]:
    """Return the severity of each child that is reported."""
    return {
        message.split(", ")[0].split()[1]: severity for _, severity, message in rule_on(run, RULE)
    }


def test_children_on_the_same_origin() -> None:
    inside = ["/a/b/c.xml", "/a/b/c/d.xml", "/a/b/", "/a/b/?x=1", "/a/%62/e.xml"]
    outside = ["/c.xml", "/a/c.xml", "/a/b", "/a/bc.xml", "/a/bc/d.xml", "/A/b/c.xml", "/x?/a/b/"]
    run = tables_of(index(*(SITE + path for path in inside + outside)), RULE)
    assert found(run) == {SITE + path: "warning" for path in outside}


def test_an_index_in_the_root_may_list_every_file_of_its_origin() -> None:
    children = [f"{SITE}/c.xml", f"{SITE}/a/b/c.xml", f"{SITE}/A/"]
    run = tables_of(index(*children, at=f"{SITE}/index.php?of=/a/b/"), RULE)
    assert found(run) == {}


def test_the_final_url_defines_the_scope() -> None:
    run = tables_of(
        [
            policy(SITE),
            *index(f"{SITE}/a/b/c.xml", f"{SITE}/d/e.xml", at=INDEX, final=f"{SITE}/d/index.xml"),
            *index(f"{CDN}/x.xml", f"{SITE}/x.xml", at=f"{SITE}/i.xml", final=f"{CDN}/i.xml"),
        ],
        RULE,
    )
    assert found(run) == {f"{SITE}/a/b/c.xml": "warning", f"{SITE}/x.xml": "error"}


def test_a_child_with_a_sitemap_line_of_its_own() -> None:
    named, unnamed = f"{SITE}/c.xml", f"{SITE}/d.xml"
    run = tables_of(
        [
            policy(SITE, INDEX, named),
            policy(CDN, unnamed),
            *index(named, unnamed),
            file(named, parent=INDEX),
            file(unnamed, parent=INDEX),
        ],
        RULE,
    )
    assert found(run) == {unnamed: "warning"}


def test_other_origins_that_do_not_declare_the_child() -> None:
    readable = {
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
        for child, permission in (readable | unknown).items()
    ]
    children = [*readable, *unknown, "https://unfetched.example/c.xml"]
    run = tables_of([policy(SITE, INDEX, *children), *policies, *index(*children)], RULE)
    assert found(run) == dict.fromkeys(readable, "error")


def test_other_origins_that_declare_the_child_or_the_index() -> None:
    by_child, by_index, other = CDN, "https://b.example", "https://c.example"
    children = [f"{origin}/c.xml" for origin in (by_child, by_index, other)]
    run = tables_of(
        [
            policy(by_child, f"{by_child}/c.xml"),
            policy(by_index, INDEX),
            policy(other, f"{other}/d.xml", f"{by_child}/c.xml"),
            *index(*children),
        ],
        RULE,
    )
    assert found(run) == {f"{other}/c.xml": "error"}


def test_other_origins_that_declare_an_index_above() -> None:
    above, second, child = f"{SITE}/above.xml", f"{SITE}/second.xml", f"{CDN}/c.xml"
    run = tables_of(
        [
            policy(CDN, above),
            *index(INDEX, at=above),
            *index(child, parent=above),
            *index(child, at=second),
            file(child, parent=second),
        ],
        RULE,
    )
    rows = run.findings[run.findings["rule"] == RULE]
    assert list(rows["sitemap"]) == [second]


def test_pages_are_not_checked() -> None:
    run = tables_of(
        [policy(CDN), file(INDEX), listed(f"{SITE}/c.html", f"{CDN}/c.html", sitemap=INDEX)],
        RULE,
    )
    assert found(run) == {}


def test_messages_and_place() -> None:
    children = [f"{SITE}/a/b/c.xml", f"{CDN}/c.xml", f"{SITE}/d.xml", f"{CDN}/c.xml"]
    run = tables_of([policy(CDN), *index(*children)], RULE)
    offsite = "is on another origin and not declared in the robots.txt there"
    assert [finding[1:] for finding in rule_on(run, RULE)] == [
        ("error", f"lists {CDN}/c.xml, which {offsite}"),
        ("warning", f"lists {SITE}/d.xml, which is outside {SITE}/a/b/"),
    ]
    rows = run.findings[run.findings["rule"] == RULE].sort_values("position")
    assert list(zip(rows["sitemap"], rows["position"], strict=True)) == [(INDEX, 2), (INDEX, 3)]
