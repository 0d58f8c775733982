"""robots-blocks-sitemap: a declared sitemap may not be read, by its own host's robots.txt."""

from dataclasses import replace
from pathlib import Path

import pytest

from sitemapaudit.items import Error, Permission, Robots, Sitemap, Source
from tests.rules.scope import SITE, policy
from tests.support import NOW, SITEMAP, build_run, rule_on

RULE = "robots-blocks-sitemap"
ROBOTS = f"{SITE}/robots.txt"
CDN = "https://cdn.example.net"
REMOTE = f"{CDN}/sitemap.xml"


def kept(at: str = SITEMAP, error: Error | None = Error.BLOCKED, hops: int = 0) -> Sitemap:
    return Sitemap(at, source=Source.ROBOTS, error=error, hops=hops, fetched_at=NOW)


def test_message_and_place(tmp_path: Path) -> None:
    run = build_run(tmp_path, [policy(SITE, SITEMAP), kept()], agent="Bingbot")
    message = f"declares the sitemap {SITEMAP}, which Bingbot may not read by the same file"
    assert rule_on(run, RULE) == [(ROBOTS, "error", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert row.sitemap == SITEMAP


@pytest.mark.parametrize(
    "items",
    [
        [policy(SITE, SITEMAP), kept(error=None)],
        [policy(SITE, SITEMAP), kept(error=Error.TIMEOUT)],
        [policy(SITE, SITEMAP), kept(hops=1)],
        [policy(SITE), kept()],
        [policy(SITE, f"{SITE}/other.xml"), kept()],
        [policy(SITE, SITEMAP, permission=Permission.NONE), kept()],
        [replace(policy(SITE, SITEMAP), judged=False), kept()],
        [policy(SITE, REMOTE), policy(CDN, permission=Permission.NONE), kept(REMOTE)],
        [policy(SITE, REMOTE), kept(REMOTE)],
    ],
    ids=[
        "read",
        "other-error",
        "behind-a-redirect",
        "not-declared",
        "another",
        "robots-5xx",
        "not-judged",
        "host-5xx",
        "host-not-known",
    ],
)
def test_nothing(tmp_path: Path, items: list[Robots | Sitemap]) -> None:
    assert rule_on(build_run(tmp_path, items), RULE) == []


def test_the_host_of_the_sitemap_forbids(tmp_path: Path) -> None:
    run = build_run(tmp_path, [policy(SITE, REMOTE), policy(CDN), kept(REMOTE)])
    message = f"declares the sitemap {REMOTE}, which Googlebot may not read by {CDN}/robots.txt"
    assert rule_on(run, RULE) == [(ROBOTS, "error", message)]


def test_two_lines_are_one_finding_and_two_files_are_two(tmp_path: Path) -> None:
    policies = [policy(SITE, SITEMAP, SITEMAP, REMOTE), policy(CDN, REMOTE)]
    found = rule_on(build_run(tmp_path, [*policies, kept(), kept(REMOTE)]), RULE)
    assert [url for url, _, _ in found] == [f"{CDN}/robots.txt", ROBOTS, ROBOTS]
