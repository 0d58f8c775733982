"""Serve the runs of a folder to an assistant."""

from argparse import ArgumentParser, Namespace
from contextlib import ExitStack

from sitemapaudit.audit_folder.started_audits import StartedAudits
from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.folder_argument import add_folder, read_folder
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError


class Command(BaseCommand):
    """Speaks the Model Context Protocol on standard input and output until the input ends."""

    setting_names = ("dir",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder, and the permission to start audits."""
        add_folder(parser)
        parser.add_argument(
            "--allow-audits",
            action="store_true",
            help="let the assistant start and stop audits; without this it only reads",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Serve until the input ends; then stop the audits that were started here."""
        try:
            folder = read_folder(options, settings)
            from sitemapaudit.assistants.server import make_server  # noqa: PLC0415 - in an extra
        except ConfigError as error:
            return refuse(error)
        except ImportError:
            return refuse("mcp: install sitemapaudit[mcp]")
        with ExitStack() as ending:
            audits = None
            if options.allow_audits:
                audits = ending.enter_context(StartedAudits(folder.path))
            make_server(folder, audits).run()
        return SUCCESS
