"""List the rules, or explain some."""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from fnmatch import fnmatchcase
from itertools import groupby

from rich.table import Table

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.output import say
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.rules.catalog import Catalog, catalog
from sitemapaudit.rules.profiles import PROFILES, profile_rules
from sitemapaudit.rules.rule import Rule
from sitemapaudit.rules.rule_page import rule_page
from sitemapaudit.rules.search_console import MESSAGES, REPORTS


class Command(BaseCommand):
    """Prints one line per rule, or everything about one."""

    setting_names = ("rule_modules",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the ids of rules."""
        parser.add_argument(
            "ids",
            metavar="ID",
            nargs="*",
            help="a rule to explain, or several to list: a pattern such as 'canonical-*', or a word"
            " of their ids and titles such as `hreflang`, `redirect` or `404`",
        )
        parser.add_argument(
            "--profile",
            metavar="NAME",
            help="only the rules of a profile: `google`, `bing`, `yandex` or `protocol`, as with"
            " --rules NAME of an audit",
        )
        parser.add_argument(
            "--search-console",
            action="store_true",
            help="list the messages of Google Search Console with the rules that mean the same",
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
        for name in options.ids:
            if not _family(name, rules):
                offer = suggest_name(name, rules) or "sitemapaudit rules lists them"
                return refuse(f"There is no rule {name!r}; {offer}")
        if options.search_console:
            _print_messages(
                {name for each in options.ids or ["*"] for name in _family(each, rules)}
            )
            return SUCCESS
        if not options.ids:
            _print_catalog(rules)
        for name in options.ids:
            if name in rules:
                say(rule_page(rules[name]))
            else:
                _print_catalog(_family(name, rules))
        return SUCCESS


def _family(name: str, rules: Catalog) -> Catalog:
    """Return the rules that match an id or a pattern; or whose ids begin with a word.

    If there is none, return those whose ids or titles have a word that begins with the name.
    """
    pattern = name if name in rules or "*" in name else f"{name}-*"
    return {each: rule for each, rule in rules.items() if fnmatchcase(each, pattern)} or {
        each: rule
        for each, rule in rules.items()
        if name and any(word.startswith(name.lower()) for word in _words(rule))
    }


def _words(rule: type[Rule]) -> list[str]:
    return re.findall(r"\w+", f"{rule.id} {rule.title()}".lower())


def _print_messages(rules: Collection[str]) -> None:
    """Print the messages that mean the same as one of these rules; all of them for all rules."""
    console = Terminal()
    for report, group in groupby(MESSAGES, key=lambda message: message.report):
        table = Table(title=report, title_justify="left", box=None, show_header=False)
        table.add_column()
        table.add_column()
        for message in group:
            same = message.rules(rules)
            names = [*(f"verdict {verdict}" for verdict in message.verdicts), *sorted(same)]
            if same or (not message.patterns and len(rules) == len(catalog())):
                table.add_row(message.text, ", ".join(names) or "no crawl can confirm it")
        if table.row_count:
            console.print(table)
            console.print(f"{REPORTS[report]}\n")


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
