"""Runs in a store that are continued on this machine, in a local folder."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import msgspec

from sitemapaudit.output import say
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import new_folder
from sitemapaudit.runs.manifest import NAME, Manifest, Status
from sitemapaudit.runs.merging.stores import Store, open_stored_run
from sitemapaudit.runs.uploads.claiming import claim
from sitemapaudit.runs.uploads.links import NEW, Link
from sitemapaudit.runs.uploads.snapshots import Snapshot
from sitemapaudit.runs.uploads.uploader import UPLOADED, Uploader


def find_unfinished(
    place: str, site_name: str, arguments: Mapping[str, Any], varying: Collection[str]
) -> str | None:
    """Return the address of the newest run of an audit, if that has not finished.

    An audit has the same ``arguments``, except those that are ``varying``. Raises OSError;
    FileNotFoundError if there is no such bucket.
    """
    wanted = _comparable(arguments, varying)
    runs = Store(f"{place}/{folder_name(site_name)}")
    runs.check_bucket()
    for name in reversed(runs.folders()):
        store = runs.at(name)
        try:
            manifest = Manifest.parse(store.read_manifest())
        except (FileNotFoundError, ValueError):
            continue
        if _comparable(manifest.arguments, varying) == wanted:
            return None if manifest.status is Status.FINISHED else store.address
    return None


def _comparable(arguments: Mapping[str, Any], varying: Collection[str]) -> dict[str, Any]:
    written = msgspec.to_builtins(arguments, enc_hook=str)
    return {name: value for name, value in written.items() if name not in varying}


def place_copy(address: str, audits: Path) -> Path:
    """Return the local folder of a run in a store, with its manifest; create it if need be.

    Raises OSError; FileNotFoundError if there is no such run.
    """
    store = open_stored_run(address)
    snapshot = Snapshot.read(store.read)
    *_, site, name = store.address.split("/")
    for folder in (audits / folder_name(site)).glob("*"):
        link = Link.read(folder)
        if link is not None and link.address == store.address:
            if snapshot is None or link.writer == snapshot.writer:
                return folder
            break
    else:
        folder = new_folder(audits / folder_name(site), folder_name(name))
        Link(store.address).write(folder)
    (folder / NAME).write_bytes(store.read_manifest())
    return folder


def remove_empty_copy(run: Path) -> None:
    """Remove a copy of a run that was placed and not taken over."""
    link = Link.read(run)
    if link is not None and not link.writer:
        for file in sorted(run.rglob("*"), reverse=True):
            file.rmdir() if file.is_dir() else file.unlink()
        run.rmdir()


def take_over(run: Path) -> None:
    """Claim the run of a local folder in its store, and copy what another machine has added.

    Raises OSError; RunInUseError if another process has it.
    """
    link = Link.read(run)
    if link is None or link.writer == NEW:
        return
    store = Store(link.address)
    before, claimed = claim(store, link.writer, (run / NAME).read_bytes())
    if link.writer != (before.writer if before else ""):
        say(f"Continuing {link.address} in {run}", error=True)
        (run / NAME).write_bytes(claimed.manifest)
        store.copy_ledger(run, UPLOADED)
    Link(link.address, claimed.writer).write(run)


def upload_run(run: Path, address: str) -> str | None:
    """Upload a finished run, over an earlier one; return why that fails."""
    try:
        store = Store(address)
        before = Snapshot.read(store.read)
        _, claimed = claim(store, before.writer if before else "", (run / NAME).read_bytes())
        Link(address, claimed.writer).write(run)
    except OSError as error:
        return str(error)
    return complete_upload(run)


def lacks_upload(run: Path) -> bool:
    """Return whether this machine finished a run, and could not upload it."""
    link = Link.read(run)
    return link is not None and bool(link.writer) and not link.complete


def complete_upload(run: Path) -> str | None:
    """Upload such a run; return why it fails again."""
    link = Link.read(run)
    assert link is not None
    uploader = Uploader(run, link)
    return None if uploader.finish() else str(uploader.lost or uploader.fault)
