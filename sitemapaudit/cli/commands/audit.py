"""Audit the sitemaps of a site."""

from argparse import ArgumentParser, Namespace, _ArgumentGroup
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydispatch import dispatcher

from sitemapaudit.alerts.sending import check_addresses
from sitemapaudit.cli.command import BaseCommand, refuse
from sitemapaudit.cli.options import add_option, as_type, read_pairs
from sitemapaudit.config.arguments import SYNONYMS, Arguments
from sitemapaudit.config.audit_settings import LATER, PREFIX, AuditSettings
from sitemapaudit.config.config_file import read_config_file
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.readers import whole_number
from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.results.builder import start_ahead
from sitemapaudit.scheduling.site_list import read_sites

SITE: Final = "site"
RESULTS: Final = AuditSettings.public_name("results")
ARGUMENTS: Final = "arguments"
"""The attribute of a namespace with the other given arguments, as NAME=VALUE."""

_FEEDS: Final = {"-o": "append the items to a feed", "-O": "write the items to a new feed"}
_LOG: Final = ("--logfile", "--loglevel")


class Command(BaseCommand):
    """The same as ``scrapy crawl sitemap``."""

    setting_names = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of an audit, and some options of Scrapy."""
        audit = parser.add_argument_group("the audit")
        self.add_site(audit)
        for option in Arguments.describe():
            if option.name != SITE:
                add_option(audit, option, ARGUMENTS)
        feeds = parser.add_argument_group("feeds")
        for flag, text in _FEEDS.items():
            feeds.add_argument(flag, action="append", default=[], metavar="FILE", help=text)
        many = parser.add_argument_group("many sites")
        many.add_argument(
            "--sites",
            type=Path,
            metavar="FILE",
            help="audit every site of a list, in one process: one site or sitemap=URL per line,"
            " followed by its arguments",
        )
        many.add_argument(
            "--at-once",
            type=as_type(whole_number(1)),
            default=20,
            metavar="N",
            help="sites of the list that are audited at the same time (default: 20)",
        )
        parser.add_argument(
            "--open", action="store_true", help="open the report in the browser at the end"
        )
        log = parser.add_argument_group("log")
        log.add_argument("--logfile", metavar="FILE", help="write the log to a file")
        log.add_argument("-L", "--loglevel", metavar="LEVEL", help="DEBUG, INFO, WARNING, ERROR")

    def synonyms(self) -> Mapping[str, str]:
        """Return the names of the arguments in other programs."""
        return {
            f"--{word}": "the site itself, without an option" if name == SITE else f"--{name}"
            for word, name in (*SYNONYMS.items(), (SITE, SITE))
        }

    def add_site(self, audit: _ArgumentGroup) -> None:
        """Add the site."""
        site = next(option for option in Arguments.describe() if option.name == SITE)

        def check(given: str) -> str:
            site.read(given)
            return given

        audit.add_argument(SITE, metavar="SITE", nargs="*", type=as_type(check), help=site.meaning)

    def run(self, options: Namespace, settings: Layers) -> int:
        """Run ``scrapy crawl sitemap`` with the same arguments and settings."""
        if options.sites is not None:
            return _audit_list(options, settings)
        if settings.values.get(RESULTS) != LATER:
            start_ahead()
        if not options.open:
            return self._crawl(options, settings)
        with finished_runs() as runs:
            status = self._crawl(options, settings)
        from sitemapaudit.cli.opening import open_report  # noqa: PLC0415 - few audits need it

        for run in runs:
            open_report(run)
        return status

    def _crawl(self, options: Namespace, settings: Layers) -> int:
        # The process that builds the results must start before Scrapy is imported.
        from sitemapaudit.cli import scrapy_crawl  # noqa: PLC0415

        try:
            return scrapy_crawl.crawl(["sitemap", *_words(options, settings)])
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(bool(ended.code))


@contextmanager
def finished_runs() -> Iterator[list[Path]]:
    """Note the run folder of each audit that this process completes in the context."""
    noted: list[Path] = []

    def note(run: Path) -> None:
        noted.append(run)

    dispatcher.connect(note, signal=audit_finished)
    try:
        yield noted
    finally:
        dispatcher.disconnect(note, signal=audit_finished)


def _audit_list(options: Namespace, settings: Layers) -> int:
    """Audit every site of a list."""
    given = read_pairs(vars(options)[ARGUMENTS], "--")
    if options.site or any(name in given for name in ("sitemap", "urls", "resume")):
        return refuse("audit: give a site, or --sites FILE for a list of sites")
    feeds = [flag for flag in _FEEDS if vars(options)[flag.lstrip("-")]]
    if feeds:
        return refuse(f"audit: {feeds[0]} has no effect with --sites; use -s FEEDS")
    if options.open:
        return refuse("audit: --open has no effect with --sites; see report --fleet")
    logs = {"LOG_FILE": options.logfile, "LOG_LEVEL": options.loglevel}
    chosen = {name: value for name, value in logs.items() if value} | dict(settings.command_line)
    try:
        file = read_config_file()
        common = {**file.arguments_below({SITE: "of the list", **given}), **given}
        sites = read_sites(options.sites, common, settings.values)
        chosen_settings = AuditSettings.read(
            {name: value for name, value in settings.values.items() if name.startswith(PREFIX)}
        )
        chosen_settings.check_extras()
        check_addresses(chosen_settings.notify)
        # One audit does not need it.
        from sitemapaudit.cli.side_by_side import audit_sites  # noqa: PLC0415

        return audit_sites(sites, options.at_once, file.settings, chosen)
    except ConfigError as error:
        return refuse(hide_passwords(str(error)))


def _words(options: Namespace, settings: Layers) -> Iterator[str]:
    """Yield the options of ``scrapy crawl``."""
    given = vars(options)
    site = [f"{SITE}={','.join(options.site)}"] if options.site else []
    for argument in (*site, *given[ARGUMENTS]):
        yield from ("-a", argument)
    for flag in _FEEDS:
        for file in given[flag.lstrip("-")]:
            yield from (flag, file)
    for flag in _LOG:
        if value := given[flag.lstrip("-")]:
            yield from (flag, value)
    for name, value in settings.command_line.items():
        yield from ("-s", f"{name}={value}")
