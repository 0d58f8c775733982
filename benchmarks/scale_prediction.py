"""Predicts the cost of a larger site on several workers from the measurements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scale_data import Scale

URLS = 100_000_000
WORKERS = (1, 4, 16, 64)
ALLOWED = (5, 100, 1_000)
"""Pages per second that a site may allow all workers together; 5 is the limit of ``polite``."""


@dataclass(frozen=True)
class Costs:
    """CPU time per URL in microseconds; ``building`` is that of the tables of a fetched URL."""

    reading: float
    fetching: float
    merging: float
    building: float


@dataclass(frozen=True)
class Prediction:
    """The time of a number of workers in seconds; sizes are in bytes.

    ``disk`` is that of a worker, and ``merged_disk`` that of the machine that merges.
    """

    workers: int
    reading: float
    fetching: float
    merging: float
    building: float
    disk: float
    merged_disk: float

    @property
    def total(self) -> float:
        """The time from the first request to the merged report."""
        return self.reading + self.fetching + self.merging + self.building


def costs(scale: Scale) -> Costs | None:
    """Return the costs per URL at the largest sizes; None if a part was not measured.

    The tables of a fetched URL are a part of what one more page costs: it counts once.
    """
    if not scale.read or len(scale.fetched) < 2 or scale.sharded is None:
        return None
    largest, sharded = scale.read[-1], scale.sharded
    whole, tables = largest.audit.cpu_seconds, largest.report.cpu_seconds
    merged, building = sharded.merging.cpu_seconds, sharded.report.cpu_seconds
    return Costs(
        reading=(whole - tables) / largest.urls * 1e6,
        fetching=page_seconds(scale, cpu=True) * 1e6 - whole / largest.urls * 1e6,
        merging=(merged - building) / sharded.urls * 1e6,
        building=building / sharded.urls * 1e6,
    )


def page_seconds(scale: Scale, *, cpu: bool) -> float:
    """Return the wall or CPU time per additional page, without the start of the command."""
    less, more = (
        row.audit.cpu_seconds if cpu else row.audit.seconds
        for row in (scale.fetched[0], scale.fetched[-1])
    )
    return (more - less) / (scale.fetched[-1].urls - scale.fetched[0].urls)


def predictions(scale: Scale) -> Iterator[Prediction]:
    """Yield the prediction for a site of ``URLS`` for each number of workers."""
    each = costs(scale)
    if each is None:
        return
    read, fetched = scale.read[-1], scale.fetched[-1]
    ledger = URLS * fetched.disk["ledger"] / fetched.urls
    tables = URLS * sum(read.disk[kind] for kind in ("Parquet", "CSV")) / read.urls
    for number in WORKERS:
        reading = each.reading * (1 + 1 / number if number > 1 else 1)
        yield Prediction(
            number,
            URLS * reading / 1e6,
            URLS * each.fetching / number / 1e6,
            URLS * each.merging / 1e6 if number > 1 else 0,
            URLS * each.building / 1e6,
            ledger / number,
            ledger + tables,
        )
