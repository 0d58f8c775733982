"""Open the report of a run in the browser."""

import webbrowser
from argparse import ArgumentParser, Namespace

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.output import say
from sitemapaudit.report.report_page import NAME
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
            report = find_run(options.run or audits) / NAME
        except (ConfigError, OSError, ValueError) as error:
            return refuse(error)
        if not report.is_file():
            return refuse(f"{report.parent} has no report: sitemapaudit report builds it")
        say(str(report))
        if not webbrowser.open(report.resolve().as_uri()):
            say("There is no browser here: open the file elsewhere.", error=True)
        return SUCCESS
