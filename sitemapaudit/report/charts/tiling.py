"""Divides a rectangle into areas that are nearly square (Bruls, Huizing, van Wijk, 2000)."""

from collections.abc import Sequence
from typing import NamedTuple


class Area(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


def tile(sizes: Sequence[float], into: Area) -> list[Area]:
    """Return an area per size, in proportion to it; sizes are positive, the largest first."""
    if not sizes:
        return []
    scale = into.width * into.height / sum(sizes)
    areas: list[Area] = []
    rest, row = into, list[float]()
    for size in (each * scale for each in sizes):
        side = min(rest.width, rest.height)
        if row and _worst([*row, size], side) > _worst(row, side):
            placed, rest = _place(row, rest)
            areas += placed
            row = []
        row.append(size)
    return areas + _place(row, rest)[0]


def _worst(row: Sequence[float], side: float) -> float:
    """Return the largest ratio of the sides of the areas in a row along a side."""
    total = sum(row)
    if not side or not total:
        return float("inf")
    return max(side**2 * max(row) / total**2, total**2 / (side**2 * (min(row) or 1e-9)))


def _place(row: Sequence[float], into: Area) -> tuple[list[Area], Area]:
    """Return the areas of a row along the shorter side, and the remaining rectangle."""
    across = into.width >= into.height
    side = into.height if across else into.width
    depth = sum(row) / side if side else 0.0
    areas, start = [], 0.0
    for size in row:
        length = size / depth if depth else 0.0
        areas.append(
            Area(into.x, into.y + start, depth, length)
            if across
            else Area(into.x + start, into.y, length, depth)
        )
        start += length
    if across:
        return areas, Area(into.x + depth, into.y, max(into.width - depth, 0), into.height)
    return areas, Area(into.x, into.y + depth, into.width, max(into.height - depth, 0))
