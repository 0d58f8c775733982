"""The options of commands: generated from definitions, with readers of their values."""

import json
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from sitemapaudit.cli.command import BaseCommand
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.layers import COMMAND_LINE, Layer
from sitemapaudit.config.options import ConfigError, OptionDescription, sentence
from sitemapaudit.config.readers import one_of
from sitemapaudit.redaction import hide_passwords

T = TypeVar("T")

_SETTINGS: Final = "settings"
"""The attribute of a namespace with the given settings, as NAME=VALUE."""


def add_settings(parser: ArgumentParser, command: BaseCommand) -> _ArgumentGroup:
    """Add an option for each setting that a command uses; return their group."""
    group = parser.add_argument_group("settings")
    for option in settings_of(command):
        add_option(group, option, _SETTINGS)
    parser.set_defaults(**{_SETTINGS: []})
    return group


def add_pairs(group: _ArgumentGroup) -> None:
    """Add ``-s``, which commands of Scrapy already have."""
    group.add_argument(
        "-s",
        dest=_SETTINGS,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a setting by its name, such as AUDIT_DIR, or one of Scrapy (can be repeated)",
    )


def settings_of(command: BaseCommand) -> list[OptionDescription]:
    """Return the settings that a command uses."""
    names = command.setting_names
    public = None if names is None else {AuditSettings.public_name(name) for name in names}
    return [
        option.with_default(command.defaults.get(option.name, option.default))
        for option in AuditSettings.describe()
        if public is None or option.name in public
    ]


def typed_settings(options: Namespace, command: BaseCommand) -> Layer:
    """Return the settings of the command line; raises ConfigError."""
    given = read_pairs(_joined(getattr(options, _SETTINGS)), "-s")
    check_used(given, command)
    return Layer(COMMAND_LINE, given)


def _joined(pairs: Iterable[str]) -> Iterator[str]:
    """Yield settings; the values of an option that repeats are joined into one mapping."""
    repeated = {option.name: option for option in AuditSettings.describe() if option.repeats}
    found: dict[str, dict[str, str]] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        if name in repeated:
            found.setdefault(name, {}).update(_read(repeated[name], value))
        else:
            yield pair
    for name, values in found.items():
        yield f"{name}={json.dumps(_read(repeated[name], values))}"


def _read(option: OptionDescription, value: Any) -> dict[str, str]:
    """Read the values of an option that repeats; raises ConfigError."""
    try:
        values: dict[str, str] = option.read(value)
    except ValueError as error:
        raise ConfigError(sentence(f"{option.name}: {error}")) from None
    return values


def check_used(given: Iterable[str], command: BaseCommand) -> None:
    """Raise ConfigError for a setting that a command does not use."""
    used = {option.name for option in settings_of(command)}
    for name in given:
        if name in {option.name for option in AuditSettings.describe()} - used:
            raise ConfigError(f"{name} has no effect on the command {command.name}.")


def add_option(group: ArgumentParser | _ArgumentGroup, option: OptionDescription, to: str) -> None:
    """Add an option whose values are checked, and appended to ``to`` as NAME=VALUE."""
    text = option.help_text.replace("%", "%%")
    if option.is_switch:
        flags = option.flag, option.off_flag
        group.add_argument(*flags, dest=to, action=_Switch, const=option.name, help=text)
        return

    def pair(given: str) -> str:
        option.read(given)
        return f"{option.name}={given}"

    group.add_argument(
        option.flag,
        dest=to,
        action="append",
        default=[],
        type=as_type(pair),
        metavar=option.metavar,
        help=text,
    )


class _Switch(Action):
    """Appends ``NAME=true``, or ``NAME=false`` if the second option is given."""

    def __init__(self, option_strings: Sequence[str], dest: str, **values: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=[], **values)

    def __call__(
        self,
        _parser: ArgumentParser,
        namespace: Namespace,
        _values: Any,
        option_string: str | None = None,
    ) -> None:
        is_on = option_string == self.option_strings[0]
        given = [*getattr(namespace, self.dest), f"{self.const}={str(is_on).lower()}"]
        setattr(namespace, self.dest, given)


def as_type(read: Callable[[str], T]) -> Callable[[str], T]:
    """Return a reader as an argparse type, which reports its errors."""

    def read_type(given: str) -> T:
        try:
            return read(given)
        except ValueError as error:
            raise ArgumentTypeError(hide_passwords(str(error))) from None

    return read_type


def word_of(*allowed: str) -> Callable[[str], str]:
    """Return an argparse type that accepts one of these words."""
    return as_type(one_of(*allowed))


def read_pairs(pairs: Iterable[str], option: str) -> dict[str, str]:
    """Read values of an option such as ``-s NAME=VALUE``; raises ConfigError."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise ConfigError(f"{option}: {pair!r} is not NAME=VALUE.")
        values[name] = value
    return values
