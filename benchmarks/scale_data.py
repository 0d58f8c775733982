"""What ``scale.py`` measures and ``scale.json`` holds: processes, their phases, what they leave."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Self

import msgspec
import psutil

FILE = Path(__file__).with_name("scale.json")

READING, TABLES, REPORT = "reading", "tables and rules", "report"
PHASES = {READING: "log/*.jsonl", TABLES: "*.csv", REPORT: "report.html"}
"""The phases of an audit in their order, each with the files that are written last in it."""

KINDS = {"ledger": "log/*", "Parquet": "*.parquet", "CSV": "*.csv", "report.html": "report.html"}
"""What a run folder holds, and which files these are."""


@dataclass(frozen=True)
class Phase:
    """How long it took, and the most memory in it."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Process:
    """One process from its start to its end; ``spilled`` is the most that lay in ``scratch``."""

    seconds: float
    processor_seconds: float
    megabytes: float
    spilled: int
    phases: dict[str, Phase]


@dataclass(frozen=True)
class Audited:
    """An audit, and ``scrapy report`` of its run; ``disk`` is in bytes.

    ``load`` is how many processes wanted a processor in the minute before.
    """

    urls: int
    audit: Process
    report: Process
    disk: dict[str, int]
    load: float
    taken: str


@dataclass(frozen=True)
class Sharded:
    """So many shards of the same URLs: the first of them, and what merging all took."""

    shards: int
    first: Audited
    merging: Process


@dataclass(frozen=True)
class Machine:
    """Where it was measured, and with what."""

    system: str = field(default_factory=lambda: f"{platform.system()} {platform.machine()}")
    cores: int = field(default_factory=lambda: os.cpu_count() or 0)
    gigabytes: int = field(default_factory=lambda: round(psutil.virtual_memory().total / 1e9))
    python: str = field(default_factory=platform.python_version)
    scrapy: str = field(default_factory=lambda: version("scrapy"))
    duckdb: str = field(default_factory=lambda: version("duckdb"))


@dataclass
class Scale:
    """All that was measured on one machine."""

    machine: Machine = field(default_factory=Machine)
    serving: float = 0
    """Microseconds of a processor that the server takes for each URL of a sitemap."""

    read: list[Audited] = field(default_factory=list)
    fetched: list[Audited] = field(default_factory=list)
    sharded: Sharded | None = None

    @classmethod
    def load(cls) -> Self:
        """Return what stands in the file, if it was measured on this machine; else nothing."""
        known = msgspec.json.decode(FILE.read_bytes(), type=cls) if FILE.exists() else cls()
        return known if known.machine == Machine() else cls()

    def save(self) -> None:
        """Write it down."""
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def put(row: Audited, rows: list[Audited]) -> None:
    """Put a row where it belongs by its size, in place of an earlier one of that size."""
    rows[:] = sorted([row, *(each for each in rows if each.urls != row.urls)], key=_size)


def size(files: Iterable[Path]) -> int:
    """Return the bytes of files; one that has gone has none."""
    total = 0
    for file in files:
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total


def today() -> str:
    """Return the date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def _size(row: Audited) -> int:
    return row.urls
