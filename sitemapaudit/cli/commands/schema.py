"""Print the JSON Schema of results."""

from argparse import ArgumentParser, Namespace

import msgspec

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.options import as_type
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.output import say
from sitemapaudit.schemas import SCHEMAS, json_schema


class Command(BaseCommand):
    """Prints a JSON Schema of what programs read, or names them all."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the name of the schema."""
        parser.add_argument(
            "name",
            metavar="NAME",
            nargs="?",
            type=as_type(_read_name),
            help=f"one of {', '.join(SCHEMAS)} (default: lists them)",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Print the schema."""
        try:
            read_settings(settings)  # A misspelled setting is an error here too.
        except ConfigError as error:
            return refuse(error)
        if options.name is None:
            say("\n".join(f"{name:<9}{meaning}" for name, meaning in SCHEMAS.items()))
        else:
            text = msgspec.json.encode(json_schema(options.name))
            say(msgspec.json.format(text).decode())
        return SUCCESS


def _read_name(given: str) -> str:
    if given not in SCHEMAS:
        offer = suggest_name(given, SCHEMAS) or f"use one of {', '.join(SCHEMAS)}"
        raise ConfigError(f"There is no schema {given!r}; {offer}")
    return given
