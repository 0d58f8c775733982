"""The base of commands, their exit statuses, and how they refuse their work."""

import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import ClassVar

from sitemapaudit.config.layers import Layers

SUCCESS, FOUND, USAGE_ERROR, INCOMPLETE = 0, 1, 2, 3
"""Exit statuses: FOUND for findings that must fail, INCOMPLETE for work that is not complete."""


class BaseCommand(ABC):
    """Base of the class ``Command`` of each module in ``sitemapaudit.cli.commands``.

    A command has the name of its module, which begins with its summary.
    """

    setting_names: ClassVar[Sequence[str] | None] = ()
    """The AUDIT_ settings that the command uses, without the prefix; None for all."""

    defaults: ClassVar[Mapping[str, str]] = {}
    """Defaults of such settings that differ from their own, by public name."""

    @property
    def name(self) -> str:
        """The name of the command."""
        return type(self).__module__.rpartition(".")[2]

    def synonyms(self) -> Mapping[str, str]:
        """Return the options that people guess, and what they mean."""
        return {}

    @abstractmethod
    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of the command; its settings are added to them."""

    @abstractmethod
    def run(self, options: Namespace, settings: Layers) -> int:
        """Do the work, and return the exit status."""


def refuse(reason: str, status: int = USAGE_ERROR) -> int:
    """Print why a command cannot do its work, and return the exit status."""
    print(reason if reason.endswith((".", "?")) else f"{reason}.", file=sys.stderr)
    return status
