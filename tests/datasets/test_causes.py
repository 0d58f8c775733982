"""What is missing in a run is a cause, with what helps."""

from typing import Any

import pytest

from sitemapaudit.datasets.causes import explain_incomplete
from sitemapaudit.datasets.obstacles import ALLOW, ALLOW_BUILD, ALLOW_STAGING
from sitemapaudit.items import Error, Kind, Sitemap
from sitemapaudit.runs.manifest import ShardRun, Status
from tests.rules.tables import Item, explain, manifest_of, transaction
from tests.support.rows import fetched_page, listed, sitemap_of

SITE = "https://www.example.com"
SHARDS = [ShardRun(f"{number}/3", "run", Status.FINISHED) for number in (1, 2, 3)]
READ = {"readable_sitemaps": 1}

Named = tuple[str, str, str | None]
"""The kind, the reason and the remedy of a cause."""


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (READ, []),
        (
            {"damage": {"pages": 2_000, "links": None}, "limits": {"AUDIT_MAX_PAGES": 1}},
            [("damage", "the ledger lost rows: 2,000 of pages, all of links", None)],
        ),
        (
            {"deployment_fault": "rule 2"},
            [
                (
                    "deployment",
                    "the hosting refuses to publish the build: rule 2",
                    "correct this rule",
                )
            ],
        ),
        (
            {"shards": SHARDS[1:2]},
            [
                (
                    "shards",
                    "shards 1 and 3 of 3 are missing: about 66.6 % of the URLs were not fetched",
                    None,
                )
            ],
        ),
        (
            {"shards": [ShardRun("4/4", "run", Status.FINISHED)]},
            [
                (
                    "shards",
                    "shards 1, 2 and 3 of 4 are missing: about 75.0 % of the URLs were not fetched",
                    None,
                )
            ],
        ),
        (
            {"shards": SHARDS[:2]},
            [
                (
                    "shards",
                    "shard 3 of 3 is missing: about 33.3 % of the URLs were not fetched",
                    None,
                )
            ],
        ),
        (
            READ | {"shards": SHARDS, "unread_sitemaps": 1},
            [("unread", "the shards did not read the same, or did not all finish", None)],
        ),
        (
            READ | {"unread_sitemaps": 1, "unchecked_urls": 2_000},
            [("unread", "1 sitemap and 2,000 listed URLs not read", None)],
        ),
        (
            {"limits": {"AUDIT_MAX_PAGES": 2_000, "max_depth": 1}},
            [
                ("limit", "AUDIT_MAX_PAGES skipped 2,000", "raise AUDIT_MAX_PAGES"),
                ("limit", "max_depth skipped 1", None),
            ],
        ),
        (
            READ | {"waiting_links": 1},
            [
                (
                    "links",
                    "1 linked URL that shards found is not fetched",
                    "resume each shard with found, and merge again",
                )
            ],
        ),
        (
            READ | {"waiting_links": 2, "unchecked_urls": 1},
            [
                ("unread", "1 listed URL not read", None),
                (
                    "links",
                    "2 linked URLs that shards found are not fetched",
                    "resume each shard with found, and merge again",
                ),
            ],
        ),
    ],
)
def test_what_a_manifest_counts_is_a_cause(counts: dict[str, Any], expected: list[Named]) -> None:
    manifest = manifest_of()
    for name, value in counts.items():
        setattr(manifest, name, value)
    manifest.unchecked_because = {"an earlier one": 1}
    with transaction() as connection:
        explain_incomplete(connection, manifest)
    found = [(cause.kind.value, cause.reason, cause.remedy) for cause in manifest.causes]
    assert found == expected
    assert manifest.unchecked_because == {}
    assert manifest.complete is not bool(expected)


OTHER = "https://other.example"
INDEX = listed(f"{OTHER}/s.xml", kind=Kind.SITEMAPINDEX)


@pytest.mark.parametrize(
    ("urls", "site", "reason"),
    [
        ([f"{SITE}/a", f"{OTHER}/b"], SITE, None),
        ([f"{OTHER}/a", f"{OTHER}/b"], SITE, f"2 URLs, such as {OTHER}/a, and none of {{}}"),
        ([f"{OTHER}/b"], SITE, f"1 URL, such as {OTHER}/b, and none of {{}}"),
        ([f"{SITE}/docs", f"{SITE}/b"], f"{SITE}/docs/", None),
        ([f"{SITE}/docs/a"], "www.example.com/docs", None),
        ([f"{SITE}/doc"], f"{SITE}/docs", f"1 URL, such as {SITE}/doc, and none of {{}}/docs/"),
        ([f"{SITE}/docsx"], [f" {SITE}/docs"], "1 URL, such as {0}x, and none of {0}/docs/"),
    ],
)
def test_a_build_of_another_place(
    urls: list[str], site: str | list[str], reason: str | None
) -> None:
    manifest = manifest_of(site=site, folder="dist")
    entries = listed(*urls)
    explain([sitemap_of(entries), entries, *map(fetched_page, urls)], manifest)
    host = SITE.removeprefix("https://")
    names = [(cause.kind.value, cause.reason) for cause in manifest.causes]
    if reason is None:
        assert "hosts" not in dict(names)
    else:
        reason = reason.replace("{0}x", f"{SITE}/docsx").replace("{0}", host).format(host)
        assert names[0] == ("hosts", f"the sitemaps name {reason}")
        assert "address of the site" in (manifest.remedy or "")


def test_a_build_of_another_place_is_the_only_cause_besides_limits() -> None:
    """Generators say where their setting is; an index counts, and both hosts of a build do."""
    manifest = manifest_of(site=SITE, sitemap=f"{SITE}:8443/s.xml", folder="dist")
    manifest.build_generator = "Hugo"
    index = Sitemap(f"{SITE}/sitemap.xml", status=200, kind=Kind.SITEMAPINDEX, entries=1)
    items: list[Item] = [index, INDEX]
    items += [Sitemap(f"{SITE}/c.xml", error=Error.LIMIT, error_detail="AUDIT_MAX_SITEMAPS is 2")]
    explain(items, manifest)
    places = "www.example.com or www.example.com:8443"
    assert [cause.reason for cause in manifest.causes] == [
        f"the sitemaps name 1 URL, such as {OTHER}/s.xml, and none of {places}",
        "AUDIT_MAX_SITEMAPS skipped 1",
    ]
    remedy = "Hugo: set baseURL in hugo.toml to the address of the site, and build with hugo, not"
    assert (manifest.causes[0].remedy or "").startswith(remedy)
    manifest = manifest_of(site=SITE, folder="dist")
    manifest.deployment_fault = "rule 2"
    explain(items, manifest)
    assert [cause.kind.value for cause in manifest.causes] == ["deployment", "limit"]


@pytest.mark.parametrize(
    ("folder", "generator", "starts"),
    [
        ("dist", "Jekyll", "Jekyll: "),
        ("dist", None, "give the URL of"),
        (None, "Jekyll", "give the URL of"),
    ],
)
def test_the_generator_of_a_build_without_a_sitemap_helps(
    folder: str | None, generator: str | None, starts: str
) -> None:
    manifest = manifest_of(site=SITE, folder=folder)
    manifest.build_generator = generator
    explain([], manifest)
    (cause,) = manifest.causes
    none = "robots.txt declares none, and there is none at the usual places"
    assert (cause.kind, cause.reason) == ("sitemaps", f"no sitemap could be read: {none}")
    assert (cause.remedy or "").startswith(starts)


def test_a_generator_does_not_help_if_robots_txt_of_a_build_disallows_the_sitemap() -> None:
    manifest = manifest_of(site=SITE, folder="dist")
    manifest.build_generator = "Jekyll"
    explain([Sitemap(f"{SITE}/sitemap.xml", error=Error.BLOCKED)], manifest)
    assert manifest.remedy == ALLOW_BUILD


def test_a_sitemap_that_failed_after_its_first_entry() -> None:
    entries, first = listed(f"{SITE}/a"), listed(f"{SITE}/b", sitemap=f"{SITE}/b.xml")
    half = Sitemap(f"{SITE}/b.xml", error=Error.TIMEOUT, kind=Kind.URLSET, entries=1)
    pages = [fetched_page(f"{SITE}/{name}") for name in "ab"]
    manifest = manifest_of()
    explain([sitemap_of(entries), half, entries, first, *pages], manifest)
    reason = "1 sitemap could not be read: www.example.com does not respond in time"
    assert (manifest.reason, manifest.failed_sitemaps) == (reason, 1)


@pytest.mark.parametrize(
    ("staging", "remedy"), [(None, ALLOW), ("https://staging.example", ALLOW_STAGING)]
)
def test_a_block_of_staging_can_be_set_aside(staging: str | None, remedy: str) -> None:
    manifest = manifest_of(site=SITE, staging=staging)
    explain([Sitemap(f"{SITE}/sitemap.xml", error=Error.BLOCKED)], manifest)
    assert manifest.remedy == remedy
