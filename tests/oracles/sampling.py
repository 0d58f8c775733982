"""Bounds of samples: the hypergeometric and the beta-binomial distribution of scipy."""

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from math import comb
from random import Random
from typing import Any, Final

from msgspec import Struct

from sitemapaudit.bounds.hypergeometric import fixed_interval
from sitemapaudit.bounds.watched import watched_interval
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Explanation, Oracle

_MOST: Final = 1_000_000
_FEW: Final = 3_000
"""The members of a population of which each count is tried."""


class Sample(Struct, frozen=True):
    """A sample of a population; of a watched one, the ``first`` draws chose the prior."""

    population: int
    drawn: int
    found: int
    confidence: float
    first: tuple[int, int] = (0, 0)


def _is_tie(case: Sample, theirs: tuple[int, int], ours: tuple[int, int]) -> bool:
    """Return whether the differing counts have just the probability of the limit."""
    population, drawn, missed = case.population, case.drawn, case.drawn - case.found
    lowest = (population - low for low in sorted((theirs[0], ours[0]))[:1])
    limits = [(count, missed) for count in lowest if theirs[0] != ours[0]]
    limits += [(max(theirs[1], ours[1]), case.found)] if theirs[1] != ours[1] else []
    tail = (1 - case.confidence) / 2
    return all(
        abs(_tail(population, drawn, found, count) / tail - 1) < 1e-9 for count, found in limits
    )


def _tail(population: int, drawn: int, found: int, count: int) -> float:
    """Return the exact probability of at most ``found`` members of a class with this count."""
    ways = sum(comb(count, hit) * comb(population - count, drawn - hit) for hit in range(found + 1))
    return ways / comb(population, drawn)


class _Scipy(Oracle[Sample]):
    """A distribution of scipy."""

    def install(self, _tools: Tools) -> str:
        return f"scipy {version('scipy')}: {self.name}"


class _Hypergeometric(_Scipy):
    """The two tails of the hypergeometric distribution, searched for all samples at once."""

    name = "hypergeom"
    explanations = (
        Explanation(
            "A probability is equal to the limit, and rounding decides if it is above",
            "the exact probability, computed with integers",
            _is_tie,
            Sample(6, 3, 0, 0.9),
        ),
    )

    def random_case(self, random: Random) -> Sample:
        population = int(_MOST ** random.random()) + 1
        drawn = min(population, int(2_000 ** random.random()))
        share = random.choice((0, 0.01, 0.5, random.random(), 1))
        found = sum(random.random() < share for _ in range(drawn))
        return Sample(population, drawn, found, random.choice((0.9, 0.95, 0.95, 0.99, 0.999)))

    def ours(self, cases: Sequence[Sample]) -> Iterable[tuple[int, int]]:
        return (fixed_interval(c.population, c.drawn, c.found, c.confidence) for c in cases)

    def theirs(self, cases: Sequence[Sample]) -> Iterable[tuple[int, int]]:
        highest = self._highest([(c.population, c.drawn, c.found, c.confidence) for c in cases])
        missed = ((c.population, c.drawn, c.drawn - c.found, c.confidence) for c in cases)
        lowest = (c.population - most for c, most in zip(cases, self._highest(missed), strict=True))
        return zip(lowest, highest, strict=True)

    def _highest(self, samples: Iterable[tuple[int, int, int, float]]) -> list[int]:
        """Return the highest counts with which as few members are likely enough."""
        import numpy as np  # noqa: PLC0415 - with scipy
        from scipy.stats import hypergeom  # noqa: PLC0415 - is not installed for tests

        population, drawn, found, confidence = map(np.array, zip(*samples, strict=True))
        least, most = found, population - (drawn - found)
        while (least < most).any():
            middle = (least + most + 1) // 2
            likely = hypergeom.cdf(found, population, middle, drawn) > (1 - confidence) / 2
            least, most = np.where(likely, middle, least), np.where(likely, most, middle - 1)
        counts: list[int] = least.tolist()
        return counts


class _BetaBinomial(_Scipy):
    """Prior and posterior of each count in a population: their ratio decides if it fits."""

    name = "betabinom"
    number = 2_000

    def random_case(self, random: Random) -> Sample:
        population = random.randint(2, _FEW)
        first = random.randint(0, population // 2)
        drawn = random.randint(first, population)
        share = random.choice((0, 0.01, 0.5, random.random(), 1))
        found = sum(random.random() < share for _ in range(first))
        more = sum(random.random() < share for _ in range(drawn - first))
        return Sample(population, drawn, found + more, 0.95, (first, found))

    def ours(self, cases: Sequence[Sample]) -> Iterable[tuple[int, int]]:
        return (
            watched_interval(c.population, c.first, (c.drawn, c.found), c.confidence) for c in cases
        )

    def theirs(self, cases: Sequence[Sample]) -> Iterable[tuple[int, int]]:
        return map(self._fitting, cases)

    def _fitting(self, case: Sample) -> tuple[int, int]:
        """Return the lowest and the highest count that fits."""
        import numpy as np  # noqa: PLC0415 - with scipy
        from scipy.stats import betabinom  # noqa: PLC0415 - is not installed for tests

        drawn, found = case.first
        rest, hits = case.population - drawn, case.found - found
        more = case.drawn - drawn
        alpha, beta = found + 1, drawn - found + 1
        counts: Any = np.arange(rest + 1)
        prior = betabinom.logpmf(counts, rest, alpha, beta)
        posterior = betabinom.logpmf(counts - hits, rest - more, alpha + hits, beta + more - hits)
        possible = (counts >= hits) & (counts <= rest - (more - hits))
        fitting = counts[possible & (prior - posterior < -np.log(1 - case.confidence))]
        return found + int(fitting.min()), found + int(fitting.max())


COMPARISONS: Final[Sequence[Comparison]] = (_Hypergeometric(), _BetaBinomial())
