"""``scrapy repair``: writes the sitemaps of a run as they should be."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.manifest import NAME, Manifest
from sitemapaudit.datasets.run import Run, open_run
from sitemapaudit.options import ConfigError
from sitemapaudit.repair.repairing import LIST, Repaired, Wishes, repair
from sitemapaudit.report.wording import counted

USAGE_ERROR, FAILED = 2, 3

SHOWN: Final = 20
"""Hosts that are named."""

_NOT_REACHED: Final = "that the run did not come to, or not to where they lead"


class Command(ScrapyCommand):
    """Write only what can be indexed, under its final address, within the limits; no network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "[--into DIR] [--gzip] [--keep-unknown] [--strict] RUN"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "Write the sitemaps of a run as they should be, and what was changed"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--into",
            type=Path,
            help="folder for the files; `repaired` in the run folder if not given",
        )
        parser.add_argument(
            "--gzip",
            action="store_true",
            help="compress the sitemaps (sitemap.xml.gz); an index of several stays sitemap.xml",
        )
        parser.add_argument(
            "--keep-unknown",
            action="store_true",
            help="keep URLs that failed, denied the auditor or did not answer",
        )
        parser.add_argument(
            "--strict",
            action="store_true",
            help="drop URLs too whose pages have errors or warnings that no sitemap can mend",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Repair the sitemaps of one run folder, and set the exit status."""
        if len(args) != 1:
            raise UsageError
        try:
            run = _open(args[0])
            memory = AuditSettings.of(self.settings or {}).memory
            if not run.manifest.rows.get("urls"):
                raise ConfigError(f"{run.path} lists no URL: there is nothing to repair.")
            into: Path = opts.into or run.path / "repaired"
            _check(into)
        except (OSError, ValueError) as error:
            return self._fail(str(error), USAGE_ERROR)
        wishes = Wishes(opts.gzip, opts.keep_unknown, opts.strict)
        try:
            repaired = repair(run.path, into, memory, wishes)
        except OSError as error:
            return self._fail(f"{into} cannot be written: {error.strerror}", USAGE_ERROR)
        except duckdb.IOException as error:
            reason = str(error).partition("\n")[0]
            return self._fail(f"{run.path} cannot be repaired: {reason}", USAGE_ERROR)
        for line in _told(repaired, run.manifest, into):
            print(line)
        if not repaired.entries:
            self.exitcode = FAILED
        return None

    def _fail(self, sentence: str, status: int) -> None:
        print(sentence.rstrip(".") + ".", file=sys.stderr)
        self.exitcode = status


def _open(path: str) -> Run:
    folder = find_run(path)
    try:
        return open_run(folder)
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{folder / NAME} cannot be read.") from error


def _check(into: Path) -> None:
    if into.exists() and not into.is_dir():
        raise ConfigError(f"--into: {into} is no folder.")
    if into.is_dir() and any(into.iterdir()):
        raise ConfigError(f"{into} is not empty: give another folder with --into.")


def _told(repaired: Repaired, manifest: Manifest, into: Path) -> Iterator[str]:
    """Yield what a user must know: what there is, what is not certain, what to do with it."""
    files = sum(len(written.names) for written in repaired.files)
    yield f"{counted(repaired.entries, 'URL')} in {counted(files, 'file')} below {into}"
    for change, number in repaired.changes.items():
        yield f"{number:>10,}  {change}"
    yield f"What was changed, and why: {into / LIST}"
    yield from _doubts(repaired, manifest)
    if not repaired.files:
        yield "\nNo sitemap is written, since no URL of the run can stay."
        return
    yield "\nWhere the files go, and the line for robots.txt:"
    for written in repaired.files[:SHOWN]:
        yield f"  {written.folder}/* to {written.origin}/"
        yield f"    Sitemap: {written.origin}/{written.names[0]}"
    if len(repaired.files) > SHOWN:
        yield f"  and {counted(len(repaired.files) - SHOWN, 'more host')}"


def _doubts(repaired: Repaired, manifest: Manifest) -> Iterator[str]:
    if not manifest.complete and manifest.reason:
        yield f"\nThe audit is not complete: {manifest.reason}."
    kept = sum(repaired.unchecked.values())
    if kept:
        reasons = ", ".join(
            f"{number:,} {f'left out by {name}' if name else _NOT_REACHED}"
            for name, number in repaired.unchecked.items()
        )
        yield f"\n{counted(kept, 'URL')} kept as listed, though not checked: {reasons}."
    if repaired.unread:
        yield (
            f"\n{counted(repaired.unread, 'sitemap')} could not be read, or not as a whole:"
            " what else they list is missing here. See `not read` and `read in part` in the list."
        )
