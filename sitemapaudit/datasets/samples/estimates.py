"""The table ``estimates``: the shares of verdicts and rules, with bounds."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import astuple
from typing import Any, Final

import duckdb
from msgspec import Struct, field, structs

from sitemapaudit import verdicts
from sitemapaudit.audit import Audit
from sitemapaudit.bounds import strata as bounds
from sitemapaudit.bounds.allocation import Allocation
from sitemapaudit.bounds.hypergeometric import CONFIDENCE
from sitemapaudit.bounds.strata import Stratum
from sitemapaudit.bounds.tally import Tally
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.samples.sampling import (
    SampleChoice,
    count_omitted,
    read_allocation,
)
from sitemapaudit.items import Estimate, EstimateKind, EstimateScope, Subject, Verdict
from sitemapaudit.items.schema import ESTIMATES, columns
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.sample import Bounds, Sample
from sitemapaudit.urls.shard import WHOLE

_PARTS: Final = ("true", "uniform", "first")
"""The parts of a sample, by their conditions: all, the uniform draw, what chose the prior."""

OUTCOMES: Final = f"""
    select sample.*, verdict, verdict in ({verdicts.UNKNOWN}) as unknown, rules
    from sample join urls using (url) left join found_rules using (url)
"""

HITS: Final = f"""
    select '{EstimateKind.VERDICT}' as kind, verdict as name, * exclude (verdict, rules)
    from outcomes
    union all
    select '{EstimateKind.RULE}', rule, * exclude (rule)
    from (select unnest(rules) as rule, * exclude (verdict, rules) from outcomes)
"""
"""A row per class and drawn URL in it."""

SHARES: Final = f"({', '.join(f'{column.name} {column.type}' for column in columns(Estimate))})"
"""The columns of the table ``estimates``."""

_PLACES: Final = {
    EstimateScope.ALL: "null",
    EstimateScope.SITEMAP: "sitemap",
    EstimateScope.TEMPLATE: "template",
}

BOTH_RUNS: Final = 1 - (1 - CONFIDENCE) / 2
"""The confidence of bounds that are compared with those of another run (Bonferroni)."""

Class = tuple[EstimateKind, str]
"""The kind and the name of what a share is about."""

Key = Any
"""The key of a stratum."""


class _Place(Struct):
    """The strata of a place: populations, what was drawn, and what of it is in a class."""

    populations: dict[Key, int] = field(default_factory=dict)
    drawn: dict[Key, list[int]] = field(default_factory=dict)
    hits: dict[Class, dict[Key, list[int]]] = field(default_factory=lambda: defaultdict(dict))

    def strata(self, name: Class) -> Iterator[Stratum]:
        """Yield the strata, with the members of a class.

        What is unknown of a URL is unknown of all classes but those that it is in.
        """
        hits = self.hits.get(name, {})
        for key, population in self.populations.items():
            drawn, found = self.drawn.get(key, _NONE), hits.get(key, _NONE)
            parts = [Tally(drawn[at], found[at], drawn[at + 1] - found[at + 1]) for at in (0, 2, 4)]
            yield Stratum(population, *parts)


_NONE: Final = [0, 0] * len(_PARTS)


def fill_estimates(build: Build) -> None:
    """Fill the table ``estimates``, and record the estimates in the manifest."""
    if choice := SampleChoice.of(build.manifest):
        build.manifest.sample = _estimate_shares(build, choice)


def _estimate_shares(build: Build, choice: SampleChoice) -> Sample:
    """Fill the table ``estimates`` from ``strata``, ``outcomes`` and ``hits``.

    A class without any find has a row for all URLs: that is an answer too. The table is
    empty if the part of the sample that was fetched is not random.
    """
    connection = build.connection
    fault = _find_fault(connection, build.manifest)
    if fault:
        return Sample(0, 0, str(choice.margin) if choice.margin else None, fault=fault)
    allocation = read_allocation(connection, choice)
    rules = _page_rules(build.audit)
    every: list[Class] = [(EstimateKind.VERDICT, verdict.value) for verdict in Verdict]
    every += [(EstimateKind.RULE, name) for name in sorted(rules)]
    rows = []
    wide: Bounds | None = None
    for scope in EstimateScope:
        for place, strata in _read_places(connection, scope, allocation, rules).items():
            if scope is EstimateScope.ALL:
                members = strata.strata((EstimateKind.VERDICT, Verdict.INDEXABLE))
                both = _estimate(members, choice, allocation, BOTH_RUNS)
                wide = Bounds(both.share, both.low, both.high)
            classes = every if scope is EstimateScope.ALL else _classes(strata)
            for kind, name in classes:
                found = _estimate(strata.strata((kind, name)), choice, allocation)
                rows.append(Estimate(name, kind, scope, place, *structs.astuple(found)))
    marks = ", ".join("?" * len(columns(Estimate)))
    statement = f"insert into {ESTIMATES} values ({marks})"
    connection.executemany(statement, [astuple(row) for row in rows])
    sample = _summary(rows, choice)
    sample.for_comparison = wide
    sample.omitted = count_omitted(connection, choice)
    return sample


def _find_fault(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> str | None:
    """Return why the fetched URLs are not a random sample; None if they are.

    Which pages were fetched before a run ends depends on how fast they respond.
    """
    shard = manifest.arguments.get("shard", str(WHOLE))
    if shard != str(WHOLE) and not manifest.shards:
        return "one shard fetches only its part of it; merge the shards with `sitemapaudit report`"
    if manifest.status is not Status.FINISHED:
        return "the run ended before the sample was fetched"
    unfetched, drawn = connection.execute(
        f"select count(*) filter (verdict = '{Verdict.UNCHECKED}'), count(*) from outcomes"
    ).fetchall()[0]
    if not drawn:
        return "there was no URL to draw"
    verb = "was" if unfetched == 1 else "were"
    found = f"{unfetched:,} of {count_noun(drawn, 'drawn URL')} {verb} not fetched"
    return found if unfetched else None


def _page_rules(audit: Audit) -> list[str]:
    """Return the rules about single pages, without those about pages that a browser rendered."""
    return [
        name
        for name in audit.active
        if audit.rules[name].subject is Subject.PAGE
        and not audit.rules[name].compares_pages
        and not name.startswith("render-")
    ]


def _classes(place: _Place) -> list[Class]:
    return sorted({(EstimateKind.VERDICT, Verdict.INDEXABLE.value), *place.hits})


def _estimate(
    strata: Iterable[Stratum],
    choice: SampleChoice,
    allocation: Allocation,
    confidence: float = CONFIDENCE,
) -> bounds.Estimate:
    if choice.margin:
        return bounds.estimate_watched(strata, confidence)
    return bounds.estimate(strata, allocation.minimum, confidence)


def _read_places(
    connection: duckdb.DuckDBPyConnection,
    scope: EstimateScope,
    allocation: Allocation,
    rules: Container[str],
) -> Mapping[str | None, _Place]:
    """Return the places whose URLs were drawn.

    Without a minimum of each stratum, the sample of a place is uniform: it is one stratum.
    """
    place = _PLACES[scope]
    key = "(sitemap, template)" if allocation.minimum else "null"
    counts = ", ".join(
        f"count(*) filter ({part}), count(*) filter ({part} and unknown)" for part in _PARTS
    )
    drawn = f"select {place} as place from sample"
    places: dict[str | None, _Place] = defaultdict(_Place)
    query = connection.execute
    for name, stratum, population in query(
        f"select {place} as place, {key} as stratum, sum(population)::bigint from strata"
        f" where {place} is null or {place} in ({drawn}) group by all order by all"
    ).fetchall():
        places[name].populations[stratum] = population
    for name, stratum, *numbers in query(
        f"select {place} as place, {key} as stratum, {counts} from outcomes group by all"
    ).fetchall():
        places[name].drawn[stratum] = numbers
    for name, stratum, kind, what, *numbers in query(
        f"select {place} as place, {key} as stratum, kind, name, {counts} from hits group by all"
    ).fetchall():
        if kind == EstimateKind.VERDICT or what in rules:
            places[name].hits[EstimateKind(kind), what][stratum] = numbers
    return places


def _summary(rows: list[Estimate], choice: SampleChoice) -> Sample:
    shown = [
        row for row in rows if (row.scope, row.kind) == (EstimateScope.ALL, EstimateKind.VERDICT)
    ]
    sample = Sample(0, 0, str(choice.margin) if choice.margin else None)
    for row in shown:
        sample.drawn, sample.population = row.sampled, row.population
        sample.verdicts[row.name] = Bounds(row.share, row.low, row.high)
    return sample
