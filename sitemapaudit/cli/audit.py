"""``audit`` and ``demo``: the crawl, with its arguments as options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sitemapaudit.cli.command import Command

if TYPE_CHECKING:
    from sitemapaudit.config.layers import Layers
    from sitemapaudit.config.options import OptionDescription

SITE: Final = "site"
OFF: Final = "false"
"""The default of a switch."""


class AuditCommand(Command):
    """Audits sites: the same as ``scrapy crawl sitemap``."""

    name = "audit"
    summary = "Audit the sitemaps of a site"
    setting_names = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of an audit, and some options of Scrapy."""
        from sitemapaudit.config.arguments import Arguments  # noqa: PLC0415

        self._add_site(parser)
        for option in Arguments.describe():
            if option.name != SITE:
                _add_option(parser, option)
        feeds = parser.add_argument_group("feeds")
        feeds.add_argument(
            "-o",
            dest="append",
            action="append",
            default=[],
            metavar="FILE",
            help="append the items to a feed",
        )
        feeds.add_argument(
            "-O",
            dest="overwrite",
            action="append",
            default=[],
            metavar="FILE",
            help="write the items to a new feed",
        )
        log = parser.add_argument_group("log")
        log.add_argument("--logfile", metavar="FILE", help="write the log to a file")
        log.add_argument("-L", "--loglevel", metavar="LEVEL", help="DEBUG, INFO, WARNING, ERROR")

    def synonyms(self) -> Mapping[str, str]:
        """Return the names that other programs have for the arguments."""
        from sitemapaudit.config.arguments import SYNONYMS  # noqa: PLC0415

        return {
            f"--{word}": "the site itself, without an option" if name == SITE else f"--{name}"
            for word, name in SYNONYMS.items()
        }

    def _add_site(self, parser: ArgumentParser) -> None:
        from sitemapaudit.config.arguments import Arguments  # noqa: PLC0415

        meaning = next(each.meaning for each in Arguments.describe() if each.name == SITE)
        parser.add_argument(SITE, metavar="SITE", nargs="*", help=_escape(meaning))

    def run(self, options: Namespace, settings: Layers) -> int:
        """Run ``scrapy crawl sitemap`` with the same arguments and settings."""
        self.get_ready()
        from sitemapaudit.cli import scrapy_crawl  # noqa: PLC0415

        words = ["sitemap", *self._words(options)]
        for name, value in settings.command_line.items():
            words += ["-s", f"{name}={value}"]
        try:
            return scrapy_crawl.crawl(words)
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(bool(ended.code))

    def get_ready(self) -> None:
        """Start what gets ready beside this process; call it before anything imports the crawl."""
        from sitemapaudit.results.builder import start_ahead  # noqa: PLC0415

        start_ahead()

    def _words(self, options: Namespace) -> list[str]:
        from sitemapaudit.config.arguments import Arguments  # noqa: PLC0415

        given = {name: value for name, value in vars(options).items() if value is not None}
        words = []
        for option in Arguments.describe():
            value = given.get(option.name)
            if option.name == SITE:
                value = ",".join(options.site) or None
            if value is not None:
                words += ["-a", f"{option.name}={value}"]
        for flag, files in (("-o", options.append), ("-O", options.overwrite)):
            for file in files:
                words += [flag, file]
        for flag in ("logfile", "loglevel"):
            if flag in given:
                words += [f"--{flag}", given[flag]]
        return words


class DemoCommand(AuditCommand):
    """Audits the demo website: the same as ``scrapy crawl sitemap -a site=demo``."""

    name = "demo"
    summary = "Audit a website with planted faults, served by the program itself"

    def _add_site(self, parser: ArgumentParser) -> None:
        from sitemapaudit.config.arguments import DEMO, DEMO_LATER  # noqa: PLC0415

        parser.set_defaults(site=[DEMO])
        parser.add_argument(
            "--later",
            dest=SITE,
            action="store_const",
            const=[DEMO_LATER],
            help="audit the website of a week later, to compare with",
        )


def _add_option(parser: ArgumentParser, option: OptionDescription) -> None:
    """Add an argument as an option; a switch that is off needs no value."""
    names = dict.fromkeys((f"--{option.name.replace('_', '-')}", f"--{option.name}"))
    if option.default == OFF:
        parser.add_argument(
            *names, action="store_const", const="true", help=_escape(option.meaning)
        )
    else:
        parser.add_argument(*names, metavar="VALUE", help=_escape(option.help_text))


def _escape(text: str) -> str:
    """Return a text as argparse expects it in ``help``."""
    return text.replace("%", "%%")
