"""``scrapy rules``: the catalogue of checks, or the page of one."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby

from rich.table import Table
from scrapy.commands import ScrapyCommand

from sitemapaudit.manual import rule_page
from sitemapaudit.options import nearest
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.terminal import Terminal


class Command(ScrapyCommand):
    """Show every rule in a line, or everything about one."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "[ID]"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "The catalogue of checks, or the page of one rule"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002
        """Print the catalogue or a page."""
        if not args:
            _print_catalogue()
            return
        for name in args:
            rule = catalogue().get(name)
            if rule is None:
                offer = nearest(name, catalogue()) or "scrapy rules lists them"
                print(f"There is no rule {name!r}: {offer}.", file=sys.stderr)
                self.exitcode = 2
                return
            print(rule_page(rule))


def _print_catalogue() -> None:
    console = Terminal()
    for subject, rules in groupby(catalogue().values(), key=lambda rule: rule.subject):
        table = Table(title=str(subject), title_justify="left", box=None, show_header=False)
        for rule in rules:
            table.add_row(rule.id, rule.severity, rule.title())
        console.print(table)
        console.print()
