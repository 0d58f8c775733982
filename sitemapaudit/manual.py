"""The parts of the README that are made from the code, and the page of each rule.

``python -m sitemapaudit.manual README.md`` writes them anew between their
markers; a test compares.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from sitemapaudit.comparison.comparing import TABLE
from sitemapaudit.comparison.differences import Difference
from sitemapaudit.config import Arguments, AuditSettings
from sitemapaudit.datasets.run import Run
from sitemapaudit.datasets.schema import TABLES, Column, columns, table_columns
from sitemapaudit.demo.examples import examples
from sitemapaudit.items import Subject
from sitemapaudit.repair.changes import CHANGES
from sitemapaudit.report.fleet import SiteRow
from sitemapaudit.report.fleet_tables import TABLE as FLEET
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.rule import SECTIONS, Rule

WIDTH: Final = 88


def rule_page(rule: type[Rule]) -> str:
    """Return everything that is to be known of a rule, as text."""
    lines = [f"{rule.id} ({rule.severity})", rule.title() + ".", ""]
    for name in SECTIONS:
        lines += _paragraph(name, rule.section(name))
    example = examples().get(rule.id)
    if example:
        lines += _paragraph("Example", f"{example.place} {example.message}")
    says = [str(reference) for reference in rule.references]
    lines += [f"{'Says who' if not number else '':<9} {text}" for number, text in enumerate(says)]
    return "\n".join(lines) + "\n"


def _paragraph(name: str, text: str) -> list[str]:
    return [
        *textwrap.wrap(text, WIDTH, initial_indent=f"{name:<9} ", subsequent_indent=" " * 10),
        "",
    ]


def arguments_table() -> str:
    """Return the arguments of the spider as a Markdown table."""
    return _options_table(Arguments)


def settings_table() -> str:
    """Return the settings of an audit as a Markdown table."""
    return _options_table(AuditSettings)


def _options_table(options: type[Arguments | AuditSettings]) -> str:
    rows = [
        (f"`{option.name}`", option.meaning, f"`{option.default}`" if option.default else "")
        for option in options.described()
    ]
    return _table(("name", "meaning", "default"), rows)


def rules_table() -> str:
    """Return the catalogue as a Markdown table for each subject."""
    return "\n\n".join(_rules_of(subject) for subject in Subject)


def _rules_of(subject: Subject) -> str:
    rows = [
        (f"`{rule.id}`", rule.severity, rule.title())
        for rule in catalogue().values()
        if rule.subject is subject
    ]
    return f"**{subject}**\n\n" + _table(("rule", "severity", "what it finds"), rows)


def run_table() -> str:
    """Return what a run that was opened offers as a Markdown table."""
    rows = [
        (f"`run.{name}{_call(member)}`", " ".join(inspect.cleandoc(member.__doc__ or "").split()))
        for name, member in vars(Run).items()
        if not name.startswith("_")
    ]
    return _table(("name", "what it is"), rows).replace("``", "`")


def _call(member: object) -> str:
    if not callable(member):
        return ""
    _, *names = inspect.signature(member).parameters
    return f"({', '.join(names)})"


def columns_tables() -> str:
    """Return the columns of every dataset as Markdown tables."""
    tables = [_columns_of(name, item, table_columns(name)) for name, item in TABLES.items()]
    others = {TABLE: Difference, FLEET: SiteRow}
    tables += [_columns_of(name, item, columns(item)) for name, item in others.items()]
    return "\n\n".join(tables)


def changes_table() -> str:
    """Return the columns of the list of changes of a repair as a Markdown table."""
    return _table(
        ("column", "meaning"), [(f"`{name}`", meaning) for name, meaning in CHANGES.items()]
    )


def _columns_of(name: str, item: type, shown: Iterable[Column]) -> str:
    rows = [(f"`{column.name}`", _short(column.type), column.meaning) for column in shown]
    purpose = (item.__doc__ or "").strip().partition("\n")[0]
    return f"**{name}**: {purpose[0].lower()}{purpose[1:]}\n\n" + _table(
        ("column", "type", "meaning"), rows
    )


def _short(sql_type: str) -> str:
    """Return a type of DuckDB without the fields of its structures."""
    return re.sub(r"STRUCT\(.*\)", "struct", sql_type).lower()


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "arguments": arguments_table,
    "settings": settings_table,
    "rules": rules_table,
    "run": run_table,
    "columns": columns_tables,
    "changes": changes_table,
}
"""The generated parts of the README, by the name in their markers."""


def filled(readme: str) -> str:
    """Return the README with its generated parts written anew."""
    for name, render in PARTS.items():
        begin, end = f"<!-- {name}: generated -->", f"<!-- {name}: end -->"
        before, _, rest = readme.partition(begin)
        _, _, after = rest.partition(end)
        readme = f"{before}{begin}\n\n{render()}\n\n{end}{after}"
    return readme


def main() -> None:
    """Write the generated parts of the files that are named."""
    for name in sys.argv[1:]:
        file = Path(name)
        file.write_text(filled(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
