"""One rule reports that robots.txt or a sitemap could not be read; no rule reports its content."""

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Error, Robots, Sitemap, Subject
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import RowRule
from tests.rules.robots.files import DECLARED, robots
from tests.rules.sitemap.files import PAGE, compressed, index, read, response, url, urlset

Outcome = int | Error
HTML = "<!doctype html><title>Not found</title>"
NO_RESPONSE: set[Outcome] = {
    Error.DNS, Error.ENCODING, Error.INVALID_HTTP, Error.PRIVATE_ADDRESS, Error.REFUSED,
    Error.RESET, Error.TIMEOUT, Error.TLS, Error.TRUNCATED,
}  # fmt: skip

Reported = dict[str, tuple[str, set[Outcome]]]

ROBOTS: Reported = {
    "robots-access-denied": ("warning", {401, 403, 407}),
    "robots-missing": ("notice", {*range(400, 500)} - {401, 403, 407, 429}),
    "robots-unreachable": (
        "error",
        {*range(100, 200), 429, *range(500, 1000), *NO_RESPONSE} - {Error.PRIVATE_ADDRESS},
    ),
}
SITEMAPS: Reported = {
    "sitemap-access-denied": ("warning", {401, 403, 429}),
    "sitemap-http-error": ("error", {*range(300, 1000)} - {401, 403, 429}),
    "sitemap-unreachable": ("error", NO_RESPONSE),
}
"""The severity of each rule about outcomes, and the statuses and errors that it reports."""

ROBOTS_UNREPORTED: set[Outcome] = {*range(300, 400), Error.PRIVATE_ADDRESS, Error.INTERNAL}
SITEMAPS_UNREPORTED: set[Outcome] = {*range(100, 200), Error.BLOCKED, Error.INTERNAL, Error.LIMIT}
"""Other outcomes without content."""

OTHERS = {"index-cycle", "index-nested", "robots-redirect-chain", "sitemap-redirected"}
"""Rules about more than one response."""

ROBOTS_FAULTS: list[str] = [
    "",
    HTML,
    f"{DECLARED}\n{DECLARED}\nSitemap: /a\nDisallow: /\xe9\nContent-Signal: search",
    DECLARED.ljust(2**20),
]
SITEMAP_FAULTS: list[str | bytes] = [
    "",
    "{}",
    HTML,
    "PK\x03\x04",
    compressed(urlset())[:-1],
    "\n" + urlset(url("https://www.example.com/?a&b")),
    "<!DOCTYPE urlset><urlset/>",
    urlset(url("https://www.example.com/\xe9")).encode("latin-1"),
    urlset(url(more='<image:image xmlns:image="http://example.com/"/>')),
    f"{PAGE}\n" * 45_000,
    f"{PAGE}\n" * 50_001,
    PAGE.ljust(52_428_801),
    index(*[PAGE] * 50_001),
]
"""Files that together break every rule about the content of a file."""

SAMPLE: list[Outcome] = [304, 401, 403, 404, 429, 500, 503, Error.TIMEOUT]


def read_robots(body: str | bytes, outcome: Outcome = 200, *, audited: bool = True) -> Robots:
    """Return the row of a robots.txt with this content and outcome."""
    if isinstance(outcome, Error):
        return robots(body, None, error=outcome, audited=audited)
    return robots(body, outcome, audited=audited)


def read_sitemap(body: str | bytes, outcome: Outcome = 200) -> Sitemap:
    """Return the row of a sitemap with this content and outcome, and a media type of HTML."""
    if isinstance(outcome, Error):
        received = response(body, None, error=outcome)
    else:
        received = response(body, outcome)
    received.headers["content-type"] = ["text/html"]
    return read(received)


def findings_on(row: Robots | Sitemap) -> list[tuple[str, str]]:
    """Return rule and severity of each finding."""
    return [(finding.rule, finding.severity.value) for finding in Audit().examine(row)]


def expected_for(outcome: Outcome, reported: Reported) -> list[tuple[str, str]]:
    return [
        (rule, severity) for rule, (severity, outcomes) in reported.items() if outcome in outcomes
    ]


def rules_about_content(subject: Subject) -> set[str]:
    rules = {rule.id for rule in catalog().values() if issubclass(rule, RowRule)}
    mine = {rule for rule in rules if catalog()[rule].subject is subject}
    return mine - ROBOTS.keys() - SITEMAPS.keys() - OTHERS


def test_each_outcome_of_robots_txt_is_reported_by_its_rule_alone() -> None:
    outcomes = ROBOTS_UNREPORTED.union(*(outcomes for _, outcomes in ROBOTS.values()))
    assert {each: findings_on(read_robots(HTML, each)) for each in outcomes} == {
        each: expected_for(each, ROBOTS) for each in outcomes
    }


def test_each_outcome_of_a_sitemap_is_reported_by_its_rule_alone() -> None:
    outcomes = SITEMAPS_UNREPORTED.union(*(outcomes for _, outcomes in SITEMAPS.values()))
    assert {each: findings_on(read_sitemap(HTML, each)) for each in outcomes} == {
        each: expected_for(each, SITEMAPS) for each in outcomes
    }


def test_these_files_break_each_rule_about_content() -> None:
    """Another rule needs a file in ``ROBOTS_FAULTS`` or ``SITEMAP_FAULTS`` that breaks it."""
    found = {rule for body in ROBOTS_FAULTS for rule, _ in findings_on(read_robots(body))}
    found |= {rule for body in SITEMAP_FAULTS for rule, _ in findings_on(read_sitemap(body))}
    rules = rules_about_content(Subject.ROBOTS) | rules_about_content(Subject.SITEMAP)
    assert rules == found


def test_content_is_read_with_every_status_of_success() -> None:
    for status in range(200, 300):
        for body in ("", HTML):
            assert findings_on(read_robots(body, status)) == findings_on(read_robots(body))
            assert findings_on(read_sitemap(body, status)) == findings_on(read_sitemap(body))


@pytest.mark.parametrize("outcome", SAMPLE)
def test_unread_content_is_not_reported(outcome: Outcome) -> None:
    for body in ROBOTS_FAULTS:
        assert findings_on(read_robots(body, outcome)) == expected_for(outcome, ROBOTS)
    for text in SITEMAP_FAULTS:
        assert findings_on(read_sitemap(text, outcome)) == expected_for(outcome, SITEMAPS)


@pytest.mark.parametrize("outcome", [200, *SAMPLE])
def test_robots_txt_of_another_host_is_not_reported(outcome: Outcome) -> None:
    for body in ROBOTS_FAULTS:
        assert findings_on(read_robots(body, outcome, audited=False)) == []
