"""``scrapy compare``: what is new, what is mended, what stays, between two runs of a site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.table import Table
from rich.text import Text
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from sitemapaudit.comparison.comparing import TABLE, Comparison, compare
from sitemapaudit.comparison.junit import write_junit
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.folders import find_run, run_before
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.run import open_run
from sitemapaudit.items import Severity
from sitemapaudit.options import ConfigError
from sitemapaudit.report.page import NAME, write_report
from sitemapaudit.terminal import Terminal

WORST: Final = 12
"""Rules that are shown."""

NEVER, NEW = "never", "new"


class Command(ScrapyCommand):
    """Compare two runs, or the newest with the one before it; no network."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "[--fail-on WHAT] [--junit FILE] [OLD] NEW"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "What is new, mended and unchanged between two runs"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--fail-on",
            choices=(NEVER, NEW, *Severity),
            default=NEVER,
            help="exit status 1 if a finding is new: any, or one at or above a severity",
        )
        parser.add_argument("--junit", type=Path, help="file for the new findings as JUnit XML")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Compare, print the summary, and set the exit status."""
        if len(args) not in (1, 2):
            raise UsageError
        try:
            new = open_run(find_run(args[-1])).path
            old = open_run(find_run(args[0])).path if len(args) == 2 else run_before(new)
            if old is None:
                print(f"There is no run before {new}: nothing to compare.")
                return
            settings = AuditSettings.of(self.settings or {})
            if old.resolve() == new.resolve():
                raise FileNotFoundError(f"{new} cannot be compared with itself")
            comparison = compare(old, new, settings.memory, rules=settings.rules)
            write_report(new, _noted(comparison), comparison, settings.memory)
            least = Severity.NOTICE if opts.fail_on in (NEVER, NEW) else Severity(opts.fail_on)
            if opts.junit:
                write_junit(comparison, opts.junit, least)
        except (OSError, ConfigError) as error:
            print(str(error).rstrip(".") + ".", file=sys.stderr)
            self.exitcode = 2
            return
        console = Terminal()
        for part in _summary(comparison):
            console.print(part, highlight=False, crop=False, soft_wrap=True)
        if opts.fail_on != NEVER and _gravest_new(comparison) >= least.rank:
            self.exitcode = 1


def _noted(comparison: Comparison) -> Manifest:
    """Write the numbers into the manifest of the later run, and return it."""
    manifest = Manifest.read(comparison.new)
    comparison.note(manifest)
    manifest.write(comparison.new)
    return manifest


def _gravest_new(comparison: Comparison) -> int:
    ranks = (Severity(severity).rank for _, severity, change in comparison.rules if change == NEW)
    return max(ranks, default=-1)


def _summary(comparison: Comparison) -> Iterator[Text | Table]:
    yield Text(f"\n{comparison.new}\ncompared with {comparison.old}\n")
    yield Text(f"URLs: {comparison.came:,} came, {comparison.went:,} went", "bold")
    for (before, after), number in list(comparison.verdicts.items())[:WORST]:
        yield Text(f"{number:>8,}  {before} → {after}")
    told = ", ".join(
        f"{comparison.findings(change):,} {change}"
        for change in ("new", "mended", "unchanged", "unknown")
    )
    yield Text(f"\nFindings: {told}", "bold")
    if comparison.rules:
        yield _rules(comparison)
    if comparison.broken:
        names = ", ".join(comparison.broken)
        yield Text(
            f"\nRules that failed, and say nothing (the log has the tracebacks): {names}.", "red"
        )
    yield Text(f"\nEverything  {comparison.new / TABLE}.csv")
    yield Text(f"As a page   {comparison.new / NAME}#change")


def _rules(comparison: Comparison) -> Table:
    """Return the rules whose findings changed most, new ones first."""
    table = Table.grid(padding=(0, 2))
    for _ in range(4):
        table.add_column(no_wrap=True)
    changed = {
        (rule, severity): (
            comparison.rules.get((rule, severity, "new"), 0),
            comparison.rules.get((rule, severity, "mended"), 0),
        )
        for rule, severity, change in comparison.rules
        if change in ("new", "mended")
    }
    worst = sorted(changed.items(), key=lambda pair: (-pair[1][0], -pair[1][1], pair[0]))
    for (rule, severity), (new, mended) in worst[:WORST]:
        table.add_row(f"  {severity}", rule, f"+{new:,}", f"-{mended:,}")
    return table
