"""Rebuild the results of a run, merge shards, or report on a fleet of sites."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.cli.command import INCOMPLETE, SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.fleet import report_fleet
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import (
    read_settings,
    record_settings,
    recorded_arguments,
    settings_of_run,
)
from sitemapaudit.output import say
from sitemapaudit.rendering.browser import Browser, find_browser
from sitemapaudit.rendering.pdf import PdfError, print_pdf
from sitemapaudit.report.report_page import NAME
from sitemapaudit.report.summary import summary
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.results.building import TablesError, build_results, rebuild_results
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import RunInUseError, check_writable, find_run, locked
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.merging.collecting import Collection, collect
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.urls.shard import WHOLE


class Command(BaseCommand):
    """Builds tables, findings and report from ledgers; needs a network only for stores."""

    setting_names = (
        "dir",
        "fail_on",
        "exit_zero",
        "rules",
        "rule_modules",
        "session_params",
        "loc_notice_length",
        "slow_seconds",
        "deep_clicks",
        "memory",
        "formats",
        "report_title",
        "report_logo",
        "report_color",
        "browser",
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the runs and the destination of the results."""
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

        parser.add_argument(
            "--pdf",
            action="store_true",
            help="also print the report as report.pdf into the run folder; needs a browser",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Build the results of a run, or the page of a fleet."""
        if bool(options.runs) == bool(options.fleet) or (options.fleet and options.into):
            return refuse("report: give run folders (and --into DIR), or --fleet DIR")
        if options.fleet:
            if options.pdf:
                return refuse("report: --pdf prints the report of a run, not the page of a fleet")
            return _report_fleet(options.fleet, settings)
        if len(options.runs) > 1 or options.into or is_remote(options.runs[0]):
            return _collect(options.runs, options.into, settings, pdf=options.pdf)
        return _rebuild(options.runs[0], settings, pdf=options.pdf)


def _rebuild(path: str, settings: Layers, *, pdf: bool) -> int:
    try:
        folder = find_run(path)
        chosen = settings_of_run(Manifest.read(folder), folder, settings)
        chosen.check_extras()
        browser = _find_printer(chosen, pdf=pdf)
    except (OSError, ValueError) as error:
        return refuse(error)
    try:
        with locked(folder):
            status = _rebuild_locked(folder, chosen, settings.set_by)
    except OSError as error:
        return refuse_error(error, folder)
    return max(status, _print_report(folder, browser))


def _find_printer(chosen: AuditSettings, *, pdf: bool) -> Browser | None:
    """Return the browser that prints, if a PDF file is wanted; raises ConfigError."""
    return find_browser(chosen.browser, "--pdf") if pdf else None


def _print_report(folder: Path, browser: Browser | None) -> int:
    """Print the report, if a browser is to do so; return the exit status."""
    page = folder / NAME
    if browser is None or not page.exists():
        return SUCCESS
    try:
        say(f"Printed     {print_pdf(page, browser)}")
    except (PdfError, OSError) as error:
        say(f"{page} could not be printed: {error}.", error=True)
        return INCOMPLETE
    return SUCCESS


def _rebuild_locked(folder: Path, chosen: AuditSettings, set_by: Mapping[str, str]) -> int:
    check_writable(folder)
    manifest = Manifest.read(folder)
    manifest.mark_interrupted(datetime.now(UTC))
    record_settings(manifest, chosen, set_by)
    audit = Audit.of(chosen, sitemaps=manifest.reads_sitemaps)
    try:
        rebuild_results([folder], folder, manifest, audit, chosen)
    except TablesError as error:
        return refuse(
            f"{folder} is unchanged: its tables could not be written: {error}", INCOMPLETE
        )
    _print_summary(folder, manifest)
    if manifest.shard != WHOLE:  # Of `report shards/*`, the others may be missing.
        return INCOMPLETE
    return manifest.exit_status(chosen.fail_on, zero=chosen.exit_zero)


def _collect(addresses: list[str], into: Path | None, settings: Layers, *, pdf: bool) -> int:
    def folder_of(manifest: Manifest) -> Path:
        return _site_folder(manifest, settings)

    try:
        collection = collect(addresses, into, folder_of)
        chosen = settings_of_run(collection.first.manifest, collection.first.name, settings)
        chosen.check_extras()
        browser = _find_printer(chosen, pdf=pdf)
    except (OSError, ValueError) as error:
        return refuse(error)
    status = _build_collection(collection, chosen, settings.set_by)
    return max(status, _print_report(collection.into, browser))


def _site_folder(manifest: Manifest, settings: Layers) -> Path:
    """Return the folder that would contain a new run of the same audit."""
    given = recorded_arguments(manifest)
    given.pop("resume", None)
    config = Config.read(given, {"DOWNLOAD_TIMEOUT": 0, **settings.values})
    return config.settings.dir / folder_name(config.site_name())


def _build_collection(
    collection: Collection, chosen: AuditSettings, set_by: Mapping[str, str]
) -> int:
    into = collection.into
    audit = Audit.of(chosen, sitemaps=collection.first.manifest.reads_sitemaps)
    say(f"Building {into}")
    try:
        into.mkdir(parents=True, exist_ok=True)
        with locked(into):
            manifest = collection.write_ledger(audit)
            record_settings(manifest, chosen, set_by)
            build_results([into], into, manifest, audit, chosen)
    except RunInUseError as error:
        return refuse(error)
    except OSError as error:
        say(f"{error}; {into} is incomplete.", error=True)
        return INCOMPLETE
    _print_summary(into, manifest)
    return manifest.exit_status(chosen.fail_on, zero=chosen.exit_zero)


def _report_fleet(folder: Path, settings: Layers) -> int:
    try:
        read_settings(settings)  # A misspelled setting is an error here too.
    except ConfigError as error:
        return refuse(error)
    return report_fleet(folder)


def _print_summary(folder: Path, manifest: Manifest) -> None:
    Terminal().print(summary(folder, manifest), highlight=False, crop=False)
