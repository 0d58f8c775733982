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
from sitemapaudit.concluding import conclude
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.folders import find_run, is_under_way
from sitemapaudit.datasets.manifest import Manifest, Status, timestamp
from sitemapaudit.options import ConfigError
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
            self._refuse(str(error))
            return
        if is_under_way(folder):
            self._refuse(f"{folder} is under way in another process")
            return
        manifest = _reopened(folder)
        conclude([folder], folder, manifest, Audit(settings.rules), settings)
        Console().print(summary(folder, manifest), highlight=False, crop=False)
        if manifest.failed_formats or manifest.status is Status.FAILED:
            self.exitcode = 3

    def _refuse(self, reason: str) -> None:
        print(reason.rstrip(".") + ".", file=sys.stderr)
        self.exitcode = 2


def _reopened(folder: Path) -> Manifest:
    """Return the manifest; a run that never said how it ended was cut short."""
    manifest = Manifest.read(folder)
    if manifest.status is Status.RUNNING:
        manifest.status = Status.INTERRUPTED
        manifest.reason = "the run was cut short"
        manifest.finished = timestamp(datetime.now(UTC))
    return manifest
