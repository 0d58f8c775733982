"""The measurements of ``scale.py``, as stored in ``scale.json``."""

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
"""The phases of an audit in order, each with the files that are written last in it."""

KINDS = {"ledger": "log/*", "Parquet": "*.parquet", "CSV": "*.csv", "report.html": "report.html"}
"""The contents of a run folder by kind."""


@dataclass(frozen=True)
class Phase:
    """The duration and the peak memory of a phase."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Process:
    """The cost of one process; ``spilled`` is the peak size of ``scratch`` in bytes."""

    seconds: float
    cpu_seconds: float
    megabytes: float
    spilled: int
    phases: dict[str, Phase]


@dataclass(frozen=True)
class Audited:
    """An audit, and ``scrapy report`` of its run; ``disk`` is in bytes.

    ``load`` is the load average of the minute before. ``taken`` is the date.
    """

    urls: int
    audit: Process
    report: Process
    disk: dict[str, int]
    load: float
    taken: str


@dataclass(frozen=True)
class Sharded:
    """The cost of merging shards that have a number of URLs in all, and of rebuilding the result.

    ``taken`` is the date.
    """

    shards: int
    urls: int
    merging: Process
    report: Process
    taken: str


@dataclass(frozen=True)
class Merged:
    """The cost of merging a number of runs, which have a number of URLs in all."""

    runs: int
    urls: int
    seconds: float
    cpu_seconds: float
    megabytes: float
    taken: str


@dataclass(frozen=True)
class Machine:
    """The machine and the versions of a measurement."""

    system: str = field(default_factory=lambda: f"{platform.system()} {platform.machine()}")
    cores: int = field(default_factory=lambda: os.cpu_count() or 0)
    gigabytes: int = field(default_factory=lambda: round(psutil.virtual_memory().total / 1e9))
    python: str = field(default_factory=platform.python_version)
    scrapy: str = field(default_factory=lambda: version("scrapy"))
    duckdb: str = field(default_factory=lambda: version("duckdb"))


@dataclass
class Scale:
    """All measurements on one machine."""

    machine: Machine = field(default_factory=Machine)
    serving: float = 0
    """CPU time of the server per URL of a sitemap, in microseconds."""

    read: list[Audited] = field(default_factory=list)
    fetched: list[Audited] = field(default_factory=list)
    sharded: Sharded | None = None
    merged: list[Merged] = field(default_factory=list)
    """Merges of the same URLs in few and in many runs."""

    @classmethod
    def read_file(cls) -> Self:
        """Return the content of the file, on whatever machine it was measured."""
        return msgspec.json.decode(FILE.read_bytes(), type=cls)

    @classmethod
    def load(cls) -> Self:
        """Return the content of the file if it was measured on this machine, else nothing."""
        stored = cls.read_file() if FILE.exists() else cls()
        return stored if stored.machine == Machine() else cls()

    def save(self) -> None:
        """Write the file."""
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def put(row: Audited, rows: list[Audited]) -> None:
    """Insert a row sorted by size; it replaces an earlier row of the same size."""
    rows[:] = sorted([row, *(each for each in rows if each.urls != row.urls)], key=_size)


def size(files: Iterable[Path]) -> int:
    """Return the total bytes of files; files that disappeared count as empty."""
    total = 0
    for file in files:
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total


def today() -> str:
    """Return the date in UTC."""
    return datetime.now(UTC).date().isoformat()


def _size(row: Audited) -> int:
    return row.urls
