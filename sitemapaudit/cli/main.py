"""The program ``sitemapaudit``."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Final, NoReturn

from sitemapaudit import __version__
from sitemapaudit.cli.command import Command, read_pairs, refuse, settings_help
from sitemapaudit.config.layers import COMMAND_LINE, Layer, Layers
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.scrapy_settings import SETTINGS_VARIABLE
from sitemapaudit.ending import end_process
from sitemapaudit.garbage import collect_less

COMMANDS: Final = {
    "audit": "audit:AuditCommand",
    "demo": "audit:DemoCommand",
    "gate": "gate:GateCommand",
    "baseline": "baseline:BaselineCommand",
    "report": "report:ReportCommand",
    "compare": "compare:CompareCommand",
    "changed": "changed:ChangedCommand",
    "repair": "repair:RepairCommand",
    "rules": "rules:RulesCommand",
    "schedule": "schedule:ScheduleCommand",
}
"""The module and class of each command: only the one that is used is imported."""

SETTINGS_MODULE: Final = "sitemapaudit.settings"

_PROGRAM: Final = "sitemapaudit"


class Parser(ArgumentParser):
    """A parser whose errors are one sentence, with the nearest known option."""

    synonyms: Mapping[str, str] = MappingProxyType({})
    """Options that people guess, and what they mean."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong, and exit with status 2."""
        unknown = message.partition("unrecognized arguments: ")[2].split()
        if unknown:
            name = unknown[0].partition("=")[0]
            known = self._option_string_actions
            offer = suggest_name(name, known, self.synonyms) or f"see {self.prog} --help"
            message = f"{name} is unknown; {offer}"
        sys.exit(refuse(f"{self.prog}: {message}"))


def start() -> NoReturn:
    """Run the command of this process, and end it."""
    end_process(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help"):
        _print_commands()
        return 0
    if words[0] == "--version":
        print(f"{_PROGRAM} {__version__}")
        return 0
    name, *rest = words
    if name not in COMMANDS:
        offer = suggest_name(name, COMMANDS) or f"see {_PROGRAM} --help"
        return refuse(f"There is no command {name!r}; {offer}")
    os.environ.setdefault(SETTINGS_VARIABLE, SETTINGS_MODULE)
    collect_less()
    command = load_command(name)
    options = make_parser(command).parse_args(rest)
    try:
        given = read_pairs(options.settings, "-s")
    except ConfigError as error:
        return refuse(str(error))
    return command.run(options, Layers((_project_settings(), Layer(COMMAND_LINE, given))))


def load_command(name: str) -> Command:
    """Return a command by its name."""
    module, _, attribute = COMMANDS[name].partition(":")
    command: Command = getattr(import_module(f"{__package__}.{module}"), attribute)()
    return command


def make_parser(command: Command) -> Parser:
    """Return the parser of a command."""
    parser = Parser(
        prog=f"{_PROGRAM} {command.name}",
        description=f"{command.summary}.",
        epilog=settings_help(command),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.synonyms = command.synonyms()
    command.add_arguments(parser)
    parser.add_argument(
        "-s",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a setting (can be repeated)",
    )
    return parser


def _project_settings() -> Layer:
    """Return the AUDIT_ settings of the project; Scrapy itself is not needed for these."""
    name = os.environ[SETTINGS_VARIABLE]
    values = vars(import_module(name)).items()
    return Layer(name, {name: value for name, value in values if name.startswith("AUDIT_")})


def _print_commands() -> None:
    print(f"usage: {_PROGRAM} COMMAND [options]\n\ncommands:")
    for name in COMMANDS:
        print(f"  {name:<10} {load_command(name).summary}")
    print(f"\n{_PROGRAM} COMMAND --help shows the options of a command.")


if __name__ == "__main__":
    sys.exit(main())
