"""The manifest of a run: what follows from its values."""

import json
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sitemapaudit.runs.cause import Cause, CauseKind
from sitemapaudit.runs.manifest import NAME, Manifest, ShardRun, Status
from sitemapaudit.runs.sample import Sample
from sitemapaudit.schema_version import SCHEMA_VERSION

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
FAILED = Cause(CauseKind.FAILED_SITEMAPS, "1 sitemap could not be read")


COUNTS = [
    each.name
    for each in fields(Manifest)
    if each.name not in ("arguments", "settings", "versions", "started", "status", "schema_version")
]


def manifest_of(arguments: dict[str, Any] | None = None, **values: Any) -> Manifest:
    """Return the manifest of a complete run, but for these values."""
    given = {"status": Status.FINISHED, "complete": True, **values}
    return Manifest(arguments or {}, {}, {}, "2026-11-21T12:00:00Z", **given)


@pytest.mark.parametrize(
    ("arguments", "hosts", "path"),
    [
        ({"site": "www.example.com"}, [], ""),
        ({"folder": "dist"}, [], ""),
        ({"folder": "dist", "site": "b.example/c/, a.example"}, ["a.example", "b.example"], "/c"),
        ({"folder": "dist", "site": ["http://a.example:81"]}, ["a.example:81"], ""),
        ({"folder": "dist", "sitemap": "https://a.example/b/s.xml"}, ["a.example"], ""),
        ({"folder": "dist", "site": ":", "sitemap": "a.example/s.xml"}, ["a.example"], ""),
    ],
)  # fmt: skip
def test_the_place_of_a_build(arguments: dict[str, Any], hosts: list[str], path: str) -> None:
    manifest = manifest_of(arguments)
    assert (manifest.build_hosts, manifest.build_path) == (hosts, path)


def test_the_origins_of_staging() -> None:
    staging = "a.example=https://b.example,https://b.example,c.example=c.example,https://a.example,"
    origins = ["https://a.example", "https://b.example"]
    assert manifest_of({"staging": staging}).staging_origins == origins
    assert manifest_of().staging_origins == []


@pytest.mark.parametrize(
    ("values", "site", "expected"),
    [
        ({}, "demo", False),
        ({"causes": [FAILED]}, "demo", True),
        ({"causes": [FAILED, FAILED]}, "demo-later", True),
        ({"causes": [FAILED]}, "demo.example", False),
        ({"causes": [FAILED], "status": Status.INTERRUPTED}, "demo", False),
        ({"causes": [FAILED, Cause(CauseKind.LIMIT, "")]}, "demo", False),
    ],
)
def test_the_demo_misses_only_what_fails_on_purpose(
    values: dict[str, Any], site: str, expected: bool
) -> None:
    assert manifest_of({"site": site}, **values).is_demo is expected


ERRORS = {"severities": {"error": 1, "notice": 2}}


@pytest.mark.parametrize(
    ("values", "fail_on", "zero", "status"),
    [
        ({}, "notice", False, 0),
        (ERRORS, "never", False, 0),
        (ERRORS, "error", False, 1),
        ({"severities": {"warning": 1}}, "error", False, 0),
        ({"severities": {"warning": 1}}, "warning", False, 1),
        ({"severities": {"notice": 1}}, "warning", False, 0),
        ({"severities": {"notice": 1}}, "notice", False, 1),
        (ERRORS, "error", True, 0),
        (ERRORS | {"complete": False}, "error", False, 3),
        ({"complete": False}, "never", True, 0),
        ({"complete": False, "status": Status.FAILED}, "never", True, 3),
        ({"failed_formats": {"xlsx": "x"}}, "never", False, 3),
        ({"failed_formats": {"xlsx": "x"}}, "never", True, 0),
        ({"failed_formats": {"tables": "x"}}, "never", True, 3),
        ({"complete": False, "postponed": True}, "never", False, 0),
        ({"complete": False, "postponed": True, "status": Status.FAILED}, "never", False, 3),
    ],
)
def test_exit_statuses(values: dict[str, Any], fail_on: str, zero: bool, status: int) -> None:
    assert manifest_of(**values).exit_status(fail_on, zero=zero) == status


def test_a_new_manifest_counts_nothing() -> None:
    new = Manifest({}, {}, {}, "")
    values = [getattr(new, name) for name in COUNTS]
    assert not any(values), dict(zip(COUNTS, values, strict=True))
    assert new.status is Status.RUNNING


@pytest.mark.parametrize(("urls", "expected"), [(None, True), ("", True), ("list.txt", False)])
def test_a_list_of_urls_is_audited_without_sitemaps(urls: str | None, expected: bool) -> None:
    assert manifest_of({"urls": urls}).reads_sitemaps is expected


def test_kinds_of_causes_have_their_names() -> None:
    assert all(kind.value == kind.name.lower().replace("_", "-") for kind in CauseKind)


def test_a_later_version_is_refused() -> None:
    text = msgspec.json.encode(manifest_of())
    assert Manifest.parse(text) == manifest_of()
    later = text.replace(b'"schema_version":', b'"later":1,"schema_version":1')
    with pytest.raises(ValueError, match=rf"is 1{SCHEMA_VERSION}, .* reads {SCHEMA_VERSION}: "):
        Manifest.parse(later)


def test_a_written_manifest_is_text_with_the_share(tmp_path: Path) -> None:
    sample = Sample(3, 9)
    counts: dict[str, Any] = {"verdicts": {"indexable": 2, "not-found": 1, "unchecked": 6}}
    shards = [ShardRun("1/2", "run", Status.FINISHED)]
    manifest = manifest_of(sample=sample, unread_sitemaps=1, shards=shards, **counts)
    assert (manifest.share.sample, manifest.share.unread_sitemaps) == (sample, 1)
    manifest.write(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [NAME]
    assert Manifest.read(tmp_path) == manifest
    text = (tmp_path / NAME).read_text()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    share = {"indexable": 2, "judged": 3, "percent": 66.6, "undetermined": {}, "skipped": 6}
    assert json.loads(text)["share"] == share | {"bounds": None}


def test_lost_rows_that_are_fetched_again() -> None:
    manifest = manifest_of(damage={"pages": 2, "links": None}, repaired_damage={"pages": 1})
    manifest.record_repair({"pages": 3, "lines": 4})
    assert (manifest.damage, manifest.repaired_damage) == ({}, {"pages": 4, "lines": 4})


def test_a_resumed_run_knows_nothing_of_its_end() -> None:
    ended: dict[str, Any] = {
        "reason": "it was stopped", "finished": "2026-11-21T12:01:00Z", "gate": "failed",
        "remedy": "resume it", "causes": [FAILED], "unfollowed": {"AUDIT_MAX_LINKED": 1},
        "similar": {"/*": 1}, "ledger_rows": {"pages": 1},
    }  # fmt: skip
    manifest = manifest_of(**ended, status=Status.INTERRUPTED, job="1", complete=False)
    manifest.mark_resumed(NOW, None)
    expected = manifest_of(
        status=Status.RUNNING, job="1", complete=False, resumed=["2026-11-21T12:00:00Z"]
    )
    assert manifest == expected
    manifest.mark_resumed(NOW, "2")
    assert (manifest.job, len(manifest.resumed)) == ("2", 2)
    manifest.mark_interrupted(NOW)
    assert (manifest.status, manifest.reason, manifest.finished) == (
        Status.INTERRUPTED,
        "the run was interrupted",
        "2026-11-21T12:00:00Z",
    )
    manifest.status, manifest.reason = Status.FAILED, "a fault"
    manifest.mark_interrupted(NOW)
    assert (manifest.status, manifest.reason) == (Status.FAILED, "a fault")


def test_the_reason_of_a_run_is_made_of_its_causes() -> None:
    causes = [
        Cause(CauseKind.LIMIT, "A skipped 1", "raise A"),
        FAILED,
        Cause(CauseKind.LIMIT, "A skipped 2", "raise A"),
        Cause(CauseKind.LIMIT, "B skipped 1", "raise B"),
    ]
    manifest = manifest_of()
    manifest.decide_complete(causes)
    assert manifest.reason == "; ".join(cause.reason for cause in causes)
    assert (manifest.remedy, manifest.complete) == ("raise A; raise B", False)
    manifest.decide_complete([])
    assert [manifest.reason, manifest.remedy, manifest.complete] == [None, None, True]
    stopped = manifest_of(status=Status.INTERRUPTED, reason="it was stopped", remedy="resume it")
    stopped.decide_complete(causes)
    assert (stopped.reason, stopped.remedy, stopped.complete) == (
        "it was stopped",
        "resume it",
        False,
    )


def test_editions_and_arguments() -> None:
    manifest = manifest_of(
        {"site": "a.example", "pages": None, "agent": "", "depth": 0},
        checked_rules=["a", "b"],
        rule_editions={"a": "2", "c": "3"},
    )
    assert [manifest.rule_edition(rule) for rule in "abc"] == ["2", "1", None]
    assert manifest.given == {"site": "a.example", "depth": 0}
