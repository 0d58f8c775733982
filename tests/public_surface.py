"""What users build on, as a list: ``python -m tests.public_surface`` writes it again.

The list is committed, so that no change of it is an accident.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import sitemapaudit
from docs.generated.datasets import _OF_A_RUN, _OTHERS
from sitemapaudit.cli.commands import command_names, load_command
from sitemapaudit.cli.program import make_parser
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.datasets.run import Run
from sitemapaudit.engine import signals
from sitemapaudit.items import Verdict
from sitemapaudit.items.schema import columns, table_columns
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import ComparisonRule, QueryRule, RowRule, Rule
from sitemapaudit.schemas import SCHEMAS, json_schema
from tests.rules.tables import query_columns, transaction

FILE: Final = Path(__file__).with_suffix(".txt")

_PLACE: Final = ("url", "sitemap", "position", "line", "severity")
"""Columns of a query that are not evidence."""


def surface() -> list[str]:
    """Return the names that are public, a line each."""
    return [*_commands(), *_settings(), *_columns(), *_rules(), *_python()]


def _commands() -> Iterator[str]:
    known = {option.flag for option in (*Arguments.describe(), *AuditSettings.describe())}
    known |= {"-h", "--help"}
    for name in sorted(command_names(), key=lambda name: name != "audit"):
        yield f"command {name}"
        flags = [
            flag
            for action in make_parser(load_command(name))._actions
            for flag in action.option_strings
            if flag not in known
        ]
        yield from (f"option {name} {flag}" for flag in flags)
        if name == "audit":  # Other commands have its options too.
            known.update(flags)
    for name in SCHEMAS:
        schema = json_schema(name)
        keys = schema["$defs"][schema["$ref"].rpartition("/")[2]]["properties"]
        yield from (f"schema {name}.{key}" for key in keys)


def _settings() -> Iterator[str]:
    yield from (f"argument {option.name}" for option in Arguments.describe())
    yield from (f"setting {option.name}" for option in AuditSettings.describe())


def _columns() -> Iterator[str]:
    tables = {name: table_columns(name) for name in _OF_A_RUN}
    tables |= {name: columns(item) for name, item in _OTHERS.items()}
    for table, shown in tables.items():
        yield from (f"column {table}.{column.name} {column.type}" for column in shown)
    yield from (f"verdict {verdict}" for verdict in Verdict)


def _rules() -> Iterator[str]:
    for name, rule in catalog().items():
        evidence = sorted(set(_evidence(rule)))
        yield f"rule {name}: {', '.join([rule.severity, *evidence])}"


def _evidence(rule: type[Rule]) -> Iterator[str]:
    """Yield the keys of the evidence of a rule."""
    if issubclass(rule, ComparisonRule):  # Its tables are those of two runs.
        yield from re.findall(r"{([a-z]\w*)", rule.message)
    elif issubclass(rule, QueryRule):
        with transaction():
            names = query_columns(rule.query)
        yield from (name for name in names if name[0] != "_" and name not in _PLACE)
    elif issubclass(rule, RowRule):
        source = ast.parse(Path(inspect.getfile(rule)).read_text(encoding="utf-8"))
        for node in ast.walk(source):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "finding":
                yield from (str(word.arg) for word in node.keywords if word.arg != "severity")


def _python() -> Iterator[str]:
    yield from (f"python sitemapaudit.{name}" for name in sitemapaudit.__all__)
    for name, member in vars(Run).items():
        if not name.startswith("_"):
            call = str(inspect.signature(member)) if callable(member) else ""
            yield f"python Run.{name}{call}"
    yield from (f"signal {name}" for name, value in vars(signals).items() if type(value) is object)


if __name__ == "__main__":
    FILE.write_text("\n".join(surface()) + "\n", encoding="utf-8")
