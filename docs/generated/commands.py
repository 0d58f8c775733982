"""Commands and their options."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from typing import Final

from docs.generated.markdown import code, table
from sitemapaudit.cli.command import BaseCommand
from sitemapaudit.cli.commands import command_names, load_command, summary_of
from sitemapaudit.cli.options import settings_of
from sitemapaudit.cli.program import make_parser
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings

_EVERYWHERE: Final = {"-h", "-s", "--config"}
_ARGUMENTS: Final = {option.flag for option in Arguments.describe()}
_SETTINGS: Final = {option.flag for option in AuditSettings.describe()}


def commands() -> str:
    """Return a table of the commands, and a section about each."""
    loaded = [load_command(name) for name in command_names()]
    rows = [(f"[{each.name}](#{each.name})", summary_of(each.name)) for each in loaded]
    return "\n\n".join([table(("command", "what it does"), rows), *map(_section, loaded)])


def _section(command: BaseCommand) -> str:
    parser = make_parser(command)
    options = [action for action in _own_actions(parser) if action.help != SUPPRESS]
    usage = parser.format_usage().removeprefix("usage: ").strip()
    parts = [f"## {command.name}", f"{summary_of(command.name)}.", f"```text\n{usage}\n```"]
    if _takes_arguments(parser):
        parts.append("Each [argument](arguments.md) is an option: `--pages 500`.")
    if options:
        rows = [(_names(action), _meaning(action, parser)) for action in options]
        parts.append(table(("option", "meaning"), rows))
    parts += _settings(command)
    return "\n\n".join(parts)


def _own_actions(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the options that have no page of their own, as arguments and settings have."""
    for action in parser._actions:  # noqa: SLF001 - argparse offers no list
        if not {*action.option_strings} & (_EVERYWHERE | _ARGUMENTS | _SETTINGS):
            yield action


def _takes_arguments(parser: ArgumentParser) -> bool:
    return "--pages" in parser._option_string_actions  # noqa: SLF001


def _names(action: Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    # A name that is written in two ways counts once.
    names = {name.replace("_", "-"): name for name in reversed(action.option_strings)}
    return code([f"{name}{value}" for name in reversed(names)] or [str(action.metavar)])


def _meaning(action: Action, parser: ArgumentParser) -> str:
    return (action.help or "") % {**vars(action), "prog": parser.prog}


def _settings(command: BaseCommand) -> Iterator[str]:
    if command.setting_names is None:
        yield "Each [setting](settings.md) is an option, too: `--speed full`."
    elif command.setting_names:
        flags = [option.flag for option in settings_of(command)]
        yield f"These [settings](settings.md) are options, too: {code(flags, ' and ')}."
