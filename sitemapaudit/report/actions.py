"""The first things to do: three to five actions, by the number of URLs and the severity."""

from collections import Counter
from typing import Final

import duckdb
from msgspec import Struct, field

from sitemapaudit.datasets.merged_findings import NUMBER_FOUND
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.report.remedies import CONSEQUENCES, UNREADABLE, Remedy, find_remedy
from sitemapaudit.rules.catalog import Catalog

MAX_ACTIONS: Final = 5
FEW: Final = 3
"""Notices fill up to this number of actions, but never displace errors or warnings."""

_WEIGHTS: Final = {Severity.ERROR: 100, Severity.WARNING: 10, Severity.NOTICE: 1}
"""The weight of a URL with a finding of each severity."""

_FOUND: Final = f"""
    with found_urls as (select url from urls semi join findings using (url))
    select rule, severity, {NUMBER_FOUND},
        count(*) filter (listed is not true and occurrences = 1),
        coalesce(sum(occurrences) filter (occurrences > 1), 0)::bigint,
        min(coalesce(url, sitemap))
    from (select *, url in (from found_urls) as listed from findings)
    group by rule, severity
"""
"""The findings of each rule; those on no listed URL and merged ones are separate."""

_REMEDIES: Final = """
    create or replace temp table remedies as
    select unnest($rules) as rule, unnest($remedies) as remedy
"""

_URLS: Final = """
    create or replace temp table acted as
    select url, sitemaps, unnest(list_distinct(list_filter(
        list_transform(rules, lambda rule: names[rule]), lambda remedy: remedy is not null
    ))) as remedy
    from urls, (select map(list(rule), list(remedy)) as names from remedies)
    where len(rules) > 0
"""
"""The listed URLs of each remedy."""

_COUNTS: Final = """
    with places as (
        select remedy, unnest(sitemaps) as sitemap from acted
        union
        select remedies.remedy, sitemap from findings join remedies using (rule)
        where url is null and sitemap is not null
    ), numbers as (
        select remedy, count(*) as urls from acted group by remedy
    )
    select remedy, coalesce(any_value(urls), 0), count(distinct sitemap)
    from places left join numbers using (remedy) group by remedy
"""


class Action(Struct, frozen=True):
    """An action: the remedy of findings, and the number of places to apply it.

    ``urls`` counts the listed URLs with a finding, ``entries`` the findings on none of them,
    ``sitemaps`` the sitemaps of both. ``effect`` orders actions. ``repairs`` says whether
    ``sitemapaudit repair RUN`` does it. ``example`` is a URL or a sitemap.
    """

    title: str
    how: str
    severity: Severity
    rules: tuple[str, ...]
    urls: int
    entries: int
    sitemaps: int
    effect: int
    repairs: bool
    example: str | None


class _Found(Struct):
    """The findings of one remedy."""

    remedy: Remedy
    rules: Counter[str] = field(default_factory=Counter)
    severities: Counter[Severity] = field(default_factory=Counter)
    entries: int = 0
    merged: int = 0
    examples: list[str] = field(default_factory=list)

    def weight(self) -> float:
        """Return the weight of one of its places: severities can be mixed."""
        total = sum(_WEIGHTS[severity] * count for severity, count in self.severities.items())
        return total / self.severities.total()


def list_actions(connection: duckdb.DuckDBPyConnection, rules: Catalog) -> list[Action]:
    """Return the actions for the tables of a run, the one with the largest effect first."""
    remedies = _find_remedies(connection, rules)
    if not remedies:
        return []
    names = {rule: name for name, found in remedies.items() for rule in found.rules}
    connection.execute(_REMEDIES, {"rules": [*names], "remedies": [*names.values()]})
    connection.execute(_URLS)
    counts = {
        remedy: (urls, sitemaps)
        for remedy, urls, sitemaps in connection.execute(_COUNTS).fetchall()
    }
    typical = _median_sitemap(connection)
    actions = [
        _action(found, *counts.get(name, (0, 0)), typical) for name, found in remedies.items()
    ]
    return _choose(actions)


def _choose(actions: list[Action]) -> list[Action]:
    actions.sort(key=lambda each: (-each.effect, each.title))
    severe = [each for each in actions if each.severity is not Severity.NOTICE]
    notices = [each for each in actions if each.severity is Severity.NOTICE]
    return [*severe[:MAX_ACTIONS], *notices[: max(0, FEW - len(severe))]]


def _find_remedies(connection: duckdb.DuckDBPyConnection, rules: Catalog) -> dict[str, _Found]:
    """Return the findings of each remedy by its title."""
    remedies: dict[str, _Found] = {}
    for rule, severity, count, entries, merged, example in connection.execute(_FOUND).fetchall():
        if rule in CONSEQUENCES:
            continue
        remedy = find_remedy(rule, rules)
        found = remedies.setdefault(remedy.title + remedy.noun, _Found(remedy))
        found.rules[rule] += count
        found.severities[Severity(severity)] += count
        found.entries += entries
        found.merged += merged
        found.examples += [example] if example else []
    return remedies


def _median_sitemap(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number of entries of a typical sitemap, as an estimate for unreadable ones."""
    query = "select median(entries) from sitemaps where entries > 0"
    row = connection.execute(query).fetchone()
    return int(row[0]) if row and row[0] else 1


def _action(found: _Found, urls: int, sitemaps: int, typical: int) -> Action:
    remedy = found.remedy
    # Merged findings on URLs are counted by their URLs.
    entries = found.entries + (0 if urls else found.merged)
    places = urls + entries
    unreadable = remedy.title == UNREADABLE
    what = _count_places(remedy, urls, entries, sitemaps)
    where = count_noun(sitemaps, "sitemap") if sitemaps else "the sitemaps"
    return Action(
        title=remedy.title.format(what=what, where=where),
        how=remedy.how,
        severity=max(found.severities, key=lambda each: each.rank),
        rules=tuple(rule for rule, _ in found.rules.most_common()),
        urls=urls,
        entries=entries,
        sitemaps=sitemaps,
        effect=round(found.weight() * places * (typical if unreadable else 1)),
        repairs=remedy.repairs,
        example=min(found.examples, default=None),
    )


def _count_places(remedy: Remedy, urls: int, entries: int, sitemaps: int) -> str:
    """Return the number of places: URLs, sitemaps or other places."""
    if urls and urls >= entries:
        return count_noun(urls, remedy.noun)
    if sitemaps and entries <= sitemaps:
        return count_noun(sitemaps, "sitemap")
    return count_noun(entries, "place")
