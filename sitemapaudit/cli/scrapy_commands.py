"""The commands of the program as commands of Scrapy, which entry points name as attributes."""

import argparse
from functools import cached_property
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from sitemapaudit.cli.command import BaseCommand, refuse
from sitemapaudit.cli.commands import command_names, load_command, summary_of
from sitemapaudit.cli.options import add_settings, check_used, read_pairs
from sitemapaudit.cli.program import make_parser
from sitemapaudit.cli.refusals import refuse_failure
from sitemapaudit.config.config_file import read_config_file
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.scrapy_settings import scrapy_layers


class ScrapyAdapter(ScrapyCommand):
    """A command of the program, imported when it is used."""

    requires_project = True
    requires_crawler_process = False
    name: ClassVar[str]

    @cached_property
    def _command(self) -> BaseCommand:
        return load_command(self.name)

    def syntax(self) -> str:
        """Return the usage after the name of the command."""
        usage = make_parser(self._command).usage or ""
        return usage.removeprefix("%(prog)s ")

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return summary_of(self.name)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command to those of Scrapy."""
        super().add_options(parser)
        self._command.add_arguments(parser)
        add_settings(parser, self._command)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command, and set the exit status."""
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}", print_help=False)
        try:
            file = read_config_file().layer
            layers = scrapy_layers(self.settings or BaseSettings(), file)
            check_used(layers.command_line, self._command)
            typed = {**layers.command_line, **read_pairs(opts.settings, "-s")}
        except ConfigError as error:
            self.exitcode = refuse(error)
            return
        try:
            self.exitcode = self._command.run(opts, layers.with_typed(typed))
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - it is printed
            self.exitcode = refuse_failure(error)


def __getattr__(name: str) -> Any:
    if name not in command_names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return type(name.title(), (ScrapyAdapter,), {"name": name, "__module__": __name__})
