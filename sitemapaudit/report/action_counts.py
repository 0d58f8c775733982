"""Counts the places of each remedy: listed URLs by their verdicts, and other findings."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import duckdb
from msgspec import Struct, field

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.items import Severity
from sitemapaudit.report.remedies import (
    CONSEQUENCES,
    KEPT,
    VERDICT_REMEDIES,
    Remedy,
    VerdictRemedy,
    find_remedy,
    is_of_verdict,
    matches,
)
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.repair_counts import RepairCount

_JUDGED: Final = ", ".join(
    sql_string(verdict) for remedy in VERDICT_REMEDIES for verdict in remedy.verdicts
)
"""The verdicts that have a remedy."""

_EACH_FINDING: Final = """
    create temp view each_finding as
    from findings where occurrences = 1 union all by name from occurrences
"""

_SEVERITIES: Final = "select rule, severity, count(*) from each_finding group by all order by all"

_VERDICT_RULES: Final = f"""
    select verdict, rule, count(*)
    from (select verdict, unnest(rules) as rule from urls where verdict in ({_JUDGED}))
    group by all order by all
"""

_VERDICTS: Final = f"""
    select verdict, count(*), min(url) from urls where verdict in ({_JUDGED}) group by verdict
"""

_VERDICT_SITEMAPS: Final = """
    select count(distinct sitemap)
    from (select unnest(sitemaps) as sitemap from urls where verdict in $verdicts)
"""

_REMEDIES: Final = """
    create temp table remedies as
    select unnest($rules) as rule, unnest($remedies) as remedy,
        unnest($of_verdicts) as of_verdict, unnest($severities) as only_severity
"""

_SEVERITIES_IN_ORDER: Final = f"[{', '.join(map(sql_string, reversed(Severity)))}]"
"""The index of each of them is its ``severity_order``."""

_LISTED: Final = f"""
    with names as (
        select map(list(rule), list(remedy)) as every,
            map(list(rule) filter (not of_verdict), list(remedy) filter (not of_verdict)) as others
        from remedies where only_severity is not null
    )
    select remedy, only_severity as severity, url, sitemaps
    from (
        select url, sitemaps, unnest(list_distinct(list_filter(list_transform(
            rules, lambda rule: if(verdict in ({_JUDGED}), names.others[rule], names.every[rule])
        ), lambda remedy: remedy is not null))) as remedy
        from urls, names where len(rules) > 0
    ) join (select distinct remedy, only_severity from remedies) using (remedy)
"""
"""The listed URLs of each remedy whose findings have one severity: no finding is read."""

_LISTED_OF_SEVERITIES: Final = f"""
    with highest as (
        select remedy, hash(url) as key, min(severity_order(severity)) as every,
            min(severity_order(severity)) filter (not of_verdict) as others
        from each_finding join remedies using (rule)
        where only_severity is null and url is not null
        group by remedy, key
    )
    select remedy, {_SEVERITIES_IN_ORDER}[if(verdict in ({_JUDGED}), others, every)] as severity,
        url, sitemaps
    from urls join highest on key = hash(url)
    where not (verdict in ({_JUDGED}) and others is null)
"""
"""The listed URLs of the other remedies: each has the highest severity of its findings."""

_ELSEWHERE: Final = """
    select remedy, severity, coalesce(url, sitemap) as place, sitemap
    from each_finding anti join (select hash(url) as key from urls) on key = hash(url)
        join remedies using (rule)
"""

_SUMS: Final = (
    f"""
    create temp table places as
    select remedy, severity, sitemap, 0 as urls, count(*) as entries, min(place) as example
    from ({_ELSEWHERE}) group by remedy, severity, sitemap
    """,
    *(
        f"""
        insert into places
        select remedy, severity, sitemap,
            count_if(sitemap is not distinct from sitemaps[1]), 0, min(url)
        from (select *, unnest(sitemaps) as sitemap from ({listed}))
        group by remedy, severity, sitemap
        """
        for listed in (_LISTED, _LISTED_OF_SEVERITIES)
    ),
)
"""The places of the findings of each remedy, by severity and sitemap: listed URLs and others.

What is wrong with a URL that is not indexable is in the action of its verdict. Each statement has
one join of all findings, by digests: those of ten million URLs fit into the default memory.
"""

_PLACES: Final = """
    select remedy, severity, sum(urls)::bigint, sum(entries)::bigint, count(distinct sitemap),
        min(example)
    from places group by all order by all
"""


class Place(Struct):
    """The places of a remedy that have one severity: listed URLs, and other places.

    ``rules`` counts the findings of each rule, ``sitemaps`` the sitemaps of the places.
    """

    remedy: Remedy
    severity: Severity
    rules: Counter[str] = field(default_factory=Counter)
    urls: int = 0
    entries: int = 0
    sitemaps: int = 0
    example: str | None = None


def count_places(
    connection: duckdb.DuckDBPyConnection, rules: Catalog, repairs: Sequence[RepairCount]
) -> list[Place]:
    """Return the places of each remedy, for the tables of a run."""
    connection.execute(_EACH_FINDING)
    severities: dict[str, Counter[Severity]] = defaultdict(Counter)
    for rule, severity, number in connection.execute(_SEVERITIES).fetchall():
        if rule not in CONSEQUENCES:
            severities[rule][Severity(severity)] = number
    if not severities:
        return []
    of_verdicts = _count_verdicts(connection, severities, repairs)
    return [*of_verdicts, *_count_findings(connection, severities, rules)]


def _count_verdicts(
    connection: duckdb.DuckDBPyConnection,
    severities: Mapping[str, Counter[Severity]],
    repairs: Sequence[RepairCount],
) -> Iterator[Place]:
    """Yield the places of verdicts: each URL that is not indexable is in one of them.

    Rules can be switched off: where none has a finding, there is nothing to do.
    """
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict, rule, number in connection.execute(_VERDICT_RULES).fetchall():
        if rule in severities:
            rules[verdict][rule] = number
    whole = {name: rest for name, *rest in connection.execute(_VERDICTS).fetchall()}
    for remedy in VERDICT_REMEDIES:
        parts = [part for part in repairs if part.verdict in remedy.verdicts]
        found = Counter[str]()
        if remedy.change in (None, KEPT):
            counted = [whole[verdict] for verdict in remedy.verdicts if verdict in whole]
            for verdict in remedy.verdicts:
                found.update(rules[verdict])
        else:
            parts = [part for part in parts if part.change == remedy.change]
            counted = [[part.urls, part.example] for part in parts]
        if remedy.change is not None:
            changed = sum((Counter(part.rules) for part in parts), Counter[str]())
            found = found - changed if remedy.change == KEPT else changed
        found = Counter(
            {
                name: number
                for name, number in found.items()
                if name in severities and matches(name, remedy.rules)
            }
        )
        urls = sum(number for number, _ in counted)
        if remedy.change == KEPT:
            urls -= sum(part.urls for part in parts)
        if found and urls:
            place = Place(remedy, _most_common(found, severities), found, urls)
            place.sitemaps = _count_sitemaps(connection, remedy, parts)
            if remedy.change != KEPT:
                place.example = min(example for _, example in counted)
            yield place


def _most_common(found: Counter[str], severities: Mapping[str, Counter[Severity]]) -> Severity:
    """Return the severity that most of these findings have; the highest of several."""
    total: Counter[Severity] = Counter()
    for rule, number in found.items():
        ((severity, _),) = severities[rule].most_common(1)
        total[severity] += number
    return max(total, key=lambda each: (total[each], each.rank))


def _count_sitemaps(
    connection: duckdb.DuckDBPyConnection, remedy: VerdictRemedy, parts: Sequence[RepairCount]
) -> int:
    """Return how many sitemaps list the URLs of a place; 0 if that is unknown."""
    if remedy.change is None:
        values = {"verdicts": [*remedy.verdicts]}
        row = connection.execute(_VERDICT_SITEMAPS, values).fetchone()
        return int(row[0]) if row else 0
    return parts[0].sitemaps if len(parts) == 1 and remedy.change != KEPT else 0


def _count_findings(
    connection: duckdb.DuckDBPyConnection,
    severities: Mapping[str, Counter[Severity]],
    rules: Catalog,
) -> Iterator[Place]:
    """Yield the places of findings that no verdict stands for."""
    remedies = {rule: find_remedy(rule, rules) for rule in severities}
    by_title = {remedy.title + remedy.noun: remedy for remedy in remedies.values()}
    values = {
        "rules": [*remedies],
        "remedies": [remedy.title + remedy.noun for remedy in remedies.values()],
        "of_verdicts": [is_of_verdict(rule) for rule in remedies],
        "severities": [
            _only_severity(remedy, remedies, severities) for remedy in remedies.values()
        ],
    }
    connection.execute(_REMEDIES, values)
    for statement in _SUMS:
        connection.execute(statement)
    for name, severity, urls, entries, sitemaps, example in connection.execute(_PLACES).fetchall():
        remedy = by_title[name]
        found = Counter(
            {
                rule: severities[rule][Severity(severity)]
                for rule, its_remedy in remedies.items()
                if its_remedy == remedy and Severity(severity) in severities[rule]
            }
        )
        yield Place(remedy, Severity(severity), found, urls, entries, sitemaps, example)


def _only_severity(
    remedy: Remedy,
    remedies: Mapping[str, Remedy],
    severities: Mapping[str, Counter[Severity]],
) -> Severity | None:
    """Return the severity of all findings of a remedy; None if they have several."""
    found = {each for rule in remedies if remedies[rule] == remedy for each in severities[rule]}
    return found.pop() if len(found) == 1 else None
