"""Allocation of a sample: a uniform draw, and a minimum from each stratum.

A uniform draw takes from each stratum in proportion, up to chance, and all its intervals are exact.
A stratum that it takes too little from gets more. These extra pages count for their stratum, but
not for the whole, because they are not a uniform sample of it.
"""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

MINIMUM: Final = 10
"""Minimum of members drawn from a stratum, if the sample is large enough."""

UNIFORM: Final = 0.75
"""The share of a sample that is always a uniform draw: the whole matters more than a stratum."""


class Allocation(Struct, frozen=True):
    """The plan of a sample: ``uniform`` members of all, then ``minimum`` from each stratum.

    Both depend only on the sizes. A stratum of at most ``minimum`` members is taken completely.
    """

    uniform: int
    minimum: int


def allocate(size: int, strata: Collection[int]) -> Allocation:
    """Return how a sample of a size is drawn from strata of these sizes."""
    population = sum(strata)
    if size >= population:
        return Allocation(population, 0)
    for minimum in range(min(MINIMUM, size), 0, -1):
        uniform = _uniform_part(size, strata, minimum)
        if uniform >= UNIFORM * size:
            return Allocation(uniform, minimum)
    return Allocation(size, 0)


def _uniform_part(size: int, strata: Collection[int], minimum: int) -> int:
    """Return how many members the uniform draw takes.

    The rest is what strata are expected to lack after a uniform draw of that size.
    """
    population = sum(strata)
    whole = sum(stratum for stratum in strata if stratum <= minimum)
    others = [stratum for stratum in strata if stratum > minimum]
    uniform = size
    for _ in range(3):  # The result changes little after the second step.
        lacking = sum(max(0.0, minimum - uniform * stratum / population) for stratum in others)
        uniform = max(int(size - whole - lacking), 0)
    return uniform
