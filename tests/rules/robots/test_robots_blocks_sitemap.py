"""robots-blocks-sitemap: the robots.txt of its host disallows a declared sitemap."""

import json
from dataclasses import replace

from sitemapaudit.items import Error, Permission, Robots, Sitemap, SitemapSource
from tests.rules.scope import SITE, policy
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check
from tests.support.rows import NOW, SITEMAP

RULE = "robots-blocks-sitemap"
ROBOTS = f"{SITE}/robots.txt"
CDN = "https://cdn.example.net"
REMOTE = f"{CDN}/sitemap.xml"


def sitemap(at: str = SITEMAP, error: Error | None = Error.BLOCKED, hops: int = 0) -> Sitemap:
    return Sitemap(at, source=SitemapSource.ROBOTS, error=error, hops=hops, fetched_at=NOW)


def test_message_and_place() -> None:
    tables = tables_of([policy(SITE, SITEMAP), sitemap()], RULE, agent="Bingbot")
    message = f"declares the sitemap {SITEMAP}, which the same file disallows for Bingbot"
    assert rule_on(tables, RULE) == [(ROBOTS, "error", message)]
    (row,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert row.sitemap == SITEMAP
    assert json.loads(str(row.evidence)) == {
        "relation": "declares",
        "blocked_sitemap": SITEMAP,
        "blocked_by": "the same file",
        "agent": "Bingbot",
    }


def test_only_sitemaps_that_the_robots_txt_of_their_host_disallows_are_found() -> None:
    cases: dict[str, list[Robots | Sitemap]] = {
        "disallowed": [policy(SITE, SITEMAP), sitemap()],
        "sitemap-was-read": [policy(SITE, SITEMAP), sitemap(error=None)],
        "other-error": [policy(SITE, SITEMAP), sitemap(error=Error.TIMEOUT)],
        "after-a-redirect": [policy(SITE, SITEMAP), sitemap(hops=1)],
        "not-declared": [policy(SITE), sitemap()],
        "other-sitemap-declared": [policy(SITE, f"{SITE}/other.xml"), sitemap()],
        "robots-5xx": [policy(SITE, SITEMAP, permission=Permission.NONE), sitemap()],
        "not-audited": [replace(policy(SITE, SITEMAP), audited=False), sitemap()],
        "sitemap-host-5xx": [
            policy(SITE, REMOTE),
            policy(CDN, permission=Permission.NONE),
            sitemap(REMOTE),
        ],
        "sitemap-host-unknown": [policy(SITE, REMOTE), sitemap(REMOTE)],
    }
    check(RULE, [(name, name == "disallowed") for name in cases], cases.__getitem__, len)


def test_the_robots_txt_of_the_sitemap_host_decides() -> None:
    tables = tables_of([policy(SITE, REMOTE), policy(CDN), sitemap(REMOTE)], RULE)
    message = f"declares the sitemap {REMOTE}, which {CDN}/robots.txt disallows for Googlebot"
    assert rule_on(tables, RULE) == [(ROBOTS, "error", message)]


def test_a_given_sitemap_needs_no_line() -> None:
    given = replace(sitemap(), source=SitemapSource.GIVEN)
    tables = tables_of([replace(policy(SITE), audited=False), given], RULE)
    message = f"applies to the sitemap {SITEMAP}, which the same file disallows for Googlebot"
    assert rule_on(tables, RULE) == [(ROBOTS, "error", message)]


def test_one_finding_per_robots_txt_and_sitemap() -> None:
    policies = [policy(SITE, SITEMAP, SITEMAP, REMOTE), policy(CDN, REMOTE)]
    findings = rule_on(tables_of([*policies, sitemap(), sitemap(REMOTE)], RULE), RULE)
    assert [url for url, _, _ in findings] == [f"{CDN}/robots.txt", ROBOTS, ROBOTS]
