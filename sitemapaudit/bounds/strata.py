"""The interval of a share in a group of strata, from the sample of each."""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import Self

from msgspec import Struct

from sitemapaudit.bounds.hypergeometric import CONFIDENCE, fixed_interval
from sitemapaudit.bounds.tally import NOTHING, Tally
from sitemapaudit.bounds.watched import watched_interval


class Stratum(Struct, frozen=True):
    """A stratum and its sample; ``uniform`` is the part of the sample from the uniform draw.

    In a watched sample, ``first`` is the part that chooses the prior.
    """

    population: int
    sample: Tally = NOTHING
    uniform: Tally = NOTHING
    first: Tally = NOTHING


class Estimate(Struct, frozen=True):
    """An estimate of how many of a ``population`` belong to a class, with bounds.

    ``share`` is the best guess, from 0 to 1; None without a known member.
    ``low`` counts each unknown member as outside the class, ``high`` as inside.
    """

    share: float | None
    low: float
    high: float
    found: int
    unknown: int
    sampled: int
    population: int

    @classmethod
    def of(
        cls, share: float | None, counts: tuple[int, int], sample: Tally, population: int
    ) -> Self:
        """Return an estimate from the lowest and highest count, and what the sample shows itself.

        A count may come from the uniform draw alone: all drawn members are known nevertheless.
        """
        others = sample.drawn - sample.found - sample.unknown
        least, most = max(counts[0], sample.found), min(counts[1], population - others)
        low, high = least / population, most / population
        if share is not None:
            share = min(max(share, low), high)
        return cls(share, low, high, sample.found, sample.unknown, sample.drawn, population)


def estimate(strata: Iterable[Stratum], minimum: int, confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the share of a class in one or more strata of a sample.

    ``minimum`` is that of the allocation. Strata that were taken whole are known. For the
    rest, the uniform draw is a simple random sample, so its exact interval applies. A single
    stratum is a simple random sample with all its members. If the minimum of each stratum says more
    about the rest than the uniform draw, the intervals of the strata are added up, each at a level
    that covers all of them at once (Bonferroni). The choice depends on sizes, never on results.
    """
    strata = list(strata)
    sample = sum((each.sample for each in strata), NOTHING)
    population = sum(each.population for each in strata)
    whole = [each for each in strata if each.population <= minimum]
    rest = [each for each in strata if each.population > minimum]
    parts = [(each.population, each.sample) for each in whole]
    parts += _parts(rest, minimum, confidence)
    level = 1 - (1 - confidence) / max(len(parts) - len(whole), 1)
    counts = [_counts(number, drawn, level) for number, drawn in parts]
    least, most = (sum(bounds) for bounds in zip(*counts, strict=True))
    return Estimate.of(_share(parts), (least, most), sample, population)


def estimate_watched(strata: Iterable[Stratum], confidence: float = CONFIDENCE) -> Estimate:
    """Estimate the share of a class from a uniform sample that was watched while it grew."""
    strata = list(strata)
    sample = sum((each.sample for each in strata), NOTHING)
    first = sum((each.first for each in strata), NOTHING)
    population = sum(each.population for each in strata)
    low, _ = watched_interval(population, first.lowest, sample.lowest, confidence)
    _, high = watched_interval(population, first.highest, sample.highest, confidence)
    return Estimate.of(_share([(population, sample)]), (low, high), sample, population)


def _parts(rest: Sequence[Stratum], minimum: int, confidence: float) -> list[tuple[int, Tally]]:
    """Return the samples for the strata that were not taken whole."""
    if not rest:
        return []
    total = sum(each.population for each in rest)
    uniform = sum((each.uniform for each in rest), NOTHING)
    if len(rest) == 1 or _is_narrower(len(rest), minimum, uniform.drawn, confidence):
        return [(each.population, each.sample) for each in rest]
    return [(total, uniform)]


def _is_narrower(strata: int, minimum: int, uniform: int, confidence: float) -> bool:
    """Return whether a minimum from each stratum is more precise than a uniform draw.

    The widths are those of Hoeffding's inequality, which does not depend on the outcome.
    """
    if not uniform or not minimum:
        return bool(minimum)
    error = 1 - confidence
    return sqrt(log(2 * strata / error) / minimum) < sqrt(log(2 / error) / uniform)


def _counts(population: int, sample: Tally, confidence: float) -> tuple[int, int]:
    low, _ = fixed_interval(population, *sample.lowest, confidence)
    _, high = fixed_interval(population, *sample.highest, confidence)
    return low, high


def _share(parts: Iterable[tuple[int, Tally]]) -> float | None:
    """Return the share among known members, weighted by the population of each part."""
    found = total = 0.0
    for population, sample in parts:
        known = sample.drawn - sample.unknown
        if known:
            found += population * sample.found / known
            total += population
    return found / total if total else None
