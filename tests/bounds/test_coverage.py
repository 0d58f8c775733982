"""At least 95 % of all samples have an interval with the truth, in populations of every kind."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from sitemapaudit.bounds.allocation import allocate
from sitemapaudit.bounds.hypergeometric import fixed_interval
from sitemapaudit.bounds.strata import Stratum, estimate
from sitemapaudit.bounds.tally import Tally
from sitemapaudit.bounds.watched import prior_size, watched_interval

SAMPLES = 10_000
WATCHED = 3_000
"""Samples that are looked at many times: the share that holds is known to 0.4 percent."""
SIZES = (200, 2_000, 50_000, 1_000_000)
SHARES = (0.0, 0.001, 0.01, 0.05, 0.2, 0.5)


@pytest.mark.parametrize("population", SIZES)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("sampled", [50, 150, 500])
def test_intervals_of_a_sample_hold(population: int, share: float, sampled: int) -> None:
    sampled = min(sampled, population)
    count = round(population * share)
    draw = np.random.default_rng(19).hypergeometric
    found = Counter(draw(count, population - count, sampled, SAMPLES).tolist())
    held = sum(
        number
        for each, number in found.items()
        if within(count, fixed_interval(population, sampled, each))
    )
    assert held >= 0.95 * SAMPLES


@pytest.mark.parametrize("population", SIZES)
@pytest.mark.parametrize("share", SHARES)
def test_intervals_hold_while_a_sample_is_watched(population: int, share: float) -> None:
    """A sample counts as held only if its interval held at every look."""
    count = round(population * share)
    first, *looks = looks_at(population)
    generator = np.random.default_rng(6)
    prior = generator.hypergeometric(count, population - count, first, WATCHED)
    found, drawn, held = prior, first, np.full(WATCHED, fill_value=True)
    for look in looks:
        rest = count - found
        found = found + generator.hypergeometric(
            rest, population - drawn - rest, look - drawn, WATCHED
        )
        drawn = look
        known = {
            pair: within(count, watched_interval(population, (first, pair[0]), (look, pair[1])))
            for pair in set(zip(prior.tolist(), found.tolist(), strict=True))
        }
        held &= [known[pair] for pair in zip(prior.tolist(), found.tolist(), strict=True)]
    assert held.sum() >= 0.95 * WATCHED


def looks_at(population: int) -> list[int]:
    """Return after how many draws a sample is looked at, the first draws for the prior."""
    first = min(prior_size(0.01), population // 10)
    last = min(population // 2, 20_000)
    return sorted({int(first * 1.5**look) for look in range(20) if first * 1.5**look <= last})


CLUSTERED = ((60_000, 0.0), (20_000, 0.02), (3_000, 0.5), (150, 0.9), (40, 0.1), (8, 1.0))
"""The sizes of strata, with the share of each."""


@pytest.mark.parametrize(
    "chosen", [range(6), [2, 3], [3, 4, 5], [0, 5], [3], [4]], ids=lambda each: str(list(each))
)
def test_intervals_of_groups_of_strata_hold(chosen: list[int]) -> None:
    group = [CLUSTERED[number] for number in chosen]
    count = sum(round(size * share) for size, share in group)
    samples, minimum = stratified_samples(500, SAMPLES)
    intervals = [estimate([strata[number] for number in chosen], minimum) for strata in samples]
    population = sum(size for size, _ in group)
    held = sum(
        each.low * population <= count + 1e-6 and each.high * population >= count - 1e-6
        for each in intervals
    )
    assert held >= 0.95 * len(intervals)


@cache
def stratified_samples(size: int, number: int) -> tuple[list[list[Stratum]], int]:
    """Return samples of the clustered population, as they are drawn from a run."""
    generator = np.random.default_rng(7)
    sizes = [size for size, _ in CLUSTERED]
    allocation = allocate(size, sizes)
    uniform = generator.multivariate_hypergeometric(sizes, allocation.uniform, number).T
    columns = []
    for (population, share), drawn in zip(CLUSTERED, uniform, strict=True):
        count = round(population * share)
        found = generator.hypergeometric(count, population - count, drawn)
        more = np.maximum(min(allocation.minimum, population) - drawn, 0)
        rest = count - found
        added = generator.hypergeometric(rest, population - drawn - rest, more)
        rows = np.column_stack((drawn + more, found + added, drawn, found)).tolist()
        columns.append([Stratum(population, Tally(*row[:2]), Tally(*row[2:])) for row in rows])
    return [list(strata) for strata in zip(*columns, strict=True)], allocation.minimum


def within(count: int, interval: tuple[int, int]) -> bool:
    low, high = interval
    return low <= count <= high
