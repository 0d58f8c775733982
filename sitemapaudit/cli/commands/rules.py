"""List the rules, or explain one."""

from argparse import ArgumentParser, Namespace
from itertools import groupby

from rich.table import Table

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.output import say
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.rules.profiles import PROFILES, profile_rules
from sitemapaudit.rules.rule_page import rule_page


class Command(BaseCommand):
    """Prints one line per rule, or everything about the named ones."""

    setting_names = ("rule_modules",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the ids of rules."""
        parser.add_argument("ids", metavar="ID", nargs="*", help="a rule to explain")
        parser.add_argument(
            "--profile",
            metavar="NAME",
            help="only the rules of a profile: `google`, `bing`, `yandex` or `protocol`, as with"
            " --rules NAME of an audit",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Print the catalog or pages."""
        try:
            rules = read_settings(settings).catalog
        except ConfigError as error:
            return refuse(error)
        if options.profile:
            if options.profile not in PROFILES:
                offer = (
                    suggest_name(options.profile, PROFILES) or f"use one of {', '.join(PROFILES)}"
                )
                return refuse(f"There is no profile {options.profile!r}; {offer}")
            rules = profile_rules([options.profile], rules)
        if not options.ids:
            _print_catalog(rules)
        for name in options.ids:
            if name not in rules:
                offer = suggest_name(name, rules) or "sitemapaudit rules lists them"
                return refuse(f"There is no rule {name!r}; {offer}")
            say(rule_page(rules[name]))
        return SUCCESS


def _print_catalog(rules: Catalog) -> None:
    console = Terminal()
    for subject, group in groupby(rules.values(), key=lambda rule: rule.subject):
        table = Table(title=str(subject), title_justify="left", box=None, show_header=False)
        table.add_column(no_wrap=True, overflow="fold")  # so that ids can be copied
        table.add_column(no_wrap=True)
        table.add_column()
        for rule in group:
            table.add_row(rule.id, rule.severity, rule.title())
        console.print(table)
        console.print()
