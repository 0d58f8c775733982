"""``scrapy repair``: writes the sitemaps of a run as they should be."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.run import open_run
from sitemapaudit.options import ConfigError
from sitemapaudit.repair.repairing import CHANGES, Repaired, Wishes, repair
from sitemapaudit.report.wording import counted


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
        parser.add_argument("--gzip", action="store_true", help="compress the sitemaps")
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
        """Repair the sitemaps of one run folder."""
        if len(args) != 1:
            raise UsageError
        try:
            folder = open_run(find_run(args[0])).path
            memory = AuditSettings.of(self.settings or {}).memory
            into: Path = opts.into or folder / "repaired"
            if into.exists() and any(into.iterdir()):
                raise FileExistsError(f"--into: {into} is not empty")
        except (OSError, ConfigError) as error:
            print(str(error).rstrip(".") + ".", file=sys.stderr)
            self.exitcode = 2
            return
        wishes = Wishes(opts.gzip, opts.keep_unknown, opts.strict)
        repaired = repair(folder, into, memory, wishes)
        _tell(repaired, into)


def _tell(repaired: Repaired, into: Path) -> None:
    files = sum(map(len, repaired.files.values()))
    print(f"{counted(repaired.entries, 'URL')} in {counted(files, 'file')} below {into}")
    for origin, names in repaired.files.items():
        print(f"  {origin}/{names[0]}")
    for change, number in repaired.changes.items():
        print(f"{number:>10,}  {change}")
    print(f"What was changed, and why: {into / CHANGES}")
