"""Show what is new, fixed and unchanged between two runs."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb
from rich.table import Table
from rich.text import Text

from sitemapaudit.audit import Audit
from sitemapaudit.cli.command import FOUND, SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.options import word_of
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.cli.run_pair import open_pair
from sitemapaudit.comparison.comparing import TABLE, Comparison, compare
from sitemapaudit.comparison.differences import FIXED, NEW, NOT_AGAIN, NOT_BEFORE, UNCHANGED
from sitemapaudit.comparison.junit import write_new_findings
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.recorded import settings_of_run
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.report.brand import Brand
from sitemapaudit.report.report_page import NAME, write_report
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.report.wording import describe_listing, describe_share_change, name_rules
from sitemapaudit.runs.folders import are_of_different_sites, check_writable, locked
from sitemapaudit.runs.manifest import Manifest

SHOWN: Final = 12
"""The number of rules and changes of verdicts that are printed."""

NEVER: Final = "never"
_FAIL_ON: Final = (NEVER, NEW, *(severity.value for severity in Severity))


class Command(BaseCommand):
    """Compares two runs, or the newest with the previous one; needs no network."""

    setting_names = ("rules", "rule_modules", "memory")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the runs and the options of a gate."""
        parser.add_argument(
            "runs",
            metavar="RUN",
            nargs="+",
            help="run folders, or folders above them: the earlier run and the later one; with one"
            " RUN, it is compared with the previous run of its site",
        )
        parser.add_argument(
            "--fail-on",
            type=word_of(*_FAIL_ON),
            metavar="|".join(_FAIL_ON),
            default=NEVER,
            help="exit status 1 if a finding is new: any (new), or with at least this severity",
        )
        parser.add_argument(
            "--junit", metavar="FILE", type=Path, help="write the new findings as JUnit XML"
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Compare, print the summary, and return the exit status."""
        if len(options.runs) > 2:
            return refuse("compare: give one run, or two")
        minimum = Severity.NOTICE if options.fail_on in (NEVER, NEW) else Severity(options.fail_on)
        try:
            *earlier, later = options.runs
            old, run = open_pair(later, *earlier or [None])
            new = run.path
            chosen = settings_of_run(run.manifest, new, settings)
        except (OSError, ValueError) as error:
            return refuse(error)
        if old is None:
            say(f"There is no run before {new}: nothing to compare.")
            return SUCCESS
        try:
            with locked(new):
                comparison = _compare(old, new, chosen)
        except (OSError, duckdb.IOException) as error:
            return refuse_error(error, new)
        except ValueError as error:
            return refuse(error)
        try:
            if options.junit:
                write_new_findings(comparison, options.junit, minimum)
        except OSError as error:
            return refuse_error(error, options.junit)
        console = Terminal()
        for part in _summary(comparison):
            console.print(part, highlight=False, crop=False, soft_wrap=True)
        fails = options.fail_on != NEVER and _highest_new_rank(comparison) >= minimum.rank
        return FOUND if fails else SUCCESS


def _compare(old: Path, new: Path, chosen: AuditSettings) -> Comparison:
    """Compare runs, and write the results into the later one."""
    check_writable(new)
    manifest = Manifest.read(new)
    audit = Audit.of(chosen, sitemaps=manifest.reads_sitemaps)
    comparison = compare(old, new, chosen.memory, audit)
    comparison.record(manifest)
    brand = Brand(chosen.report_title, chosen.report_logo, chosen.report_color)
    with usable_tables(new):
        write_report(new, manifest, audit.rules, comparison, chosen.memory, brand)
    manifest.write(new)
    return comparison


def _highest_new_rank(comparison: Comparison) -> int:
    ranks = (Severity(severity).rank for _, severity, change in comparison.rules if change == NEW)
    return max(ranks, default=-1)


def _summary(comparison: Comparison) -> Iterator[Text | Table]:
    yield Text(f"\n{comparison.new}\ncompared with {comparison.old}\n")
    if are_of_different_sites(comparison.new, comparison.old):
        yield Text("These runs are of different sites: a difference need not be a change.\n", "red")
    if comparison.share_change:
        yield Text(f"{describe_share_change(comparison.share_change)}\n", "bold")
    yield Text(describe_listing(comparison.changes), "bold")
    for (before, after), number in list(comparison.verdicts.items())[:SHOWN]:
        yield Text(f"{number:>8,}  {before} → {after}")
    counts = ", ".join(
        f"{comparison.findings(change):,} {change}" for change in (NEW, FIXED, UNCHANGED, NOT_AGAIN)
    )
    yield Text(f"\nFindings: {counts}", "bold")
    if comparison.rules:
        yield _rules(comparison)
    if unchecked := comparison.by_rule(NOT_BEFORE):
        more = count_noun(unchecked.total(), "more finding")
        yield Text(f"{more}, not checked before: {name_rules(unchecked)}")
    if comparison.broken:
        names = ", ".join(comparison.broken)
        yield Text(f"\nRules that failed (tracebacks are in the log): {names}.", "red")
    yield Text(f"\nAll differences  {comparison.new / TABLE}.csv")
    yield Text(f"Report           {comparison.new / NAME}#change")


def _rules(comparison: Comparison) -> Table:
    """Return the rules with the most new findings, then those with the most fixed ones."""
    table = Table.grid(padding=(0, 2))
    for _ in range(4):
        table.add_column(no_wrap=True)
    changed = {
        (rule, severity): (
            comparison.rules.get((rule, severity, NEW), 0),
            comparison.rules.get((rule, severity, FIXED), 0),
        )
        for rule, severity, change in comparison.rules
        if change in (NEW, FIXED)
    }
    worst = sorted(changed.items(), key=lambda pair: (-pair[1][0], -pair[1][1], pair[0]))
    for (rule, severity), (new, fixed) in worst[:SHOWN]:
        table.add_row(f"  {severity}", rule, f"+{new:,}", f"-{fixed:,}")
    return table
