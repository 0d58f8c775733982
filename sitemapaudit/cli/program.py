"""Runs a command of the program: its parser, and its settings."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, NoReturn

from sitemapaudit.cli.command import BaseCommand, refuse
from sitemapaudit.cli.commands import command_names, load_command, summary_of
from sitemapaudit.cli.main import PROGRAM
from sitemapaudit.cli.options import add_pairs, add_settings, typed_settings
from sitemapaudit.config.audit_settings import PREFIX
from sitemapaudit.config.config_file import VARIABLE, read_config_file
from sitemapaudit.config.layers import Layer, Layers
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.scrapy_settings import SETTINGS_VARIABLE
from sitemapaudit.garbage import reduce_collections

SETTINGS_MODULE: Final = "sitemapaudit.settings"


class Parser(ArgumentParser):
    """A parser whose errors are one sentence, with the nearest known option."""

    synonyms: Mapping[str, str] = MappingProxyType({})
    """Options that people guess, and their names here."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and exit with status 2."""
        unknown = message.partition("unrecognized arguments: ")[2].split()
        if unknown:
            name = unknown[0].partition("=")[0]
            known = self._option_string_actions
            offer = suggest_name(name, known, self.synonyms) or f"see {self.prog} --help"
            fault = "is unknown" if name.startswith("-") else "is one argument too many"
            message = f"{name} {fault}; {offer}"
        sys.exit(refuse(f"{self.prog}: {message}"))


def run_command(name: str, *words: str) -> int:
    """Run a command with these words, and return its exit status."""
    if name not in command_names():
        offer = suggest_name(name, command_names()) or f"see {PROGRAM} --help"
        return refuse(f"There is no command {name!r}; {offer}")
    os.environ.setdefault(SETTINGS_VARIABLE, SETTINGS_MODULE)
    reduce_collections()
    command = load_command(name)
    options = make_parser(command).parse_args(words)
    if options.config is not None:
        os.environ[VARIABLE] = options.config
    try:
        typed = typed_settings(options, command)
        layers = Layers((_project_settings(), read_config_file().layer, typed))
    except ConfigError as error:
        return refuse(error)
    return command.run(options, layers)


def make_parser(command: BaseCommand) -> Parser:
    """Return the parser of a command."""
    parser = Parser(
        prog=f"{PROGRAM} {command.name}",
        description=f"{summary_of(command.name)}.",
        allow_abbrev=False,
    )
    parser.synonyms = command.synonyms()
    command.add_arguments(parser)
    add_pairs(add_settings(parser, command))
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="configuration file (default: the nearest sitemapaudit.toml, or pyproject.toml with"
        " [tool.sitemapaudit]; an empty name reads none)",
    )
    parser.usage = usage_of(parser)
    return parser


def usage_of(parser: ArgumentParser) -> str:
    """Return the usage of a command without its many options; the help lists them."""
    formatter = parser.formatter_class(prog="%(prog)s [options]")
    formatter.add_usage(None, parser._get_positional_actions(), [], prefix="")  # noqa: SLF001
    return formatter.format_help().strip()


def _project_settings() -> Layer:
    """Return the AUDIT_ settings of the project, without importing Scrapy."""
    name = os.environ[SETTINGS_VARIABLE]
    values = vars(import_module(name)).items()
    return Layer(name, {name: value for name, value in values if name.startswith(PREFIX)})
