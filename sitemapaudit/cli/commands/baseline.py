"""Print the findings of a run, for a gate that fails only on new ones."""

import sys
from argparse import ArgumentParser, Namespace

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.datasets.run import open_run
from sitemapaudit.gating.baseline import Baseline
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.output import say


class Command(BaseCommand):
    """Prints the findings of a run as a baseline; needs no network."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the run."""
        parser.add_argument("run", metavar="RUN", help="a run folder, or a folder above it")

    def run(self, options: Namespace, settings: Layers) -> int:
        """Print the baseline."""
        try:
            read_settings(settings)  # A misspelled setting is an error here too.
            run = open_run(options.run)
            manifest = run.manifest
            rules = {*manifest.checked_rules} - manifest.broken_rules.keys()
            checked = {rule: manifest.rule_edition(rule) or "" for rule in rules}
            known = Baseline.of(read_findings(run.path), checked=checked)
        except (OSError, ValueError) as error:
            return refuse(error)
        if not run.manifest.complete:
            reason = f"{run.path} is incomplete, and so is the baseline: {run.manifest.reason}"
            say(reason, error=True)
        sys.stdout.write(known.text())
        return SUCCESS
