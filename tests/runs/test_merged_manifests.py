"""The manifest of a merged run keeps what its shards recorded and the tables do not say."""

from dataclasses import fields, replace
from typing import Any, Final

from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.merging.shards import NamedRun, merged_manifest
from sitemapaudit.runs.reused_run import ReusedRun
from sitemapaudit.urls.shard import Shard

URL: Final = "https://www.example.com/"
KEPT: Final[dict[str, Any]] = {
    "settings": {"AUDIT_SEED": 3},
    "versions": {"scrapy": "2.19"},
    "set_by": {"site": "command line"},
    "finished": "2026-11-21T12:00:09Z",
    "resumed": ["2026-11-21T12:00:05Z"],
    "refused": {"503": 2},
    "rested": 2.5,
    "compared_agents": [ComparedAgents(URL, "403", "200", browser_denied=False)],
    "compared_canonicals": [ComparedCanonicals(URL, ["Googlebot"], ["Bingbot"])],
    "set_aside": {"headers": 2},
    "unfollowed": {"AUDIT_MAX_LINKED": 2},
    "unchecked_media": {"AUDIT_MAX_URLS": 2},
    "similar": {"/a": 2},
    "link_domains": ["example.com"],
    "request_digest": "digest",
    "first_addresses": {"www.example.com": ["10.0.0.1"]},
    "reused": ReusedRun("run", pages=2),
    "repaired_damage": {"pages": 2},
    "preset": "hugo",
    "build_generator": "Hugo",
    "deployment_fault": "a rule",
}
"""What only the crawl knows, with a value for each."""

OWN: Final = {"arguments", "started", "status", "reason", "shards", "schema_version"}
"""What a merged run has of its own, and of all shards."""

COUNTED: Final = {
    "complete", "readable_sitemaps", "unread_sitemaps", "failed_sitemaps", "sites_without_sitemap",
    "unchecked_urls", "unchecked_because", "limits", "unanswered", "read_pages", "script_pages",
    "rendered_pages", "failed_renderings", "causes", "remedy", "waiting_links", "rows", "verdicts",
    "skipped", "severities", "rules", "checked_rules", "rule_editions", "broken_rules", "damage",
    "ledger_rows", "compared_with", "changes", "repairs", "repairs_by_verdict", "links", "agents",
    "failed_formats", "sample", "generators", "likely_causes", "gate", "postponed", "job",
}  # fmt: skip
"""What results say again when they are built, and what belongs to a job or a command."""


def test_a_merged_run_keeps_what_its_shards_recorded() -> None:
    plain = Manifest({"shard": "1/2"}, {}, {}, "2026-11-21T12:00:00Z", Status.FINISHED)
    noted = replace(plain, arguments={"shard": "2/2"}, **KEPT)
    for manifests in ((plain, noted), (noted, plain)):
        runs = [NamedRun(str(number), each) for number, each in enumerate(manifests)]
        merged = merged_manifest(runs, {Shard(1, 2): {}, Shard(2, 2): {}})
        of_first = {"settings", "versions", "set_by", "link_domains", "request_digest"}
        for name, value in KEPT.items():
            if name not in of_first or manifests[0] is noted:
                assert getattr(merged, name) == value, name


def merge(*noted: dict[str, Any]) -> Manifest:
    """Return the manifest of a run of shards, of which each has noted some values."""
    plain = Manifest({}, {}, {}, "2026-11-21T12:00:00Z", Status.FINISHED)
    parts = [Shard(number, len(noted)) for number in range(1, len(noted) + 1)]
    runs = [
        NamedRun(str(part), replace(plain, **{"arguments": {}, **values}))
        for part, values in zip(parts, noted, strict=True)
    ]
    for part, run in zip(parts, runs, strict=True):
        run.manifest.arguments = run.manifest.arguments | {"shard": str(part)}
    return merged_manifest(runs, {part: {} for part in parts})


def test_what_some_shards_reused_is_named() -> None:
    nothing = {"reused": ReusedRun(reason="there is no earlier run")}
    some = {"reused": ReusedRun("run", pages=2)}
    assert merge(nothing, some, some).reused == ReusedRun("run", pages=2)
    # The runs of the shards before them have other pages.
    before = some | {"arguments": {"reuse": "latest"}}
    assert merge(nothing, before, before).reused == ReusedRun("run", pages=4)
    assert merge(nothing, nothing).reused == nothing["reused"]
    assert merge({}, {}).reused is None


def test_each_shard_ignores_the_same_robots_txt_and_other_responses() -> None:
    merged = merge({"set_aside": {"robots": 1, "headers": 2}}, {"set_aside": {"robots": 1}})
    assert merged.set_aside == {"robots": 1, "headers": 2}


def test_each_property_of_a_run_is_kept_or_counted_again() -> None:
    assert {field.name for field in fields(Manifest)} == KEPT.keys() | OWN | COUNTED
