"""audit-incomplete: a limit, a stop or a failure left something unchecked."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.items import Entries, Error, Kind, LeftOut, Page, Sitemap
from tests.pages.answers import SITE, URL, blocked, failed, head, page_of
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "audit-incomplete"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


def left_out(reason: LeftOut, *locs: str) -> Entries:
    entries = listed(*locs)
    for row in entries.rows:
        row.left_out = reason
    return entries


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (LeftOut.LIMIT, ["notice"]),
        (LeftOut.PAGES, []),
        (LeftOut.SAMPLE, []),
        (LeftOut.INCLUDE, []),
        (LeftOut.EXCLUDE, []),
        (LeftOut.SINCE, []),
        (LeftOut.SHARD, []),
    ],
)
def test_left_out(tmp_path: Path, reason: LeftOut, expected: list[str]) -> None:
    run = build_run(tmp_path, [READ, left_out(reason, URL)])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected
    assert list(run.urls["verdict"]) == ["unchecked"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (page_of(head()), []),
        (page_of(status=403), []),
        (blocked(), []),
        (failed(Error.TIMEOUT), []),
        (failed(Error.LIMIT), ["notice"]),
        (failed(Error.INTERNAL), ["notice"]),
        (page_of(at=f"{SITE}/another"), ["notice"]),
    ],
)
def test_page(tmp_path: Path, page: Page, expected: list[str]) -> None:
    run = build_run(tmp_path, [READ, listed(URL), page])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


@pytest.mark.parametrize(
    ("sitemap", "expected"),
    [
        (Sitemap(f"{SITE}/b.xml", error=Error.LIMIT), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", complete=False), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", error=Error.DNS), []),
        (Sitemap(f"{SITE}/b.xml", status=404), []),
    ],
)
def test_sitemap(tmp_path: Path, sitemap: Sitemap, expected: list[str]) -> None:
    run = build_run(tmp_path, [READ, sitemap, listed(URL), page_of(head())])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


def test_a_stop(tmp_path: Path) -> None:
    run = build_run(
        tmp_path, [READ, listed(URL, f"{SITE}/b"), page_of(head())], reason="the run was stopped"
    )
    ((_, severity, message),) = rule_on(run, RULE)
    assert severity == "notice"
    assert message == "left 1 listed URL unchecked: the run was stopped"


def test_a_stop_behind_the_last_page(tmp_path: Path) -> None:
    run = build_run(tmp_path, [READ, listed(URL), page_of(head())], reason="the run was stopped")
    ((_, severity, message),) = rule_on(run, RULE)
    assert (severity, message) == ("notice", "ended early: the run was stopped")


@pytest.mark.parametrize(
    ("unchecked", "unread", "outcome"),
    [
        (1, 0, "left 1 listed URL unchecked"),
        (2, 0, "left 2 listed URLs unchecked"),
        (0, 1, "left 1 sitemap unread"),
        (0, 2, "left 2 sitemaps unread"),
        (1, 1, "left 1 listed URL unchecked and 1 sitemap unread"),
        (3, 2, "left 3 listed URLs unchecked and 2 sitemaps unread"),
        (11, 21, "left 11 listed URLs unchecked and 21 sitemaps unread"),
    ],
)
def test_the_numbers_are_named(tmp_path: Path, unchecked: int, unread: int, outcome: str) -> None:
    locs = [f"{SITE}/{number}" for number in range(unchecked)]
    limit: dict[str, Any] = {"error": Error.LIMIT, "error_detail": "AUDIT_MAX_DEPTH is 1"}
    sitemaps = [Sitemap(f"{SITE}/{number}.xml", **limit) for number in range(unread)]
    run = build_run(tmp_path, [READ, *sitemaps, left_out(LeftOut.LIMIT, *locs)])
    ((_, _, message),) = rule_on(run, RULE)
    told = [f"AUDIT_MAX_DEPTH left out {unread}"] if unread else []
    told += [f"AUDIT_MAX_URLS left out {unchecked}"] if unchecked else []
    assert message == f"{outcome}: {', '.join(told)}"
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert finding.subject == "site"
    evidence = json.loads(str(finding.evidence))
    assert (evidence["unchecked"], evidence["unread"]) == (unchecked, unread)


def test_one_entry_that_is_not_left_out_is_enough(tmp_path: Path) -> None:
    chosen = left_out(LeftOut.SINCE, URL)
    again = listed(URL, sitemap=f"{SITE}/b.xml")
    run = build_run(tmp_path, [READ, chosen, again])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == ["notice"]
