"""``scrapy report``: builds the tables and the report of a run again from its ledger."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare_with_before
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.exports import export
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.manifest import Manifest, Status, timestamp
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.options import ConfigError
from sitemapaudit.report.page import write_report
from sitemapaudit.report.summary import summary


class Command(ScrapyCommand):
    """Build tables and findings from what a run wrote down; no network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "RUN"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "Build the tables of a run again from its log, of a killed one too"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Build the tables of one run folder."""
        if len(args) != 1:
            raise UsageError
        try:
            folder = find_run(args[0])
            settings = AuditSettings.of(self.settings or {})
        except (FileNotFoundError, ConfigError) as error:
            print(str(error).rstrip(".") + ".", file=sys.stderr)
            self.exitcode = 2
            return
        manifest = _reopened(folder)
        build_tables(Build([folder], folder, settings.memory), manifest, Audit(settings.rules))
        comparison = compare_with_before(folder, settings.memory, manifest, settings.rules)
        if comparison:
            comparison.note(manifest)
        export(folder, settings.formats, manifest, settings.memory)
        manifest.write(folder)
        write_report(folder, manifest, comparison, settings.memory)
        Console().print(summary(folder, manifest), highlight=False, crop=False)
        if manifest.failed_formats:
            self.exitcode = 3


def _reopened(folder: Path) -> Manifest:
    """Return the manifest; a run that never said how it ended was cut short."""
    manifest = Manifest.read(folder)
    if manifest.status is Status.RUNNING:
        manifest.status = Status.INTERRUPTED
        manifest.reason = "the run was cut short"
        manifest.finished = timestamp(datetime.now(UTC))
    return manifest
