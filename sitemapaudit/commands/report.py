"""``scrapy report``: builds the tables and the report of a run again from its ledger."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from sitemapaudit.audit import Audit
from sitemapaudit.collecting import Collection, collect, reopened
from sitemapaudit.concluding import conclude
from sitemapaudit.config import AuditSettings, take_over
from sitemapaudit.datasets.folders import find_run, is_under_way
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.stores import is_remote
from sitemapaudit.pipelines import exit_status
from sitemapaudit.report.fleet import read_fleet
from sitemapaudit.report.fleet_page import write_fleet_page
from sitemapaudit.report.fleet_summary import fleet_summary
from sitemapaudit.report.fleet_tables import write_tables
from sitemapaudit.report.summary import summary
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.terminal import Terminal


class Command(ScrapyCommand):
    """Build tables and findings from what runs wrote down; no network but that of a store."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "RUN [RUN …] [--into DIR] | --fleet DIR"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "Build the tables of a run again from its log, of a killed one or of shards too"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add what belongs to this command."""
        super().add_options(parser)
        parser.add_argument(
            "--into",
            metavar="DIR",
            type=Path,
            help="the run folder for what shards, or a run in a store, are made into",
        )
        parser.add_argument(
            "--fleet",
            type=Path,
            metavar="DIR",
            help="one page and one table about all sites below this folder, the worst first",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Build the tables of one run folder, or the page of a fleet."""
        if bool(args) == bool(opts.fleet) or (opts.fleet and opts.into):
            raise UsageError
        if opts.fleet:
            self._report_fleet(opts.fleet)
            return
        given = self.settings or BaseSettings()
        several = len(args) > 1 or opts.into or is_remote(args[0])
        try:
            if several:
                collection = collect(args, opts.into, given)
                take_over(collection.settings, given)
            else:
                folder = find_run(args[0])
            settings = AuditSettings.of(given)
        except (OSError, ValueError) as error:
            self._refuse(str(error))
            return
        if several:
            self._unite(collection, settings)
        elif is_under_way(folder):
            self._refuse(f"{folder} is under way in another process")
        else:
            self._rebuild(folder, settings)

    def _rebuild(self, folder: Path, settings: AuditSettings) -> None:
        manifest = reopened(Manifest.read(folder))
        audit = Audit(settings.rules)
        audit.broken = Counter(_broken_rows(manifest))
        conclude([folder], folder, manifest, audit, settings)
        self._tell(folder, manifest)
        if manifest.failed_formats or manifest.status is Status.FAILED:
            self.exitcode = 3

    def _unite(self, collection: Collection, settings: AuditSettings) -> None:
        audit = Audit(settings.rules, settings.preferences)
        print(f"Building {collection.into}", flush=True)
        try:
            manifest = collection.unite(audit)
        except OSError as error:
            print(f"{error}; {collection.into} is not complete.", file=sys.stderr)
            self.exitcode = 3
            return
        conclude([collection.into], collection.into, manifest, audit, settings)
        self._tell(collection.into, manifest)
        self.exitcode = exit_status(manifest, settings.fail_on)

    def _report_fleet(self, folder: Path) -> None:
        try:
            fleet = read_fleet(folder)
            write_tables(fleet)
            write_fleet_page(fleet)
        except OSError as error:
            reason = f"{folder} cannot be written: {error.strerror}" if error.errno else str(error)
            self._refuse(reason)
            return
        Terminal().print(fleet_summary(fleet), highlight=False, crop=False)

    def _refuse(self, reason: str) -> None:
        print(reason.rstrip(".") + ".", file=sys.stderr)
        self.exitcode = 2

    @staticmethod
    def _tell(folder: Path, manifest: Manifest) -> None:
        Terminal().print(summary(folder, manifest), highlight=False, crop=False)


def _broken_rows(manifest: Manifest) -> dict[str, int]:
    """Return the rules that failed on rows: these are not judged again, the tables are."""
    rules = catalogue()
    return {
        name: number
        for name, number in manifest.broken_rules.items()
        if name in rules and issubclass(rules[name], RowRule)
    }
