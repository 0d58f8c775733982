"""run.json: what a run was asked to do, how it ended, and what it counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from sitemapaudit.sharding import Shard

NAME: Final = "run.json"


class Status(StrEnum):
    """How far a run has come."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(slots=True)
class ShardRun:
    """A shard of a merged run: which one, its run folder, and how that ended.

    ``damage`` counts the lines of its ledger that were needed, and could not be read.
    """

    shard: str
    run: str
    status: Status
    reason: str | None = None
    damage: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Manifest:
    """The manifest of a run folder.

    ``complete`` is whether everything was looked at that was to be looked at;
    ``reason`` says in words why not. ``readable`` counts sitemaps that could be
    read, ``unread`` those that a limit left out or that were read in part,
    ``unchecked`` the listed URLs that were to be asked for and were not, ``limits``
    how many of all these each limit has left out; ``rendered`` the listed pages that a
    browser opened, ``unrendered`` those among them where it failed. ``changes``
    counts by change what differs from the run before, ``compared_with``.
    ``failed_formats`` are those of AUDIT_FORMATS that could not be written, and
    why: the audit is as complete as before.
    ``resumed`` holds when the run went on after it was cut short. ``damage``
    counts the lines of each file of the ledger that cannot be read, ``mended``
    those that could not, and were asked for again. ``shards`` are those that the
    run was merged from.
    """

    arguments: dict[str, Any]
    settings: dict[str, Any]
    versions: dict[str, str]
    started: str
    status: Status = Status.RUNNING
    complete: bool = False
    reason: str | None = None
    finished: str | None = None
    job: str | None = None
    readable: int = 0
    unread: int = 0
    unchecked: int = 0
    limits: dict[str, int] = field(default_factory=dict)
    rendered: int = 0
    unrendered: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, int] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    severities: dict[str, int] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)
    broken_rules: dict[str, int] = field(default_factory=dict)
    resumed: list[str] = field(default_factory=list)
    damage: dict[str, int] = field(default_factory=dict)
    mended: dict[str, int] = field(default_factory=dict)
    compared_with: str | None = None
    changes: dict[str, int] = field(default_factory=dict)
    failed_formats: dict[str, str] = field(default_factory=dict)
    shards: list[ShardRun] = field(default_factory=list)

    @classmethod
    def read(cls, run: Path) -> Self:
        """Read the manifest of a run folder; raises OSError or ValueError if it has none."""
        return cls.parse((run / NAME).read_bytes())

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Read what stands in a manifest; raises ValueError."""
        values = json.loads(text)
        known = {name: value for name, value in values.items() if name in cls.__slots__}
        shards = [
            ShardRun(**{**each, "status": Status(each["status"])})
            for each in values.get("shards", ())
        ]
        return cls(**known | {"status": Status(values["status"]), "shards": shards})

    def write(self, run: Path) -> None:
        """Write the manifest so that a reader sees the old one or the new one, never a part."""
        text = json.dumps(asdict(self), indent=2, ensure_ascii=False, default=str) + "\n"
        draft = run / f"{NAME}.new"
        draft.write_text(text, encoding="utf-8")
        draft.replace(run / NAME)

    @property
    def given(self) -> dict[str, Any]:
        """The arguments that say something."""
        return {name: value for name, value in self.arguments.items() if value not in ("", None)}

    def resume(self, moment: datetime, job: str | None) -> None:
        """Say that the run is under way again."""
        self.status, self.reason, self.finished = Status.RUNNING, None, None
        self.resumed.append(timestamp(moment))
        self.job = job or self.job

    def settle(self) -> None:
        """Decide whether a run that ended is complete, and say why not.

        Why one was stopped stands in ``reason`` before; of one that finished
        the counts tell.
        """
        if self.status is Status.FINISHED:
            self.reason = self._shortcoming()
        self.complete = self.reason is None

    def missing(self) -> Iterator[str]:
        """Say which shards a merged run lacks."""
        if not self.shards:
            return
        there = [Shard.read(each.shard) for each in self.shards]
        count = there[0].count
        lacking = sorted(set(range(1, count + 1)) - {shard.index for shard in there})
        if lacking:
            names = " and ".join(", ".join(map(str, lacking)).rsplit(", ", 1))
            are = "s {} of {} are" if len(lacking) > 1 else " {} of {} is"
            share = f"about {len(lacking) / count:.0%} of the URLs were not asked for"
            yield f"shard{are.format(names, count)} missing: {share}"

    def _shortcoming(self) -> str | None:
        if not self.readable:
            return "no sitemap could be read"
        if self.damage:
            lines = ", ".join(f"{number:,} of {table}" for table, number in self.damage.items())
            return f"the log is damaged: lines that cannot be read, {lines}"
        told = [*self.missing()]
        if self.unread or self.unchecked:
            limits = ", ".join(f"{name} left out {n:,}" for name, n in self.limits.items())
            told += [limits] if limits or told else [self._something()]
        return "; ".join(filter(None, told)) or None

    def _something(self) -> str:
        if self.shards:
            return "not each shard read the same, or came to its end"
        return "a limit was met"


def timestamp(moment: datetime) -> str:
    """Return a time in UTC as the manifest writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
