"""The exact interval of a count in a finite population, from a sample without replacement."""

from functools import lru_cache
from math import exp, lgamma
from typing import Final

CONFIDENCE: Final = 0.95
"""The minimum share of samples whose interval contains the true count."""

_NEGLIGIBLE: Final = 1e-15
"""The part of a sum below which terms no longer matter; later terms are smaller."""


@lru_cache(maxsize=65_536)
def fixed_interval(
    population: int, sampled: int, found: int, confidence: float = CONFIDENCE
) -> tuple[int, int]:
    """Return the lowest and highest count in the population that fit a sample.

    ``sampled`` members were drawn without replacement, and ``found`` of them belong to the class.
    The interval inverts the two tails of the hypergeometric distribution (the finite form of
    Clopper and Pearson 1934), so at least ``confidence`` of all samples have an interval that
    contains the true count. The size of the sample must not depend on its outcome: otherwise use
    ``watched_interval``.
    """
    tail = (1 - confidence) / 2
    return (
        population - _highest(population, sampled, sampled - found, tail),
        _highest(population, sampled, found, tail),
    )


def _highest(population: int, sampled: int, found: int, tail: float) -> int:
    """Return the highest count with which ``found`` or fewer are likely enough."""
    least, most = found, population - (sampled - found)
    while least < most:
        middle = (least + most + 1) // 2
        if _is_likely(population, sampled, found, middle, tail):
            least = middle
        else:
            most = middle - 1
    return least


def _is_likely(population: int, sampled: int, found: int, count: int, tail: float) -> bool:
    """Return whether at most ``found`` are found with a probability above ``tail``.

    The terms are added from the largest down, each computed from the previous one.
    """
    # The median is within 1 of the mean (Siegel 2001), so half of all samples find at most this.
    if found * population >= sampled * count:
        return True
    term = exp(
        _log_choose(count, found)
        + _log_choose(population - count, sampled - found)
        - _log_choose(population, sampled)
    )
    total = term
    for number in range(found, 0, -1):
        if total > tail or term <= total * _NEGLIGIBLE:
            break
        rest = population - count - sampled + number
        term *= number * rest / ((count - number + 1) * (sampled - number + 1))
        total += term
    return total > tail


def _log_choose(total: int, chosen: int) -> float:
    """Return the logarithm of the number of ways to choose."""
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)
