"""Measures how often intervals of a sample hold, and how many pages a margin takes.

``PYTHONPATH=. python benchmarks/bounds.py``

Each cell draws 10,000 samples of a population with a known share. A watched interval counts as held
only if it held at every look while the sample grew. No network, and no pages: only draws.
"""

from __future__ import annotations

from collections import Counter
from math import exp, lgamma
from statistics import median

import numpy as np

from sitemapaudit.bounds.allocation import allocate
from sitemapaudit.bounds.hypergeometric import fixed_interval
from sitemapaudit.bounds.strata import Stratum, estimate
from sitemapaudit.bounds.tally import Tally
from sitemapaudit.bounds.watched import next_size, prior_size, watched_interval

SAMPLES = 10_000
SIZES = (200, 2_000, 50_000, 1_000_000)
SHARES = (0.0, 0.001, 0.01, 0.05, 0.2, 0.5)
SAMPLED = 150
PARTS = ((0.7, 0.5), (0.25, 1.5), (0.05, 5.5))
"""Strata: the part of the population, and how much of the share it has."""


def plain(population: int, share: float) -> float:
    """Return the coverage of a uniform sample of a fixed size."""
    count = round(population * share)
    found = np.random.default_rng(1).hypergeometric(count, population - count, SAMPLED, SAMPLES)
    held = 0
    for each, number in Counter(found.tolist()).items():
        low, high = fixed_interval(population, SAMPLED, each)
        held += number * (low <= count <= high)
    return held / SAMPLES


def stratified(population: int, share: float) -> float:
    """Return the coverage for all strata together, with a minimum of each."""
    generator = np.random.default_rng(2)
    sizes = [round(population * part) for part, _ in PARTS]
    counts = [
        min(round(size * share * factor), size)
        for size, (_, factor) in zip(sizes, PARTS, strict=True)
    ]
    allocation = allocate(SAMPLED, sizes)
    uniform = generator.multivariate_hypergeometric(sizes, allocation.uniform, SAMPLES).T
    columns = []
    for size, count, drawn in zip(sizes, counts, uniform, strict=True):
        found = generator.hypergeometric(count, size - count, drawn)
        more = np.maximum(min(allocation.minimum, size) - drawn, 0)
        rest = count - found
        added = generator.hypergeometric(rest, size - drawn - rest, more)
        rows = np.column_stack((drawn + more, found + added, drawn, found)).tolist()
        columns.append([Stratum(size, Tally(*row[:2]), Tally(*row[2:])) for row in rows])
    held = 0
    for strata in zip(*columns, strict=True):
        each = estimate(strata, allocation.minimum)
        held += each.low * sum(sizes) - 1e-6 <= sum(counts) <= each.high * sum(sizes) + 1e-6
    return held / SAMPLES


def exact(population: int, share: float) -> float | None:
    """Return the exact coverage that ``stratified`` simulates, without the noise of draws.

    That is the sum over all outcomes of its uniform draw; None if a small stratum is taken whole.
    """
    sizes = [round(population * part) for part, _ in PARTS]
    counts = [
        min(round(size * share * factor), size)
        for size, (_, factor) in zip(sizes, PARTS, strict=True)
    ]
    allocation = allocate(SAMPLED, sizes)
    if min(sizes) <= allocation.minimum:
        return None
    count, drawn, total = sum(counts), allocation.uniform, 0.0
    for found in range(min(count, drawn) + 1):
        low, high = fixed_interval(population, drawn, found)
        if low <= count <= high:
            total += exp(
                _log_choose(count, found)
                + _log_choose(population - count, drawn - found)
                - _log_choose(population, drawn)
            )
    return total


def _log_choose(total: int, chosen: int) -> float:
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)


def watched(population: int, share: float) -> float:
    """Return the part of growing samples whose interval held at every look."""
    generator = np.random.default_rng(3)
    count = round(population * share)
    first = min(prior_size(0.01), population // 10)
    last = min(population // 2, 20_000)
    looks = [round(first * 1.5**look) for look in range(1, 20) if first * 1.5**look <= last]
    prior = generator.hypergeometric(count, population - count, first, SAMPLES)
    found, drawn, held = prior, first, np.full(SAMPLES, fill_value=True)
    for look in looks:
        rest = count - found
        added = generator.hypergeometric(rest, population - drawn - rest, look - drawn, SAMPLES)
        found, drawn = found + added, look
        pairs = list(zip(prior.tolist(), found.tolist(), strict=True))
        known = {}
        for pair in set(pairs):
            low, high = watched_interval(population, (first, pair[0]), (look, pair[1]))
            known[pair] = low <= count <= high
        held &= [known[pair] for pair in pairs]
    return float(held.mean())


def fixed_pages(population: int, share: float, margin: float) -> int:
    """Return the smallest fixed size with which the expected outcome has the margin."""
    least, most = 1, population
    while least < most:
        middle = (least + most) // 2
        low, high = fixed_interval(population, middle, round(middle * share))
        least, most = (
            (least, middle) if high - low <= 2 * margin * population else (middle + 1, most)
        )
    return least


def watched_pages(population: int, share: float, margin: float, rounds: int = 200) -> list[int]:
    """Return the sizes at which watched samples stopped, as an audit lets them grow."""
    generator = np.random.default_rng(4)
    count = round(population * share)
    sizes = []
    for _ in range(rounds):
        first = sample = Tally()
        while (size := next_size(population, first, sample, margin)) is not None:
            rest = count - sample.found
            others = population - sample.drawn - rest
            added = int(generator.hypergeometric(rest, others, size - sample.drawn))
            sample = Tally(size, sample.found + added)
            first = first if first.drawn else sample
        sizes.append(sample.drawn)
    return sizes


def main() -> None:
    """Print the table of coverage and the numbers of pages."""
    print(f"Coverage in percent of {SAMPLES:,} samples (promised: at least 95); samples of")
    print(
        f"{SAMPLED} pages; the watched one at every look up to 20,000 or half of the population\n"
    )
    print("Draws are noisy (standard error 0.2); exact: the stratified coverage without draws\n")
    print(f"{'size':>9} {'share':>6} {'plain':>7} {'stratified':>11} {'exact':>7} {'watched':>8}")
    for size in SIZES:
        for share in SHARES:
            known = exact(size, share)
            cells = (plain(size, share), stratified(size, share), watched(size, share))
            fixed, strata, grown = (f"{100 * cell:.2f}" for cell in cells)
            true = "" if known is None else f"{100 * known:.2f}"
            print(f"{size:>9,} {share:>6.1%} {fixed:>7} {strata:>11} {true:>7} {grown:>8}")
    print("\nPages for ±1 % of 1,000,000 URLs (watched: median, smallest, greatest of 200)\n")
    for share in (0.02, 0.2):
        sizes = watched_pages(1_000_000, share, 0.01)
        print(
            f"{share:.0%} bad: fixed {fixed_pages(1_000_000, share, 0.01):,}, "
            f"watched {round(median(sizes)):,} ({min(sizes):,} to {max(sizes):,})"
        )


if __name__ == "__main__":
    main()
