"""The options of ``scrapy crawl`` for an audit, checked before anything starts."""

from argparse import Namespace
from pathlib import Path
from typing import Final

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from sitemapaudit.alerts.sending import check_addresses
from sitemapaudit.cli.starting.not_started import NotStartedError
from sitemapaudit.cli.starting.stored_runs import copy_of_stored_run
from sitemapaudit.config import Config, ConfigError, resumed_settings
from sitemapaudit.config.components import check_settings
from sitemapaudit.config.config_file import ConfigFile, read_config_file
from sitemapaudit.config.layers import COMMAND_LINE, Layers
from sitemapaudit.config.scrapy_settings import (
    check_names,
    scrapy_layers,
    set_settings,
)
from sitemapaudit.engine.event_loop import check_event_loop
from sitemapaudit.fetching.foreign_handlers import check_handlers
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.spiders.sitemap import SitemapSpider

JOB: Final = "_job"
"""The argument that Scrapyd adds: the id of the job."""

_OF_FILE: Final = SETTINGS_PRIORITIES["cmdline"] - 2
"""The priority of the settings of a configuration file."""

_BELOW_COMMAND_LINE: Final = SETTINGS_PRIORITIES["cmdline"] - 1
"""The priority of the recorded settings of a resumed run."""

_KEPT: Final = (JOB, "workers")
"""The arguments of an audit that a run in a store continues with."""


class CrawlOptions:
    """The arguments and settings of an audit: those given, those of its file and of its run.

    ``copy`` is the folder for a run in a store, if there is one.
    """

    def __init__(self, settings: BaseSettings, opts: Namespace) -> None:
        self.copy: Path | None = None
        self._settings = settings
        self._opts = opts

    def configure(self, spider: type[SitemapSpider]) -> Config:
        """Return the configuration of an audit, and add its settings to those of the project.

        Raises NotStartedError if an option is wrong.
        """
        if not (self._opts.loglevel or self.sets("LOG_LEVEL") or self._settings["LOG_FILE"]):
            # The log is in the run folder; the terminal shows the progress bar and the summary.
            self._settings.set("LOG_LEVEL", "WARNING", priority="project")
        layers = Layers()
        try:
            file = self._read_file()
            layers = scrapy_layers(self._settings, file.layer)
            check_names([*layers.command_line, *file.settings], self._settings)
            set_settings(self._settings, file.settings, _OF_FILE)
            layers = self._add_recorded(layers)
            self._add_arguments(file, layers)
            return self._read(spider)
        except ConfigError as error:
            raise NotStartedError(str(layers.explain(error))) from None

    def resume(self, address: str) -> None:
        """Continue a run in place of the audit that the arguments describe."""
        given = {name: value for name, value in self._opts.spargs.items() if name in _KEPT}
        self._opts.spargs = {"resume": address, **given}

    def prepare_demo(self, *, is_resumed: bool) -> None:
        """Add the arguments and settings of the demo where the user gave none."""
        # The demo takes 20 ms to import, and few runs need it.
        from sitemapaudit.demo.website import EXCLUDE, SETTINGS  # noqa: PLC0415

        if not is_resumed:
            self._opts.spargs = {"exclude": EXCLUDE} | self._opts.spargs
        settings = {name: value for name, value in SETTINGS.items() if not self.sets(name)}
        self._settings.setdict(settings, priority="cmdline")

    def sets(self, name: str) -> bool:
        """Return whether the command line sets a setting."""
        return any(pair.startswith(f"{name}=") for pair in self._opts.set)

    def _read_file(self) -> ConfigFile:
        """Return the configuration file; jobs of Scrapyd have none."""
        return ConfigFile() if JOB in self._opts.spargs else read_config_file()

    def _add_recorded(self, layers: Layers) -> Layers:
        """Add the settings of a run that is resumed."""
        run = self._opts.spargs.get("resume")
        if not run:
            return layers
        if is_remote(run):
            self.copy = copy_of_stored_run(run, self._settings)
            self._opts.spargs["resume"] = run = str(self.copy)
        recorded = resumed_settings(run)
        self._settings.setdict(recorded.values, _BELOW_COMMAND_LINE)
        return layers.below_command_line(recorded)

    def _add_arguments(self, file: ConfigFile, layers: Layers) -> None:
        """Add the arguments of the file, and the origin of each argument and setting."""
        typed = self._opts.spargs
        is_demo = typed.get("site") in (DEMO, DEMO_LATER)
        added = {} if is_demo else file.arguments_below(typed)
        places = dict.fromkeys(added, file.name) | dict.fromkeys(typed, COMMAND_LINE)
        self._opts.spargs = {**added, **typed, "_set_by": layers.set_by | places}

    def _read(self, spider: type[SitemapSpider]) -> Config:
        settings = self._settings.copy()
        spider.update_settings(settings)
        check_settings(settings)
        check_event_loop(settings)
        config = Config.read(self._opts.spargs, settings)
        check_handlers(config, settings)
        config.settings.check_extras()
        check_addresses(config.settings.notify)
        if config.renders:
            from sitemapaudit.rendering.browser import find_browser  # noqa: PLC0415
            from sitemapaudit.rendering.browser_settings import check_browser  # noqa: PLC0415

            check_browser(config, settings)
            find_browser(config.settings.browser)
        return config
