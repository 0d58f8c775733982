"""Run folders: their names, their locks, and how to find them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from sitemapaudit.runs.durable import sync_folder
from sitemapaudit.runs.folder_names import FOLDER, folder_name
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER, NAME, Manifest
from sitemapaudit.urls.shard import WHOLE

if TYPE_CHECKING:
    from filelock import BaseFileLock

_TRIAL_BYTES: Final = 4096
"""The number of bytes that are written to check for room on the disk."""

_UNUSABLE: Final = re.compile(r"[?\\]" if os.sep == "/" else r"\?")
"""Characters that DuckDB reads as a pattern in the path of a file, and cannot escape."""


def new_run_folder(audits: Path, site_name: str, started: datetime) -> Path:
    """Create ``<audits>/<site name>/<UTC start time>``, with a number added if that exists."""
    return new_folder(audits / folder_name(site_name), started.strftime("%Y-%m-%dT%H-%M-%SZ"))


def new_folder(above: Path, stem: str) -> Path:
    """Create a folder in another one, with a number added if that exists."""
    for attempt in count(1):
        folder = above / (stem if attempt == 1 else f"{stem}-{attempt}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        for parent in (above, above.parent, above.parent.parent):
            sync_folder(parent)
        return folder
    raise AssertionError("count() is endless")


def table_file(run: Path, table: str) -> Path:
    """Return the Parquet file of a dataset in a run folder."""
    return run / f"{table}.parquet"


def has_tables(run: Path) -> bool:
    """Return whether the tables of a run were built."""
    return table_file(run, "urls").exists()


def check_writable(folder: Path) -> None:
    """Create a folder if it does not exist; raise OSError if it cannot be written."""
    if _UNUSABLE.search(str(folder.absolute())):
        raise OSError(errno.EINVAL, "DuckDB cannot open a path containing ? or \\")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(_TRIAL_BYTES))
        file.flush()


class RunInUseError(OSError):
    """Another process has locked a run folder; the message names the process.

    ``exit_status`` is EX_TEMPFAIL of sysexits.h: the same command can succeed later.
    """

    exit_status: Final = 75


def lock_run(run: Path) -> BaseFileLock:
    """Lock a run folder for this process; the lock of a killed process is released.

    The process can lock it several times. Raises RunInUseError if another process has locked it,
    and OSError if the folder cannot be written.
    """
    # Workers lock nothing.
    from filelock import FileLock, Timeout  # noqa: PLC0415

    file, holder = run / FOLDER / "lock", run / FOLDER / "holder"
    file.parent.mkdir(exist_ok=True)
    lock = FileLock(file, timeout=0, is_singleton=True)
    try:
        lock.acquire()
    except Timeout:
        number = holder.read_text(encoding="utf-8") if holder.exists() else ""
        other = f"process {number}" if number else "another process"
        raise RunInUseError(f"{run} is in use by {other}") from None
    with suppress(OSError):  # The disk is full, but the lock is taken.
        holder.write_text(str(os.getpid()), encoding="utf-8")
    return lock


@contextmanager
def locked(run: Path) -> Iterator[None]:
    """Lock a run folder in a context. Raises like ``lock_run``."""
    lock = lock_run(run)
    try:
        yield
    finally:
        lock.release()


def check_free(run: Path) -> None:
    """Raise RunInUseError if another process writes into a run folder."""
    try:
        lock_run(run).release()
    except RunInUseError:
        raise
    except OSError:
        pass  # A read-only folder: no process writes into it.


def is_running(run: Path) -> bool:
    """Return whether another process writes into a run folder."""
    try:
        check_free(run)
    except RunInUseError:
        return True
    return False


def find_run(path: str | Path) -> Path:
    """Return a run folder: ``path`` itself, or the newest one below it.

    Raises FileNotFoundError if there is none.
    """
    runs = find_runs(path)
    if not runs:
        raise FileNotFoundError(f"There is no run folder (with {NAME}) at or below {Path(path)}")
    return runs[-1]


def find_runs(path: str | Path) -> list[Path]:
    """Return every run folder, the oldest first: ``path`` itself, or those below it.

    Shards are skipped if a run that was merged from them exists.
    """
    runs = sorted(_runs_below(Path(path)), key=lambda run: (run.name, run))
    merged = {run.parent / shard for run in runs for shard in _summary(run).merged_from}
    return [run for run in runs if run not in merged]


def previous_run(
    run: Path, manifest: Manifest | None = None, *, of_any_list: bool = False
) -> Path | None:
    """Return the run of the same site before this one; None if there is none.

    Runs without tables, other shards, and runs of other sites are skipped, and unless
    ``of_any_list`` those of other given sitemaps, or of URLs from a file if only one of both is.
    ``manifest`` is that of the run if it is not written yet.
    """
    here = run.resolve()
    last = _summary(here) if manifest is None else _Summary.of(manifest)
    earlier = [
        (each.started, folder)
        for folder in here.parent.iterdir()
        if folder != here
        and has_tables(folder)
        and (each := _summary(folder)).shard == last.shard
        and (each.started, folder.name) < (last.started, here.name)
        and not each.is_of_other_site(last)
        and (of_any_list or each.listing == last.listing)
    ]
    return max(earlier)[1] if earlier else None


def are_of_different_sites(one: Path, other: Path) -> bool:
    """Return whether two runs are known to have audited different hosts."""
    return _summary(one).is_of_other_site(_summary(other))


def _runs_below(top: Path) -> Iterator[Path]:
    if (top / NAME).is_file():
        yield top
        return
    for pattern in (f"*/{NAME}", f"*/*/{NAME}"):
        yield from (manifest.parent for manifest in top.glob(pattern) if manifest.is_file())


class _Arguments(msgspec.Struct):
    shard: str = str(WHOLE)
    site: str | None = None
    sitemap: Any = None
    urls: Any = None


class _Shard(msgspec.Struct):
    run: str


class _Summary(msgspec.Struct):
    """The parts of a manifest that relate a run to others."""

    arguments: _Arguments = msgspec.field(default_factory=_Arguments)
    shards: list[_Shard] = []
    started: str = ""

    @property
    def shard(self) -> str:
        return self.arguments.shard

    @classmethod
    def of(cls, manifest: Manifest) -> Self:
        """Return the summary of a manifest that is not written yet."""
        return msgspec.convert(
            {"arguments": manifest.arguments, "started": manifest.started}, type=cls
        )

    @property
    def listing(self) -> tuple[str, bool]:
        """The sitemaps that the user gave, and whether the URLs come from a file."""
        return str(self.arguments.sitemap or ""), bool(self.arguments.urls)

    @property
    def hosts(self) -> set[str]:
        """The hosts of the audited sites with their ports, without ``www.``.

        The demo a week later is the same website.
        """
        sites = map(str.strip, (self.arguments.site or "").lower().split(","))
        hosts = (DEMO if site == DEMO_LATER else site.partition("//")[2] or site for site in sites)
        return {host.partition("/")[0].removeprefix("www.") for host in hosts if host}

    def is_of_other_site(self, other: Self) -> bool:
        """Return whether both runs name audited hosts, and none is the same."""
        return bool(self.hosts and other.hosts) and not self.hosts & other.hosts

    @property
    def merged_from(self) -> list[str]:
        return [shard.run for shard in self.shards]


def _summary(run: Path) -> _Summary:
    try:
        return msgspec.json.decode((run / NAME).read_bytes(), type=_Summary)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return _Summary()
