"""``scrapy crawl``: checks the arguments before anything starts, and returns the exit status."""

from __future__ import annotations

import argparse
import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from scrapy.addons import AddonManager
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.log import configure_logging

from sitemapaudit.alerts.sending import check_addresses
from sitemapaudit.cli.command import FOUND, INCOMPLETE, SUCCESS, USAGE_ERROR
from sitemapaudit.config import AuditSettings, Config, ConfigError, resumed_settings
from sitemapaudit.config.config_file import ConfigFile, read_config_file
from sitemapaudit.config.layers import COMMAND_LINE, Layers
from sitemapaudit.config.options import suggest_name
from sitemapaudit.config.recorded import WITH_RESUME
from sitemapaudit.config.scrapy_settings import (
    check_components,
    check_names,
    check_stats,
    check_types,
    expected_log_file,
    scrapy_layers,
    set_settings,
)
from sitemapaudit.engine.event_loop import check_event_loop
from sitemapaudit.fetching.foreign_handlers import check_handlers
from sitemapaudit.hosts.names import UnknownHostError, find_first_addresses
from sitemapaudit.machine import find_low_limit
from sitemapaudit.output import say
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.runs import stats
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import check_writable, lock_run
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER, TABLES, Manifest, Status
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.runs.uploads.copies import (
    complete_upload,
    find_unfinished,
    lacks_upload,
    place_copy,
    remove_empty_copy,
    take_over,
)
from sitemapaudit.runs.uploads.links import Link
from sitemapaudit.spiders.sitemap import SitemapSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_OF_FILE: Final = SETTINGS_PRIORITIES["cmdline"] - 2
"""The priority of the settings of a configuration file."""

_BELOW_COMMAND_LINE: Final = SETTINGS_PRIORITIES["cmdline"] - 1
"""The priority of the recorded settings of a resumed run."""

_JOB: Final = "_job"
"""The argument that Scrapyd adds: the id of the job."""

EXIT_STATUS: Final = "Exit status %d"
"""The last line of the log, the only place where Scrapyd keeps the exit status of a job."""


class Command(ScrapyCrawl):
    """Runs a spider; the exit status of an audit says how the audit ended."""

    def __init__(self) -> None:
        super().__init__()
        self._config: Config | None = None
        self._crawlers: list[Crawler] = []
        self._copy: Path | None = None
        self._is_locked = False
        self._created: list[Path] = []
        """Folders that were created to check that they can be written, the innermost first."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments of an audit: a mistake is one sentence and status 2."""
        self._check_limits()
        self._read_options(args, opts)
        if len(args) != 1 or self.settings is None:
            raise UsageError("give the name of one spider, such as sitemap", print_help=False)
        spider = self._load_spider(args[0])
        if not issubclass(spider, SitemapSpider):
            return
        config = self._configure(spider, opts)
        if not config.arguments.resume and (stored := self._find_stored(config)):
            kept = (_JOB, "workers")
            given = {name: opts.spargs[name] for name in kept if name in opts.spargs}
            opts.spargs = {"resume": stored, **given}
            config = self._configure(spider, opts)
        if config.arguments.resume:
            self._check_resumable(config)
        self._check_writable(config)
        if config.arguments.resume:
            self._lock(config.arguments.resume)
            self._take_over(config.arguments.resume)
            # Another process can have finished it meanwhile.
            self._check_resumable(config)
        if config.is_demo:
            self._prepare_demo(config, opts)
        else:
            self._config = config

    def _configure(self, spider: type[SitemapSpider], opts: argparse.Namespace) -> Config:
        """Return the configuration of an audit; exit if an option is wrong."""
        assert self.settings is not None
        if not (opts.loglevel or _sets(opts, "LOG_LEVEL") or self.settings["LOG_FILE"]):
            # The log is in the run folder; the terminal shows the progress bar and the summary.
            self.settings.set("LOG_LEVEL", "WARNING", priority="project")
        layers = Layers()
        try:
            file = self._read_file(opts)
            layers = scrapy_layers(self.settings, file.layer)
            check_names([*layers.command_line, *file.settings], self.settings)
            set_settings(self.settings, file.settings, _OF_FILE)
            if is_remote(opts.spargs.get("resume") or ""):
                opts.spargs["resume"] = self._place_copy(opts.spargs["resume"])
            if opts.spargs.get("resume"):
                recorded = resumed_settings(opts.spargs["resume"])
                layers = layers.below_command_line(recorded)
                self.settings.setdict(recorded.values, _BELOW_COMMAND_LINE)
            check_types(self.settings)
            check_components(self.settings)
            self._add_arguments(opts, file, layers)
            settings = self.settings.copy()
            spider.update_settings(settings)
            check_stats(settings)
            check_event_loop(settings)
            config = Config.read(opts.spargs, settings)
            check_handlers(config, settings)
            config.settings.check_extras()
            check_addresses(config.settings.notify)
            if config.renders:
                from sitemapaudit.rendering.browser import find_browser  # noqa: PLC0415
                from sitemapaudit.rendering.browser_settings import check_browser  # noqa: PLC0415

                check_browser(config, settings)
                find_browser(config.settings.browser)
        except ConfigError as error:
            self._exit(str(layers.explain(error)))
        return config

    def _check_limits(self) -> None:
        """Exit if a limit of this process is too low for an audit."""
        if (fault := find_low_limit()) is not None:
            self._exit(f"{fault.reason}; {fault.remedy}", INCOMPLETE)

    def _read_file(self, opts: argparse.Namespace) -> ConfigFile:
        """Return the configuration file; jobs of Scrapyd have none."""
        return ConfigFile() if _JOB in opts.spargs else read_config_file()

    def _add_arguments(self, opts: argparse.Namespace, file: ConfigFile, layers: Layers) -> None:
        """Add the arguments of the file, and the origin of each argument and setting."""
        typed = opts.spargs
        is_demo = typed.get("site") in (DEMO, DEMO_LATER)
        added = {} if is_demo else file.arguments_below(typed)
        places = dict.fromkeys(added, file.name) | dict.fromkeys(typed, COMMAND_LINE)
        opts.spargs = {**added, **typed, "_set_by": layers.set_by | places}

    def _read_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read Scrapy's options; the address of a feed can contain a password."""
        try:
            super().process_options(args, opts)
        except UsageError as error:
            raise UsageError(hide_passwords(str(error)), print_help=error.print_help) from None

    def _load_spider(self, name: str) -> type[Spider]:
        """Return a spider of the project, or of its add-ons; exit if there is no such spider."""
        assert self.settings is not None
        settings = self.settings
        if settings["ADDONS"]:
            settings = settings.copy()
            try:
                check_components(settings)
            except ConfigError as error:
                self._exit(str(error))
            AddonManager.load_pre_crawler_settings(settings)
        loader = get_spider_loader(settings)
        try:
            return loader.load(name)
        except KeyError:
            known = loader.list()
        offer = suggest_name(name, known) or f"use one of {', '.join(known)}"
        return self._exit(f"There is no spider {name!r}; {offer}")

    def _prepare_demo(self, config: Config, opts: argparse.Namespace) -> None:
        from sitemapaudit.demo.website import EXCLUDE, SETTINGS  # noqa: PLC0415

        assert self.settings is not None
        if not config.arguments.resume:
            opts.spargs = {"exclude": EXCLUDE} | opts.spargs
        self.settings.setdict(
            {name: value for name, value in SETTINGS.items() if not _sets(opts, name)},
            priority="cmdline",
        )

    def _exit(self, reason: str, status: int = USAGE_ERROR) -> NoReturn:
        """Exit with one sentence, also in the log file if there is one."""
        if self._copy is not None:
            remove_empty_copy(self._copy)
        sentence = reason if reason.endswith((".", "?")) else f"{reason}."
        refused = status not in (SUCCESS, FOUND, INCOMPLETE)
        say(sentence, error=refused)
        log = self.settings and self.settings["LOG_FILE"]
        if log and expected_log_file(log) is None:
            # Users of Scrapyd see only the log of their job.
            configure_logging(self.settings)
            for line in (sentence, EXIT_STATUS % status):
                logger.log(logging.ERROR if refused else logging.INFO, line)
        sys.exit(status)

    def _check_resumable(self, config: Config) -> None:
        """Exit if there is nothing to resume."""
        run = config.arguments.resume
        assert run is not None
        place, link = config.settings.upload, Link.read(run)
        is_typed = config.set_by.get("AUDIT_UPLOAD") == COMMAND_LINE
        if link and is_typed and not link.address.startswith(f"{place}/"):
            self._exit(f"AUDIT_UPLOAD: {run} is uploaded to {link.address}; remove it")
        manifest = Manifest.read(run)
        if manifest.shards:
            self._exit(f"resume: {run} was merged from shards; resume the shards.")
        built = TABLES not in manifest.failed_formats
        whole = built and not manifest.damage and not config.arguments.found
        if manifest.status is Status.FINISHED and whole:
            if lacks_upload(run):
                if not self._is_locked:
                    return
                if fault := complete_upload(run):
                    self._exit(f"{run} is finished, but not uploaded: {fault}", INCOMPLETE)
            settings = config.settings
            status = manifest.exit_status(settings.fail_on, zero=settings.exit_zero)
            self._exit(f"{run} is finished: there is nothing to resume.", status)

    def _find_stored(self, config: Config) -> str | None:
        """Return the address of this audit in the store of AUDIT_UPLOAD, if it has not finished."""
        place = config.settings.upload
        if not place:
            return None
        try:
            return find_unfinished(
                place, config.site_name(), config.recorded_values()[0], WITH_RESUME
            )
        except OSError as error:
            return self._exit(f"AUDIT_UPLOAD: {error}", INCOMPLETE)

    def _place_copy(self, address: str) -> str:
        """Return the folder on this machine for a run in a store."""
        assert self.settings is not None
        audits = AuditSettings.read({"AUDIT_DIR": self.settings.get("AUDIT_DIR", "audits")}).dir
        try:
            self._copy = place_copy(address, audits)
        except FileNotFoundError as error:
            self._exit(f"resume: {error}")
        except OSError as error:
            self._exit(f"resume: {error}", INCOMPLETE)
        return str(self._copy)

    def _take_over(self, run: Path) -> None:
        """Let no other machine continue a run that is uploaded; exit if one does."""
        try:
            take_over(run)
        except OSError as error:
            self._exit(f"resume: {error}", getattr(error, "exit_status", INCOMPLETE))

    def _lock(self, run: Path) -> None:
        """Lock a run until this process ends; exit if another process has it."""
        try:
            self._run_lock = lock_run(run)
            self._is_locked = True
        except OSError as error:
            self._exit(f"resume: {error}", getattr(error, "exit_status", USAGE_ERROR))

    def _check_writable(self, config: Config) -> None:
        """Exit if the run folder could not be written."""
        resume, audits = config.arguments.resume, config.settings.dir
        folder = resume or audits / folder_name(config.site_name())
        self._created = [path for path in (folder, *folder.parents) if not path.exists()]
        try:
            check_writable(folder)
        except OSError as error:
            what = f"resume: {resume}" if resume else f"AUDIT_DIR: {audits}"
            self._exit(f"{what} cannot be written: {error.strerror}.")

    def _check_names(self, config: Config) -> dict[str, list[str]]:
        """Exit if the site has no address and was never audited: its name is misspelled.

        Return the addresses that were found. A job of Scrapyd continues: its outcome is expected in
        its manifest.
        """
        is_new = any(folder.name == folder_name(config.site_name()) for folder in self._created)
        origins = config.requested_origins
        if config.job is not None or not is_new or not origins:
            return {}
        try:
            return find_first_addresses(origins)
        except UnknownHostError as error:
            for folder in self._created:
                with suppress(OSError):
                    folder.rmdir()
            self._exit(f"{error}: check the spelling", INCOMPLETE)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, and set the exit status."""
        if self._config is not None:
            opts.spargs["_first_addresses"] = self._check_names(self._config)
        super().run(args, opts)
        for crawler in self._crawlers:
            if issubclass(crawler.spidercls, SitemapSpider):
                self.exitcode = _exit_status(crawler)
                logger.info(EXIT_STATUS, self.exitcode)

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        crawler = super()._create_crawler(spidercls)
        self._crawlers.append(crawler)
        return crawler


def _sets(opts: argparse.Namespace, name: str) -> bool:
    return any(pair.startswith(f"{name}=") for pair in opts.set)


def _exit_status(crawler: Crawler) -> int:
    try:
        return int(crawler.stats.get_value(stats.EXIT_STATUS, INCOMPLETE))
    except RuntimeError:  # The crawl failed at the start.
        return INCOMPLETE
