"""Audit a list of sites on a Scrapyd server."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sitemapaudit.cli.command import (
    FOUND,
    INCOMPLETE,
    SUCCESS,
    BaseCommand,
    refuse,
)
from sitemapaudit.cli.options import read_pairs
from sitemapaudit.config.config_file import ConfigFile, read_config_file
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.scrapy_settings import check_names, check_types, set_settings
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.scheduling.jobs import FinishedJob, run_jobs
from sitemapaudit.scheduling.server import ServerError, find_server
from sitemapaudit.scheduling.site_list import ENDINGS, ListedSite, read_sites


class Command(BaseCommand):
    """Schedules every site of a list through Scrapyd's API, and waits until all are audited."""

    setting_names = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the list, and how to audit it."""
        parser.add_argument(
            "list",
            metavar="LIST",
            type=Path,
            help="file with one site or sitemap=URL per line, followed by its own arguments",
        )
        parser.add_argument(
            "--at",
            default="default",
            metavar="SERVER",
            help="URL of the Scrapyd server, or a deploy target of scrapy.cfg",
        )
        parser.add_argument(
            "--jobs",
            type=int,
            default=4,
            metavar="N",
            help="jobs of the project that may be pending or running at once (default: 4)",
        )
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="argument of every audit, such as pages=100 (can be repeated)",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Schedule, print the outcome of each job, and return the exit status."""
        try:
            file = read_config_file()
            sites = _read(options, file, settings)
            server = find_server(options.at)
        except ConfigError as error:
            return refuse(hide_passwords(str(error)))
        endings = Counter[int | None]()
        try:
            sent = _texts({**file.settings, **settings.command_line})
            for event in run_jobs(server, sites, sent, options.jobs):
                _print_event(event)
                if isinstance(event, FinishedJob):
                    endings[event.status if event.status in ENDINGS else None] += 1
        except ServerError as error:
            ended = f"{count_noun(endings.total(), 'site')} of {len(sites):,} ended"
            return refuse(hide_passwords(f"{error}; {ended}"), INCOMPLETE)
        except KeyboardInterrupt:
            return refuse("Stopped; scheduled jobs continue on the server", INCOMPLETE)
        summary = ", ".join(
            f"{endings[status]:,} {ending}" for status, ending in ENDINGS.items() if endings[status]
        )
        say(f"{count_noun(len(sites), 'site')}: {summary}.")
        return max(status if status in (SUCCESS, FOUND) else INCOMPLETE for status in endings)


def _read(options: Namespace, file: ConfigFile, settings: Layers) -> list[ListedSite]:
    """Read the list, and check every audit of it before the first is scheduled."""
    if options.jobs < 1:
        raise ConfigError("--jobs: at least 1 job is needed.")
    _check_settings({**file.settings, **settings.command_line})
    given = read_pairs(options.arguments, "-a")
    common = {**file.arguments_below({"site": "of the list", **given}), **given}
    return read_sites(options.list, common, settings.values)


def _check_settings(given: Mapping[str, object]) -> None:
    """Raise ConfigError for a wrong setting of Scrapy."""
    # Other commands need no Scrapy.
    from scrapy.settings import SETTINGS_PRIORITIES, Settings  # noqa: PLC0415

    settings = Settings()
    set_settings(settings, given, SETTINGS_PRIORITIES["cmdline"])
    check_names(given, settings)
    check_types(settings)


def _texts(values: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def _print_event(event: tuple[ListedSite, str] | FinishedJob) -> None:
    if isinstance(event, tuple):
        site, job = event
        line = f"scheduled  {site.name}  as {job}"
    else:
        line = f"ended      {event.site.name}  {ENDINGS.get(event.status, ENDINGS[None])}"
    say(hide_passwords(line))
