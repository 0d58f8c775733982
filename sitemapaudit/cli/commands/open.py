"""Open the report of a run in the browser."""

from argparse import ArgumentParser, Namespace

from sitemapaudit.cli.command import BaseCommand, refuse
from sitemapaudit.cli.opening import open_report
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.runs.folders import find_run


class Command(BaseCommand):
    """Opens report.html of the newest run, or of another one; needs no network."""

    setting_names = ("dir",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the run."""
        parser.add_argument(
            "run",
            metavar="RUN",
            nargs="?",
            help="a run folder, or a folder above it (default: the newest run in AUDIT_DIR)",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Open the report, and print its place."""
        try:
            audits = read_settings(settings).dir
            run = find_run(options.run or audits)
        except (ConfigError, OSError, ValueError) as error:
            return refuse(error)
        return open_report(run)
