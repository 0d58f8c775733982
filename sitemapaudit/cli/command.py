"""The base of commands, and what they share."""

from __future__ import annotations

import os
import sys
import textwrap
from abc import ABC, abstractmethod
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Final

from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError, one_of
from sitemapaudit.runs.folders import RunInUseError

SUCCESS, FOUND, USAGE_ERROR, INCOMPLETE = 0, 1, 2, 3
"""Exit statuses: FOUND for findings that must fail, INCOMPLETE for work that is not complete."""

_HELP_WIDTH: Final = 79
_HELP_INDENT: Final = 24


class Command(ABC):
    """A command; the same for both programs."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for the list of commands."""

    setting_names: ClassVar[Sequence[str] | None] = ()
    """The AUDIT_ settings that the command uses, without the prefix; None for all."""

    def synonyms(self) -> Mapping[str, str]:
        """Return the options that people guess, and what they mean."""
        return {}

    @abstractmethod
    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command."""

    @abstractmethod
    def run(self, options: Namespace, settings: Layers) -> int:
        """Do the work, and return the exit status."""


def settings_help(command: Command) -> str:
    """Return the part of ``--help`` that describes the settings of a command."""
    from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415

    names = command.setting_names
    public = None if names is None else {AuditSettings.public_name(name) for name in names}
    lines = ["settings (-s NAME=VALUE):"]
    if names is None:
        lines = ["settings (-s NAME=VALUE), besides those of Scrapy such as DOWNLOAD_TIMEOUT:"]
    for setting in AuditSettings.describe():
        if public is None or setting.name in public:
            lines.append(f"  {setting.name}")
            lines += textwrap.wrap(
                setting.help_text,
                _HELP_WIDTH,
                initial_indent=" " * _HELP_INDENT,
                subsequent_indent=" " * _HELP_INDENT,
            )
    return "\n".join(lines)


def refuse(reason: str, status: int = USAGE_ERROR) -> int:
    """Print why a command cannot do its work, and return the exit status."""
    print(reason if reason.endswith((".", "?")) else f"{reason}.", file=sys.stderr)
    return status


def refuse_error(error: Exception, folder: Path) -> int:
    """Print why a folder could not be written, and return the exit status.

    A full disk leaves the work incomplete; anything else is a mistake of the caller.
    """
    from sitemapaudit.datasets.refusals import NO_ROOM  # noqa: PLC0415

    if isinstance(error, RunInUseError):
        return refuse(str(error))
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    is_full = any(os.strerror(number) in reason for number in NO_ROOM)
    status = INCOMPLETE if is_full else USAGE_ERROR
    return refuse(f"{folder} cannot be written: {reason}", status)


def word_of(*allowed: str) -> Callable[[str], str]:
    """Return a type of argparse that accepts one of these words."""
    read = one_of(*allowed)

    def read_word(given: str) -> str:
        try:
            return read(given)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None

    return read_word


def read_pairs(pairs: Iterable[str], option: str) -> dict[str, str]:
    """Read values of an option such as ``-s NAME=VALUE``; raises ConfigError."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise ConfigError(f"{option}: {pair!r} is not NAME=VALUE.")
        values[name] = value
    return values
