"""Where run folders are, and which one is the newest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from sitemapaudit.datasets.database import table_file
from sitemapaudit.datasets.ledger import FOLDER
from sitemapaudit.datasets.manifest import NAME
from sitemapaudit.sharding import WHOLE

_SOME: Final = 4096
"""Bytes that are written to see whether there is room for any."""

_UNSAFE: Final = re.compile(r"[^a-z0-9.+-]|^\.+", re.IGNORECASE)


def new_run_folder(audits: Path, name: str, started: datetime) -> Path:
    """Make ``<audits>/<name>/<UTC start time>``; a number is added if that is taken."""
    stem = started.strftime("%Y-%m-%dT%H-%M-%SZ")
    for attempt in count(1):
        folder = audits / folder_name(name) / (stem if attempt == 1 else f"{stem}-{attempt}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError("count() has no end")


def check_writable(folder: Path) -> None:
    """Raise OSError if nothing can be written into a folder; it is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(_SOME))
        file.flush()


def folder_name(name: str) -> str:
    """Return a name that every file system takes for a folder."""
    return _UNSAFE.sub("-", name)


def lock_run(run: Path) -> FileLock:
    """Take a run folder for this process; the lock of a process that was killed is open.

    Raises filelock.Timeout if another process writes into it.
    """
    file = run / FOLDER / "lock"
    file.parent.mkdir(exist_ok=True)
    lock = FileLock(file, timeout=0)
    lock.acquire()
    return lock


def is_under_way(run: Path) -> bool:
    """Whether another process writes into a run folder; into a read-only one none does."""
    try:
        lock_run(run).release()
    except Timeout:
        return True
    except PermissionError:
        return False
    return False


def find_run(path: str | Path) -> Path:
    """Return a run folder: ``path`` itself, or the newest one below it.

    Raises FileNotFoundError if there is none.
    """
    runs = find_runs(path)
    if not runs:
        raise FileNotFoundError(f"no run folder (one with {NAME}) at or below {Path(path)}")
    return runs[-1]


def find_runs(path: str | Path) -> list[Path]:
    """Return every run folder, the oldest first: ``path`` itself, or those below it.

    Shards are passed over where there is the run that was merged from them.
    """
    runs = sorted(_runs_below(Path(path)), key=lambda run: (run.name, run))
    merged = {run.parent / shard for run in runs for shard in _outline(run).parts}
    return [run for run in runs if run not in merged]


def run_before(run: Path) -> Path | None:
    """Return the run of the same site before this one; None if this is the first.

    Runs without tables are passed over, and those of another shard.
    """
    here = run.resolve()
    share = _outline(here).share
    earlier = [
        folder
        for folder in sorted(here.parent.iterdir())
        if folder.name < here.name
        and (folder / NAME).is_file()
        and table_file(folder, "urls").exists()
        and _outline(folder).share == share
    ]
    return earlier[-1] if earlier else None


def _runs_below(top: Path) -> Iterator[Path]:
    if (top / NAME).is_file():
        yield top
        return
    for pattern in (f"*/{NAME}", f"*/*/{NAME}"):
        yield from (manifest.parent for manifest in top.glob(pattern))


class _Arguments(msgspec.Struct):
    shard: str = str(WHOLE)


class _Shard(msgspec.Struct):
    run: str


class _Outline(msgspec.Struct):
    """What of a manifest tells whether a run is a part of another."""

    arguments: _Arguments = msgspec.field(default_factory=_Arguments)
    shards: list[_Shard] = []

    @property
    def share(self) -> str:
        return self.arguments.shard

    @property
    def parts(self) -> list[str]:
        return [shard.run for shard in self.shards]


def _outline(run: Path) -> _Outline:
    try:
        return msgspec.json.decode((run / NAME).read_bytes(), type=_Outline)
    except (OSError, msgspec.MsgspecError):
        return _Outline()
