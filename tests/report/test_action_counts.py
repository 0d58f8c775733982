"""A law over random findings: the places of each remedy are those that a loop over them counts."""

from collections import defaultdict
from random import Random

import duckdb
import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.items import Severity
from sitemapaudit.report.action_counts import count_places
from sitemapaudit.report.remedies import (
    CONSEQUENCES,
    VERDICT_REMEDIES,
    Remedy,
    VerdictRemedy,
    find_remedy,
    is_of_verdict,
)
from sitemapaudit.rules.catalog import catalog

RULES = [rule for rule in catalog() if rule not in CONSEQUENCES]
JUDGED = [verdict for remedy in VERDICT_REMEDIES for verdict in remedy.verdicts]
MIXED = "canonical-elsewhere"
"""A rule whose remedy is that of rules about pages of any verdict, too."""

SITEMAPS = ("a", "b", "c")

Row = tuple[str, str, str | None, str]
"""The rule, severity, URL and sitemap of a finding."""

Listed = dict[str, tuple[str, list[str]]]
"""The verdict and the sitemaps of each listed URL."""


def random_site(random: Random) -> tuple[Listed, list[Row]]:
    verdicts = ["indexable", *random.sample(JUDGED, 2)]
    listed = {
        f"https://a.example/{number}": (
            random.choice(verdicts),
            sorted(random.sample(SITEMAPS, random.randint(1, 2))),
        )
        for number in range(random.randrange(1, 9))
    }
    # Rules of one remedy, some of which say what a verdict says, too.
    remedy = find_remedy(random.choice((random.choice(RULES), MIXED)), catalog())
    related = [rule for rule in RULES if find_remedy(rule, catalog()) == remedy]
    rules = [*related, *random.sample(RULES, 2)]
    severities = random.choice((["error"], ["error", "warning", "notice"]))
    places = [*listed, "https://a.example/elsewhere", None]
    findings = [
        (random.choice(rules), random.choice(severities), url, random.choice(SITEMAPS))
        for url in random.choices(places, k=random.randrange(1, 30))
    ]
    return listed, findings


def fill(connection: duckdb.DuckDBPyConnection, listed: Listed, findings: list[Row]) -> None:
    connection.execute(
        "create table findings (rule text, severity text, url text, sitemap text, occurrences int);"
        "create table occurrences as from findings;"
        "create table urls (url text, verdict text, sitemaps text[], rules text[])"
    )
    connection.executemany("insert into findings values (?, ?, ?, ?, 1)", findings)
    for url, (verdict, sitemaps) in listed.items():
        rules = sorted({rule for rule, _, its_url, _ in findings if its_url == url})
        connection.execute("insert into urls values (?, ?, ?, ?)", [url, verdict, sitemaps, rules])


def expected_places(
    listed: Listed, findings: list[Row]
) -> dict[tuple[Remedy, str], tuple[int, int, int, str]]:
    """Return the listed URLs, other places, sitemaps and an example, by remedy and severity."""
    highest: dict[tuple[Remedy, str], Severity] = {}
    found: dict[tuple[Remedy, str], list[tuple[str | None, list[str], str]]] = defaultdict(list)
    for rule, severity, url, sitemap in findings:
        remedy = find_remedy(rule, catalog())
        if url not in listed:
            found[remedy, severity].append((None, [sitemap], url or sitemap))
        elif not (is_of_verdict(rule) and listed[url][0] in JUDGED):
            known = highest.get((remedy, url), Severity.NOTICE)
            highest[remedy, url] = max(known, Severity(severity), key=lambda each: each.rank)
    for (remedy, url), severity in highest.items():
        found[remedy, severity].append((url, listed[url][1], url))
    return {
        key: (
            sum(url is not None for url, *_ in places),
            sum(url is None for url, *_ in places),
            len({sitemap for _, sitemaps, _ in places for sitemap in sitemaps}),
            min(place for *_, place in places),
        )
        for key, places in found.items()
    }


@pytest.mark.parametrize("seed", range(60))
def test_the_places_of_each_remedy(seed: int) -> None:
    listed, findings = random_site(Random(seed))
    with connect() as connection:
        fill(connection, listed, findings)
        counted = [
            place
            for place in count_places(connection, catalog(), [])
            if not isinstance(place.remedy, VerdictRemedy)
        ]
    assert {
        (place.remedy, place.severity): (place.urls, place.entries, place.sitemaps, place.example)
        for place in counted
    } == expected_places(listed, findings)
