"""Write repaired sitemaps from a run, and list the changes."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.cli.command import INCOMPLETE, SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import settings_of_run
from sitemapaudit.datasets.run import open_run
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.repair.repairing import CHANGES_FILE, Repaired, RepairOptions, Written, repair
from sitemapaudit.runs.folders import RunInUseError, locked
from sitemapaudit.runs.manifest import Manifest

SHOWN: Final = 20
"""The number of hosts in the summary."""

_RECORD: Final = "audit with links=record"
_NOT_REACHED: Final = "not reached by the run, or pointing to a URL that it did not reach"


class Command(BaseCommand):
    """Writes only indexable, final URLs, within the limits; needs no network."""

    setting_names = ("memory",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the run and the options of the repair."""
        parser.add_argument("run", metavar="RUN", help="a run folder, or a folder above it")
        parser.add_argument(
            "--into",
            metavar="DIR",
            type=Path,
            help="folder for the files (default: `repaired` in the run folder)",
        )
        parser.add_argument(
            "--gzip",
            action="store_true",
            help="compress the sitemaps (sitemap.xml.gz); a sitemap index stays sitemap.xml",
        )
        parser.add_argument(
            "--drop-unknown",
            action="store_true",
            help="also drop URLs that failed, denied access or did not respond",
        )
        parser.add_argument(
            "--strict",
            action="store_true",
            help="also drop URLs whose pages have errors or warnings that no sitemap can fix",
        )
        parser.add_argument(
            "--add-unlisted",
            action="store_true",
            help="also list pages that are indexable, linked and in no sitemap; needs a run with"
            " links=record",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Repair the sitemaps of a run, and return the exit status."""
        try:
            run = open_run(options.run)
            memory = settings_of_run(run.manifest, run.path, settings).memory
            if not run.manifest.rows.get("urls"):
                raise ConfigError(f"{run.path} lists no URLs: there is nothing to repair.")
            into: Path = options.into or run.path / "repaired"
            _check(into)
            if options.add_unlisted and run.manifest.links is None:
                raise ConfigError(f"--add-unlisted: {run.path} has no links; {_RECORD}.")
        except (OSError, ValueError) as error:
            return refuse(error)
        how = RepairOptions(
            options.gzip,
            options.drop_unknown,
            options.strict,
            options.add_unlisted,
            run.manifest.build_hosts,
            run.manifest.build_path,
        )
        try:
            with _locked(run.path):
                repaired = repair(run.path, into, memory, how)
        except (OSError, duckdb.IOException) as error:
            return refuse_error(error, into)
        except ValueError as error:
            return refuse(error)
        for line in _summary(repaired, run.manifest, into):
            say(line)
        return SUCCESS if repaired.entries else INCOMPLETE


@contextmanager
def _locked(run: Path) -> Iterator[None]:
    """Lock a run, so that no other process writes its tables; a read-only one needs no lock."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(run))
        except RunInUseError:
            raise
        except OSError:
            pass
        yield


def _check(into: Path) -> None:
    if into.exists() and not into.is_dir():
        raise ConfigError(f"--into: {into} is not a folder.")
    if into.is_dir() and any(into.iterdir()):
        raise ConfigError(f"{into} is not empty; name another folder with --into.")


def _summary(repaired: Repaired, manifest: Manifest, into: Path) -> Iterator[str]:
    """Yield the results, the uncertainties, and the places for the files."""
    files = sum(len(written.names) for written in repaired.files)
    yield f"{count_noun(repaired.entries, 'URL')} in {count_noun(files, 'file')} below {into}"
    for change, number in repaired.changes.items():
        yield f"{number:>10,}  {change}"
    yield f"All changes, with reasons: {into / CHANGES_FILE}"
    yield from _uncertainties(repaired, manifest)
    if not repaired.files:
        yield "\nNo sitemap was written, because no URL of the run can be kept."
        return
    whole = [written for written in repaired.files if written.is_whole]
    if whole:
        yield "\nCopy the files to your site, and declare the sitemap in robots.txt:"
        for written in whole[:SHOWN]:
            yield f"  {written.folder}/* to {written.address}/"
            yield f"    Sitemap: {written.address}/{written.names[0]}"
        yield from _further_hosts(whole)
    additions = [written for written in repaired.files if not written.is_whole]
    if additions:
        yield (
            "\nThe sitemaps of these hosts were not read. Add the entries to them, and replace"
            " none:"
        )
        for written in additions[:SHOWN]:
            yield f"  {written.folder}/* for {written.address}/"
        yield from _further_hosts(additions)


def _further_hosts(files: list[Written]) -> Iterator[str]:
    if len(files) > SHOWN:
        yield f"  and {count_noun(len(files) - SHOWN, 'more host')}"


def _uncertainties(repaired: Repaired, manifest: Manifest) -> Iterator[str]:
    if not manifest.complete and manifest.reason:
        yield f"\nThe audit is incomplete: {manifest.reason}."
    kept = sum(repaired.unchecked.values())
    if kept:
        reasons = ", ".join(
            f"{number:,} {f'skipped by {name}' if name else _NOT_REACHED}"
            for name, number in repaired.unchecked.items()
        )
        yield f"\n{count_noun(kept, 'URL')} kept as listed although not checked: {reasons}."
    if repaired.failed:
        verdicts = ", ".join(f"{number:,} {name}" for name, number in repaired.failed.items())
        number = count_noun(sum(repaired.failed.values()), "URL")
        yield f"\n{number} kept although unknown or failing: {verdicts}; --drop-unknown drops them."
    if repaired.unread_sitemaps:
        yield (
            f"\n{count_noun(repaired.unread_sitemaps, 'sitemap')} could not be read, or only"
            " partly: their other URLs are missing here. See `unreadable` and `partly read` in"
            f" {CHANGES_FILE}."
        )
