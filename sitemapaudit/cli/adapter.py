"""A command of the program as a command of Scrapy."""

from __future__ import annotations

import argparse
from typing import ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from sitemapaudit.cli.main import load_command, make_parser
from sitemapaudit.config.scrapy_settings import scrapy_layers


class ScrapyAdapter(ScrapyCommand):
    """Base of the modules in ``sitemapaudit.commands``, which name a command."""

    requires_project = True
    requires_crawler_process = False
    command_name: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self._command = load_command(self.command_name)

    def syntax(self) -> str:
        """Return the usage after the name of the command."""
        usage = make_parser(self._command).format_usage()
        return " ".join(usage.split()).partition(f" {self.command_name} ")[2]

    def short_desc(self) -> str:
        """Return the line in the list of commands."""
        return self._command.summary

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command to those of Scrapy."""
        super().add_options(parser)
        self._command.add_arguments(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command, and set the exit status."""
        if args:
            raise UsageError(f"unrecognized arguments: {' '.join(args)}", print_help=False)
        self.exitcode = self._command.run(opts, scrapy_layers(self.settings or BaseSettings()))
