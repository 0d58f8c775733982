"""``report``: builds the results of runs again from their ledgers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapaudit.cli.command import (
    INCOMPLETE,
    SUCCESS,
    Command,
    Settings,
    refuse,
    refuse_error,
)
from sitemapaudit.config.options import ConfigError
from sitemapaudit.runs.folders import check_writable

if TYPE_CHECKING:
    from sitemapaudit.config.audit_settings import AuditSettings
    from sitemapaudit.rules.catalog import Catalog
    from sitemapaudit.runs.manifest import Manifest
    from sitemapaudit.runs.merging.collecting import Collection


class ReportCommand(Command):
    """Builds tables, findings and report from ledgers; needs no network but that of a store."""

    name = "report"
    summary = "Rebuild the results of a run, merge shards, or report on a fleet of sites"
    setting_names = (
        "dir",
        "fail_on",
        "rules",
        "rule_modules",
        "session_params",
        "loc_notice_length",
        "memory",
        "formats",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the runs, and where their results go."""
        parser.add_argument(
            "runs",
            metavar="RUN",
            nargs="*",
            help="a run folder, a folder above it, or the address of a run in a store (s3://…);"
            " several shards are merged into one run",
        )
        parser.add_argument(
            "--into",
            metavar="DIR",
            type=Path,
            help="the run folder for merged shards, or for a run from a store",
        )
        parser.add_argument(
            "--fleet",
            type=Path,
            metavar="DIR",
            help="write one page and one table about all sites in this folder, the worst first",
        )

    def run(self, options: Namespace, settings: Settings) -> int:
        """Build the results of a run, or the page of a fleet."""
        from sitemapaudit.runs.merging.stores import is_remote  # noqa: PLC0415

        if bool(options.runs) == bool(options.fleet) or (options.fleet and options.into):
            return refuse("report: give run folders (and --into DIR), or --fleet DIR")
        if options.fleet:
            return _report_fleet(options.fleet, settings)
        if len(options.runs) > 1 or options.into or is_remote(options.runs[0]):
            return _collect(options.runs, options.into, settings)
        return _rebuild(options.runs[0], settings)


def _rebuild(path: str, settings: Settings) -> int:
    from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415
    from sitemapaudit.runs.folders import find_run, locked  # noqa: PLC0415
    from sitemapaudit.runs.manifest import Manifest  # noqa: PLC0415

    try:
        folder = find_run(path)
        chosen = AuditSettings.from_scrapy(settings.values)
        chosen.check_extras()
        Manifest.read(folder)
    except (OSError, ValueError) as error:
        return refuse(str(error))
    try:
        with locked(folder):
            return _rebuild_locked(folder, chosen)
    except OSError as error:
        return refuse_error(error, folder)


def _rebuild_locked(folder: Path, chosen: AuditSettings) -> int:
    from sitemapaudit.audit import Audit  # noqa: PLC0415
    from sitemapaudit.results.building import TablesError, rebuild_results  # noqa: PLC0415
    from sitemapaudit.runs.manifest import Manifest  # noqa: PLC0415

    check_writable(folder)
    manifest = Manifest.read(folder)
    manifest.mark_interrupted(datetime.now(UTC))
    audit = Audit.of(chosen)
    audit.broken = Counter(_broken_row_rules(manifest, audit.rules))
    try:
        rebuild_results([folder], folder, manifest, audit, chosen)
    except TablesError as error:
        return refuse(f"{folder} is as it was: its tables cannot be written: {error}", INCOMPLETE)
    _print_summary(folder, manifest)
    return INCOMPLETE if manifest.failed_formats or manifest.damage else SUCCESS


def _collect(addresses: list[str], into: Path | None, settings: Settings) -> int:
    from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415
    from sitemapaudit.config.recorded import known_settings  # noqa: PLC0415
    from sitemapaudit.runs.merging.collecting import collect  # noqa: PLC0415

    def folder_of(manifest: Manifest) -> Path:
        return _site_folder(manifest, settings)

    try:
        collection = collect(addresses, into, folder_of)
        chosen = AuditSettings.from_scrapy(settings.over(known_settings(collection.settings)))
        chosen.check_extras()
    except (OSError, ValueError) as error:
        return refuse(str(error))
    return _build_collection(collection, chosen)


def _site_folder(manifest: Manifest, settings: Settings) -> Path:
    """Return the folder that would contain a new run of the same audit."""
    from sitemapaudit.config.audit_config import Config  # noqa: PLC0415
    from sitemapaudit.config.recorded import known_arguments  # noqa: PLC0415
    from sitemapaudit.runs.folder_names import folder_name  # noqa: PLC0415

    given = known_arguments(manifest.given)
    given.pop("resume", None)
    config = Config.read(given, {"DOWNLOAD_TIMEOUT": 0, **settings.values})
    return config.settings.dir / folder_name(config.site_name())


def _build_collection(collection: Collection, chosen: AuditSettings) -> int:
    from sitemapaudit.audit import Audit  # noqa: PLC0415
    from sitemapaudit.results.building import build_results  # noqa: PLC0415
    from sitemapaudit.runs.folders import RunInUseError, locked  # noqa: PLC0415

    into = collection.into
    audit = Audit.of(chosen)
    print(f"Building {into}", flush=True)
    try:
        into.mkdir(parents=True, exist_ok=True)
        with locked(into):
            manifest = collection.write_ledger(audit)
            build_results([into], into, manifest, audit, chosen)
    except RunInUseError as error:
        return refuse(str(error))
    except OSError as error:
        print(f"{error}; {into} is incomplete.", file=sys.stderr)
        return INCOMPLETE
    _print_summary(into, manifest)
    return manifest.exit_status(chosen.fail_on)


def _report_fleet(folder: Path, settings: Settings) -> int:
    from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415
    from sitemapaudit.report.fleet.page import write_fleet_page  # noqa: PLC0415
    from sitemapaudit.report.fleet.reading import read_fleet  # noqa: PLC0415
    from sitemapaudit.report.fleet.summary import fleet_summary  # noqa: PLC0415
    from sitemapaudit.report.fleet.tables import write_tables  # noqa: PLC0415
    from sitemapaudit.report.terminal import Terminal  # noqa: PLC0415

    try:
        AuditSettings.from_scrapy(settings.values)  # A misspelled setting is an error here too.
        fleet = read_fleet(folder)
        write_tables(fleet)
        write_fleet_page(fleet)
    except ConfigError as error:
        return refuse(str(error))
    except OSError as error:
        return refuse_error(error, folder) if error.errno else refuse(str(error))
    Terminal().print(fleet_summary(fleet), highlight=False, crop=False)
    return SUCCESS


def _print_summary(folder: Path, manifest: Manifest) -> None:
    from sitemapaudit.report.summary import summary  # noqa: PLC0415
    from sitemapaudit.report.terminal import Terminal  # noqa: PLC0415

    Terminal().print(summary(folder, manifest), highlight=False, crop=False)


def _broken_row_rules(manifest: Manifest, rules: Catalog) -> dict[str, int]:
    """Return the failures of row rules: rows are not checked again, queries are."""
    from sitemapaudit.rules.rule import RowRule  # noqa: PLC0415

    return {
        name: number
        for name, number in manifest.broken_rules.items()
        if name in rules and issubclass(rules[name], RowRule)
    }
