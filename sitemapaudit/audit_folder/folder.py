"""The runs of a folder such as AUDIT_DIR, by names that never lead out of it."""

import os
from collections.abc import Iterator
from pathlib import Path

from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import find_runs, has_tables, is_running, previous_run
from sitemapaudit.runs.manifest import NAME, Manifest, Status


class UnknownRunError(LookupError):
    """There is no such run; the message says it to the caller."""


class AuditFolder:
    """A folder of audits. The name of a run is ``site/start``, the folders that lead to it.

    Links can lead out of the folder: no run, and no file of a run, is read through such a link.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    def runs(self, site: str = "") -> list[Path]:
        """Return the runs, or those of one site, the newest first; merged shards are skipped."""
        top = self._child(site) if site else self.path
        return [run for run in reversed(find_runs(top)) if self.contains(run)] if top else []

    def name(self, run: Path) -> str:
        """Return the name of a run."""
        return run.relative_to(self.path).as_posix().encode(errors="replace").decode()

    def find(self, name: str) -> Path:
        """Return a run by its name, or the newest one of a site. Raises UnknownRunError."""
        found = self._child(name)
        if found is not None and (found / NAME).is_file():
            return found
        if found is not None and found != self.path and (runs := self.runs(name)):
            return runs[0]
        raise UnknownRunError(f"There is no run {name!r} in {self.path}")

    def find_built(self, name: str) -> Path:
        """Return such a run with tables. Raises UnknownRunError."""
        run = self.find(name)
        if not has_tables(run):
            raise UnknownRunError(
                f"{self.name(run)} has no tables: it is running, or was interrupted"
            )
        return run

    def find_earlier(self, run: Path, name: str = "") -> Path:
        """Return the run to compare another one with: a named one, or the one before it.

        Raises UnknownRunError.
        """
        previous = previous_run(run)
        if not name and previous is None:
            raise UnknownRunError(f"There is no run before {self.name(run)}")
        found = self.find_built(name or self.name(previous or run))
        if found == run:
            raise UnknownRunError(f"{self.name(run)} cannot be compared with itself")
        return found

    def _child(self, name: str) -> Path | None:
        """Return the folder with a name of one or two parts; None unless each part exists."""
        found = self.path
        for part in name.split("/", 1):
            children = found.iterdir() if found.is_dir() else ()
            if part not in (child.name for child in children):
                return None
            found /= part
        return found if self.contains(found) else None

    def contains(self, found: Path) -> bool:
        """Return whether a folder, and what it links to, is in this one."""
        places = (found, *_links_in(found), *_links_in(found / FOLDER))
        return all(place.resolve().is_relative_to(self.path) for place in places)


def status_now(run: Path, manifest: Manifest) -> Status:
    """Return the status of a run; a killed one was interrupted, although its manifest runs."""
    if manifest.status is Status.RUNNING and not is_running(run):
        return Status.INTERRUPTED
    return manifest.status


def _links_in(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        with os.scandir(folder) as entries:
            yield from (Path(entry.path) for entry in entries if entry.is_symlink())
