"""audit-incomplete: a limit, a stop or a failure left URLs or sitemaps unchecked."""

import json
from typing import Any

import pytest

from sitemapaudit.items import Entries, Error, Kind, Page, Sitemap, SkipReason
from tests.pages.responses import SITE, URL, blocked, failed, head, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "audit-incomplete"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


def skipped(reason: SkipReason, *locs: str) -> Entries:
    entries = listed(*locs)
    for row in entries.rows:
        row.skip_reason = reason
    return entries


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (SkipReason.LIMIT, ["notice"]),
        (SkipReason.PAGES, []),
        (SkipReason.SAMPLE, []),
        (SkipReason.INCLUDE, []),
        (SkipReason.EXCLUDE, []),
        (SkipReason.SINCE, []),
        (SkipReason.SHARD, []),
    ],
)
def test_skipped_urls(reason: SkipReason, expected: list[str]) -> None:
    run = tables_of([READ, skipped(reason, URL)], RULE)
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected
    assert list(run.urls["verdict"]) == ["unchecked"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (page_of(head()), []),
        (page_of(status=403), ["notice"]),
        (blocked(), []),
        (failed(Error.TIMEOUT), ["notice"]),
        (failed(Error.LIMIT), ["notice"]),
        (failed(Error.INTERNAL), ["notice"]),
        (page_of(at=f"{SITE}/another"), ["notice"]),
    ],
)
def test_pages(page: Page, expected: list[str]) -> None:
    run = tables_of([READ, listed(URL), page], RULE)
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


@pytest.mark.parametrize(
    ("sitemap", "expected"),
    [
        (Sitemap(f"{SITE}/b.xml", error=Error.LIMIT), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", complete=False), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", error=Error.DNS), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", error=Error.REDIRECT_LOOP), []),
        (Sitemap(f"{SITE}/b.xml", status=503), ["notice"]),
        (Sitemap(f"{SITE}/b.xml", status=404), []),
    ],
)
def test_sitemaps(sitemap: Sitemap, expected: list[str]) -> None:
    run = tables_of([READ, sitemap, listed(URL), page_of(head())], RULE)
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


def test_a_stopped_run() -> None:
    run = tables_of(
        [READ, listed(URL, f"{SITE}/b"), page_of(head())], RULE, reason="the run was stopped"
    )
    ((_, severity, message),) = rule_on(run, RULE)
    assert severity == "notice"
    assert message == "left 1 listed URL unchecked: the run was stopped"


@pytest.mark.parametrize(
    "reason",
    [
        f"1 listed URL unchecked: {SITE}/b: a component of the project ignored it",
        "1,024 sitemaps could not be read: they return 403",
    ],
)
def test_a_reason_that_counts_is_not_preceded_by_another_count(reason: str) -> None:
    run = tables_of([READ, listed(URL, f"{SITE}/b"), page_of(head())], RULE, reason=reason)
    ((_, _, message),) = rule_on(run, RULE)
    assert message == f"is incomplete: {reason}"


def test_a_run_stopped_after_the_last_page() -> None:
    run = tables_of([READ, listed(URL), page_of(head())], RULE, reason="the run was stopped")
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
        (1_234, 0, "left 1,234 listed URLs unchecked"),
    ],
)
def test_message_contains_the_numbers(unchecked: int, unread: int, outcome: str) -> None:
    locs = [f"{SITE}/{number}" for number in range(unchecked)]
    limit: dict[str, Any] = {"error": Error.LIMIT, "error_detail": "AUDIT_MAX_DEPTH is 1"}
    sitemaps = [Sitemap(f"{SITE}/{number}.xml", **limit) for number in range(unread)]
    run = tables_of([READ, *sitemaps, skipped(SkipReason.LIMIT, *locs)], RULE)
    ((_, _, message),) = rule_on(run, RULE)
    limits = [f"AUDIT_MAX_DEPTH skipped {unread:,}"] if unread else []
    limits += [f"AUDIT_MAX_URLS skipped {unchecked:,}"] if unchecked else []
    assert message == f"{outcome}: {'; '.join(limits)}"
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert finding.subject == "site"
    evidence = json.loads(str(finding.evidence))
    assert (evidence["unchecked_urls"], evidence["unread_sitemaps"]) == (unchecked, unread)


def test_one_entry_that_was_not_skipped_is_enough() -> None:
    since = skipped(SkipReason.SINCE, URL)
    again = listed(URL, sitemap=f"{SITE}/b.xml")
    run = tables_of([READ, since, again], RULE)
    assert [severity for _, severity, _ in rule_on(run, RULE)] == ["notice"]
