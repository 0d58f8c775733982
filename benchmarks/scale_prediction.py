"""From what was measured to what a larger site takes, on several workers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scale_data import Scale

URLS = 100_000_000
WORKERS = (1, 4, 16, 64)
ALLOWED = (5, 100, 1_000)
"""Pages a second that a site may allow to all workers together; 5 is what ``polite`` asks for."""


@dataclass(frozen=True)
class Costs:
    """Microseconds of a processor for each URL; merging is for each URL of each shard."""

    reading: float
    building: float
    fetching: float
    merging: float


@dataclass(frozen=True)
class Predicted:
    """Seconds that so many workers take; ``ledgers`` is in bytes, of all of them together."""

    workers: int
    reading: float
    building: float
    fetching: float
    merging: float
    ledgers: float

    @property
    def total(self) -> float:
        """From the first request to the report of the whole."""
        return self.reading + self.building + self.fetching + self.merging


def costs(scale: Scale) -> Costs | None:
    """Return what each URL costs at the largest sizes; None if a part was not measured.

    What a process takes to build the tables is known from ``scrapy report`` of the same run.
    """
    if not scale.read or len(scale.fetched) < 2 or scale.sharded is None:
        return None
    largest, sharded = scale.read[-1], scale.sharded
    whole, building = largest.audit.processor_seconds, largest.report.processor_seconds
    merging = sharded.merging.processor_seconds - sharded.first.report.processor_seconds
    return Costs(
        reading=(whole - building) / largest.urls * 1e6,
        building=building / largest.urls * 1e6,
        fetching=page_seconds(scale, processor=True) * 1e6 - whole / largest.urls * 1e6,
        merging=merging / sharded.shards / sharded.first.urls * 1e6,
    )


def page_seconds(scale: Scale, *, processor: bool) -> float:
    """Return what each further page takes of wall or processor time: its start is not counted."""
    less, more = (
        row.audit.processor_seconds if processor else row.audit.seconds
        for row in (scale.fetched[0], scale.fetched[-1])
    )
    return (more - less) / (scale.fetched[-1].urls - scale.fetched[0].urls)


def predicted(scale: Scale) -> Iterator[Predicted]:
    """Yield what a site of ``URLS`` takes, for each number of workers."""
    each = costs(scale)
    if each is None:
        return
    read, fetched = scale.read[-1], scale.fetched[-1]
    entries = read.disk["ledger"] / read.urls
    pages = fetched.disk["ledger"] / fetched.urls - entries
    for number in WORKERS:
        merging = each.merging * number + each.building if number > 1 else 0
        yield Predicted(
            number,
            URLS * each.reading / 1e6,
            URLS * each.building / 1e6,
            URLS * each.fetching / number / 1e6,
            URLS * merging / 1e6,
            URLS * (entries * number + pages),
        )
