"""The counts of a manifest."""

import pytest

from sitemapaudit.datasets.counts import count_results, count_revalidated, count_unfinished
from sitemapaudit.items import (
    DeclaredSitemap,
    Error,
    Kind,
    Page,
    RecheckResult,
    Revalidation,
    Robots,
    Role,
    Sitemap,
    SkipReason,
)
from sitemapaudit.items.schema import TABLES
from sitemapaudit.runs.manifest import Manifest, ShardRun, Status
from sitemapaudit.runs.reused_run import ReusedRun
from tests.rules.tables import (
    Item,
    fill_tables,
    insert,
    manifest_in_memory,
    manifest_of,
    transaction,
)
from tests.support.rows import SITEMAP, fetched_page, listed, rendered

SITE = "https://www.example.com"
OTHER = "https://other.example"


def revalidated(*pages: Page, reason: str | None = None) -> ReusedRun | None:
    """Return what a run with these pages reused."""
    manifest = manifest_of()
    manifest.reused = ReusedRun("earlier", reason, 5)
    with transaction() as connection:
        insert(connection, pages, None)
        fill_tables(connection, {"pages"}, manifest)
        count_revalidated(connection, manifest)
    return manifest.reused


def test_revalidated_pages_are_counted() -> None:
    other = [
        fetched_page(f"{SITE}/{number}", revalidation=Revalidation.CHANGED) for number in (1, 2)
    ]
    same = fetched_page(f"{SITE}/3", revalidation=Revalidation.SAME)
    again = fetched_page(f"{SITE}/4", recheck=RecheckResult.REFETCHED)
    failed = fetched_page(f"{SITE}/5", recheck=RecheckResult.CONFIRMED)
    found = revalidated(*other, same, again, failed)
    assert found == ReusedRun("earlier", None, 5, {"changed": 2, "same": 1}, 1)
    assert [*found.revalidated] == ["changed", "same"]
    assert revalidated(again) == ReusedRun("earlier", None, 5, {}, 1)
    none = "this audit revalidated none of its pages"
    assert revalidated(failed) == ReusedRun("earlier", none, 5)
    assert revalidated(failed, reason="no tables") == ReusedRun("earlier", "no tables", 5)


def test_a_run_that_reuses_nothing_counts_nothing() -> None:
    manifest = manifest_of()
    with transaction() as connection:
        count_revalidated(connection, manifest)
    assert manifest.reused is None


RELATIVE = "https://index.example"


def sitemap(name: str, **values: object) -> Sitemap:
    return Sitemap(f"{SITE}/{name}.xml", **{"status": 200, "kind": Kind.URLSET, **values})  # type: ignore[arg-type]


def test_sitemaps_are_counted() -> None:
    items: list[Item] = [
        sitemap("index", kind=Kind.SITEMAPINDEX),
        listed(f"{SITE}/child.xml", sitemap=f"{SITE}/index.xml", kind=Kind.SITEMAPINDEX),
        sitemap("child"),
        sitemap("html", kind=Kind.HTML),
        sitemap("unknown", kind=Kind.UNKNOWN),
        sitemap("failed", status=500, kind=Kind.UNKNOWN),
        sitemap("limit", status=None, error=Error.LIMIT, error_detail="AUDIT_MAX_SITEMAPS is 2"),
        sitemap("long", truncated=True),
        sitemap("half", complete=False),
    ]
    manifest = manifest_in_memory(items)
    assert manifest.readable_sitemaps == 4
    assert manifest.unread_sitemaps == 4
    assert manifest.failed_sitemaps == 1
    assert manifest.limits == {"AUDIT_MAX_SITEMAPS": 1, "the length of a sitemap": 1}


@pytest.mark.parametrize(
    ("site", "expected"),
    [(SITE, []), (f"{SITE},{OTHER},https://c.example", ["https://c.example"])],
)
def test_sites_without_a_sitemap(site: str, expected: list[str]) -> None:
    declared = DeclaredSitemap(1, SITEMAP, SITEMAP)
    items: list[Item] = [
        Robots(SITE, f"{SITE}/robots.txt"),
        Robots(OTHER, f"{OTHER}/robots.txt", sitemaps=[declared]),
        Robots("https://c.example", "https://c.example/robots.txt"),
        Robots("https://cdn.example", "https://cdn.example/robots.txt", audited=False),
        Sitemap(SITEMAP, status=200, kind=Kind.URLSET),
        Sitemap("https://c.example/s.xml", status=200, kind=Kind.HTML),
        Sitemap("https://c.example/t.xml", status=200, kind=Kind.UNKNOWN),
    ]
    assert manifest_in_memory(items, site=site).sites_without_sitemap == expected


def test_an_index_is_a_sitemap_of_its_site_if_one_that_it_lists_can_be_read() -> None:
    """The others can be on another host, and the indexes can be nested or list themselves."""
    index, gone = f"{SITE}/index.xml", f"{OTHER}/gone.xml"
    items: list[Item] = [
        Robots(SITE, f"{SITE}/robots.txt"),
        sitemap("index", kind=Kind.SITEMAPINDEX),
        sitemap("inner", kind=Kind.SITEMAPINDEX),
        listed(f"{SITE}/inner.xml", index, sitemap=index, kind=Kind.SITEMAPINDEX),
        listed("https://cdn.example/s.xml", sitemap=f"{SITE}/inner.xml", kind=Kind.SITEMAPINDEX),
        Sitemap("https://cdn.example/s.xml", status=200, kind=Kind.URLSET),
        Robots(OTHER, f"{OTHER}/robots.txt"),
        Sitemap(f"{OTHER}/index.xml", status=200, kind=Kind.SITEMAPINDEX, entries=1),
        listed(gone, sitemap=f"{OTHER}/index.xml", kind=Kind.SITEMAPINDEX),
        Sitemap(gone, status=404),
        Robots(RELATIVE, f"{RELATIVE}/robots.txt"),
        Sitemap(f"{RELATIVE}/index.xml", status=200, kind=Kind.SITEMAPINDEX, entries=1),
        listed("/a.xml", sitemap=f"{RELATIVE}/index.xml", kind=Kind.SITEMAPINDEX),
    ]
    several = manifest_in_memory(items, site=f"{SITE},{OTHER},{RELATIVE}")
    without = [RELATIVE, OTHER]
    assert several.sites_without_sitemap == without
    missing = f"{gone} returns 404: there is no such file"
    relative = f"{RELATIVE}/index.xml is an index, and its only loc is not a full URL"
    reason = (
        f"no sitemap of {', '.join(without)} could be read: {relative}, such as /a.xml, {missing}"
    )
    assert several.reason == reason
    alone = manifest_in_memory(items[6:10], site=OTHER)
    assert alone.reason == f"no sitemap could be read: {missing}"


def test_urls_that_were_not_checked_are_counted() -> None:
    """The URLs of another shard are missing in a merged run only."""
    reasons = [None, None, None, *SkipReason]
    entries = listed(*(f"{SITE}/{number}" for number in range(len(reasons))))
    for row, reason in zip(entries.rows, reasons, strict=True):
        row.skip_reason = reason
    items: list[Item] = [entries, fetched_page(f"{SITE}/0")]
    manifest = manifest_in_memory(items)
    assert manifest.unchecked_urls == 2 + 2
    assert manifest.limits == {"AUDIT_MAX_HOSTS": 1, "AUDIT_MAX_URLS": 1}
    manifest = manifest_of()
    manifest.shards = [ShardRun("1/1", "run", Status.FINISHED, damage={"pages": 2})]
    manifest.unfollowed = {"AUDIT_MAX_LINKED": 3}
    manifest.ledger_rows = {"pages": 3}
    count(items, manifest)
    assert manifest.unchecked_urls == 2 + 3
    assert manifest.limits == {"AUDIT_MAX_HOSTS": 1, "AUDIT_MAX_URLS": 1, "AUDIT_MAX_LINKED": 3}
    assert manifest.damage == {"pages": 2 + 3}


def count(items: list[Item], manifest: Manifest) -> None:
    """Count what a run with these items did not do."""
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, {"urls", "sitemaps", "robots", "entries", "pages"}, manifest)
        count_unfinished(connection, manifest, [])


def test_listed_pages_are_counted() -> None:
    """Their text is probably made by scripts if it is short, and a browser did not render them."""
    read = {"is_html": True, "noindex": False}
    pages = [
        fetched_page(f"{SITE}/a", **read, words=49, scripts=1),
        fetched_page(f"{SITE}/b", **read, words=49, scripts=0),
        fetched_page(f"{SITE}/c", **read, words=50, scripts=1),
        fetched_page(f"{SITE}/d", **read, words=0, scripts=2),
        fetched_page(f"{SITE}/e", **read, words=0, scripts=2),
        fetched_page(f"{SITE}/f", is_html=False, words=0, scripts=2),
        fetched_page(f"{SITE}/g", is_html=True, words=0, scripts=2),
    ]
    urls = [page.url for page in pages]
    linked = fetched_page(f"{SITE}/linked", **read, words=0, scripts=2, role="linked")
    items: list[Item] = [listed(*urls), *pages, linked]
    items += [rendered(pages[3]), rendered(pages[4], error=Error.TIMEOUT)]
    manifest = manifest_in_memory(items)
    assert (manifest.read_pages, manifest.script_pages) == (5, 1)
    assert (manifest.rendered_pages, manifest.failed_renderings) == (2, 1)


LISTED, BUILT, REDIRECT = Role.LISTED, Role.BUILT, Role.REDIRECT


@pytest.mark.parametrize(
    ("stated", "shown", "expected"),
    [
        ([], [], [("Jekyll", 1)]),
        (
            [("Own", LISTED)],
            ["Wix", "Hugo", "Hugo", "Gatsby"],
            [("Own", 1), ("Hugo", 2), ("Gatsby", 1), ("Wix", 1)],
        ),
        (
            [("b", LISTED), ("Hugo 1", BUILT), ("Hugo 1", REDIRECT), ("Wix", Role.CANONICAL)],
            ["Wix"],
            [("Hugo 1", 2), ("b", 1)],
        ),
        (
            [("Hugo", LISTED), *((chr(number), LISTED) for number in range(ord("a"), ord("z")))],
            [],
            [("Hugo", 1), *((chr(number), 1) for number in range(ord("a"), ord("t")))],
        ),
    ],
)
def test_generators_are_counted(
    stated: list[tuple[str, Role]], shown: list[str], expected: list[tuple[str, int]]
) -> None:
    """Sitemaps count if no page names a known one, and files of a build if these show none."""
    items: list[Item] = [
        fetched_page(f"{SITE}/{number}", generator=name, role=role)
        for number, (name, role) in enumerate(stated)
    ]
    items += [sitemap(f"{number}", generator=name) for number, name in enumerate(shown)]
    manifest = manifest_of()
    manifest.build_generator = "Jekyll"
    count(items, manifest)
    assert [*manifest.generators.items()] == expected


FINDINGS = [("c", "error", 1), ("b", "error", 2), ("a", "notice", 1)]
"""Rules, severities, and how many findings were merged."""


def test_results_are_counted() -> None:
    """The most frequent ones come first."""
    entries = listed(*(f"{SITE}/{name}" for name in "abcd"))
    entries.rows[3].skip_reason = SkipReason.SAMPLE
    gone = [fetched_page(f"{SITE}/{name}", 404) for name in "bc"]
    items: list[Item] = [sitemap("a"), entries, fetched_page(f"{SITE}/a", noindex=False), *gone]
    manifest = manifest_of()
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, TABLES, manifest)
        insertion = "insert into findings (rule, severity, occurrences) values (?, ?, ?)"
        connection.executemany(insertion, FINDINGS)
        count_results(connection, manifest)
    found = [manifest.verdicts, manifest.skipped, manifest.severities, manifest.rules]
    assert [[*each.items()] for each in found] == [
        [("not-found", 2), ("indexable", 1), ("unchecked", 1)],
        [("sample", 1)],
        [("error", 3), ("notice", 1)],
        [("b", 2), ("a", 1), ("c", 1)],
    ]
    rows = {"sitemaps": 1, "entries": 4, "pages": 3, "urls": 4, "findings": 3}
    assert manifest.rows == dict.fromkeys(TABLES, 0) | rows
