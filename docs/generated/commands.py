"""Commands and their options."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from typing import Final

from docs.generated.markdown import code, table
from sitemapaudit.cli.command import Command
from sitemapaudit.cli.main import COMMANDS, load_command, make_parser
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings

_REPEATED: Final = {None: "{0}", "?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
_EVERYWHERE: Final = {"help", "settings"}
_ARGUMENTS: Final = {option.name for option in Arguments.describe()}
_ELSEWHERE: Final = {
    text
    for option in (*Arguments.describe(), *AuditSettings.describe())
    for text in (option.meaning, option.help_text)
}
"""The meanings of arguments and settings, which have pages of their own."""


def commands() -> str:
    """Return a table of the commands, and a section about each."""
    loaded = [load_command(name) for name in COMMANDS]
    rows = [(f"[{each.name}](#{each.name})", each.summary) for each in loaded]
    return "\n\n".join([table(("command", "what it does"), rows), *map(_section, loaded)])


def _section(command: Command) -> str:
    parser = make_parser(command)
    options = [action for action in _own_actions(parser) if action.help != SUPPRESS]
    parts = [f"## {command.name}", f"{command.summary}.", f"```text\n{_usage(parser)}\n```"]
    if _takes_arguments(parser):
        parts.append("Each [argument](arguments.md) is an option: `--pages 500`.")
    if options:
        rows = [(_names(action), _meaning(action, parser)) for action in options]
        parts.append(table(("option", "meaning"), rows))
    parts += _settings(command)
    return "\n\n".join(parts)


def _own_actions(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the options that are neither arguments nor settings of an audit."""
    for action in parser._actions:  # noqa: SLF001 - argparse offers no list
        if action.dest not in _EVERYWHERE and _meaning(action, parser) not in _ELSEWHERE:
            yield action


def _takes_arguments(parser: ArgumentParser) -> bool:
    return {action.dest for action in parser._actions} >= _ARGUMENTS  # noqa: SLF001


def _usage(parser: ArgumentParser) -> str:
    words = [
        _REPEATED[action.nargs].format(action.metavar or action.dest)  # type: ignore[index]
        for action in parser._actions  # noqa: SLF001
        if not action.option_strings
    ]
    return " ".join([parser.prog, *words, "[OPTIONS]"])


def _names(action: Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    # A name that is written in two ways counts once.
    names = {name.replace("_", "-"): name for name in reversed(action.option_strings)}
    return code([f"{name}{value}" for name in reversed(names)] or [str(action.metavar)])


def _meaning(action: Action, parser: ArgumentParser) -> str:
    return (action.help or "") % {**vars(action), "prog": parser.prog}


def _settings(command: Command) -> Iterator[str]:
    if command.setting_names is None:
        yield "It uses every [setting](settings.md): `-s AUDIT_SPEED=full`."
    elif command.setting_names:
        names = [AuditSettings.public_name(name) for name in command.setting_names]
        yield f"It uses the [settings](settings.md) {code(names, ' and ')}."
