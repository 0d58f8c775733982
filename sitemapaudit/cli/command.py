"""The base of commands, their exit statuses, and refusals."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import ClassVar

from sitemapaudit.config.layers import Layers
from sitemapaudit.output import say

SUCCESS, FOUND, USAGE_ERROR, INCOMPLETE = 0, 1, 2, 3
"""Exit statuses: FOUND for findings that must fail, INCOMPLETE for work that is not complete."""


class BaseCommand(ABC):
    """The base of the class ``Command`` in each module of ``sitemapaudit.cli.commands``.

    The module has the name of the command, and begins with its summary.
    """

    setting_names: ClassVar[Sequence[str] | None] = ()
    """The AUDIT_ settings that the command uses, without the prefix; None for all."""

    defaults: ClassVar[Mapping[str, str]] = {}
    """Different defaults of such settings, by public name."""

    @property
    def name(self) -> str:
        """The name of the command."""
        return type(self).__module__.rpartition(".")[2]

    def synonyms(self) -> Mapping[str, str]:
        """Return options that people guess, and their names here."""
        return {}

    @abstractmethod
    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command; its settings are added automatically."""

    @abstractmethod
    def run(self, options: Namespace, settings: Layers) -> int:
        """Do the work, and return the exit status."""


def refuse(reason: str | Exception, status: int = USAGE_ERROR) -> int:
    """Print why a command cannot run, and return the exit status.

    An error can have its own ``exit_status``. One of the system names its file.
    """
    sentence = str(reason)
    if isinstance(reason, OSError) and reason.strerror and reason.filename:
        sentence = f"{reason.filename} cannot be used: {reason.strerror}"
    say(sentence if sentence.endswith((".", "?")) else f"{sentence}.", error=True)
    return int(getattr(reason, "exit_status", status))
