"""A run in a store belongs to one process at a time, as well as a store without locks allows.

A process that wants the run of another one waits whether that gives a sign of life: clocks of
machines are not compared. Each process compares its name with that of the newest snapshot before
it writes one, and gives the run up to a later process. So two processes can have a run at the same
time only until the next snapshot of the earlier one.
"""

import time
from typing import Final

import msgspec
from msgspec.structs import replace

from sitemapaudit.output import say
from sitemapaudit.runs.folders import RunInUseError
from sitemapaudit.runs.merging.stores import Store
from sitemapaudit.runs.uploads.snapshots import Snapshot, next_writer, this_process

INTERVAL: Final = 15.0
"""Seconds between two snapshots of a running audit."""

LEASE: Final = 3 * INTERVAL
"""Seconds without a snapshot after which a process is given up."""


def claim(store: Store, own: str = "", manifest: bytes = b"") -> tuple[Snapshot | None, Snapshot]:
    """Take a run for this process; return the snapshots before and after.

    Raises RunInUseError if another process has it.
    ``own`` is the last writer on this machine, which has ended. ``manifest`` is that of a run which
    the store does not have yet.
    """
    before = Snapshot.read(store.read)
    if before is not None and not before.ended and before.writer != own:
        before = _wait_for_silence(store, before)
    claimed = (
        Snapshot(next_writer(None), this_process(), manifest=msgspec.Raw(manifest))
        if before is None
        else replace(
            before,
            writer=next_writer(before),
            process=this_process(),
            beat=before.beat + 1,
            ended=False,
        )
    )
    write_snapshot(store, claimed)
    check_owner(store, claimed.writer)
    return before, claimed


def write_snapshot(store: Store, snapshot: Snapshot) -> None:
    """Write a snapshot. Raises OSError."""
    store.write(snapshot.place, [msgspec.json.encode(snapshot)])


def check_owner(store: Store, writer: str) -> Snapshot | None:
    """Return the newest snapshot of a run. Raises RunInUseError if a later process wrote it."""
    found = Snapshot.read(store.read)
    if found is not None and found.writer > writer:
        raise RunInUseError(f"{store.address} is in use by {found.process}")
    return found


def _wait_for_silence(store: Store, before: Snapshot) -> Snapshot:
    say(
        f"{before.process} has not released {store.address}:"
        f" waiting {LEASE:.0f} seconds for a sign of life",
        error=True,
    )
    end = time.monotonic() + LEASE
    while time.monotonic() < end:
        time.sleep(LEASE / 15)
        found = Snapshot.read(store.read)
        if found is not None and (found.writer, found.beat) != (before.writer, before.beat):
            if found.ended:
                return found
            raise RunInUseError(f"{store.address} is in use by {found.process}")
    return before
