"""Documented queries still work when a later version adds columns to the tables."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.rules.catalog import catalog, single_run_rules
from sitemapaudit.rules.rule import QueryRule
from tests.datasets.relations import column_types, declare
from tests.docs.blocks import PAGES, Block, blocks_of
from tests.support.paths import PROJECT
from tests.support.wider_tables import NAMES, added_columns

_FILE = re.compile(r"'[^']*?(\w+)\.parquet'")


def queries_of(block: Block) -> Iterator[str]:
    """Yield the queries of a block; a Parquet file of a run is a table."""
    if block.language == "sql":
        yield _FILE.sub(r"\1", block.text)
    elif block.language == "python":
        for node in ast.walk(ast.parse(block.text)):
            match node:
                case ast.Call(func=ast.Attribute(attr="sql"), args=[query, *_]):
                    yield _FILE.sub(r"\1", text_of(query))
                case ast.Assign(targets=[ast.Name("query")], value=query):
                    yield text_of(query)


def text_of(node: ast.expr) -> str:
    """Return a string literal without the values in its braces."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


DOCUMENTED = [
    pytest.param(query, id=page.stem)
    for page in PAGES
    for block in blocks_of(page)
    for query in queries_of(block)
]
BUILT_IN = [
    pytest.param(rule.query, id=rule.id)
    for rule in single_run_rules(catalog()).values()
    if issubclass(rule, QueryRule)
]


@pytest.fixture(scope="module")
def later() -> Iterator[duckdb.DuckDBPyConnection]:
    """Return the relations of a run, empty; its tables have the columns of the others too."""
    with connect() as connection:
        for table, types in column_types().items():
            if table in NAMES:
                types |= {each.name: each.type for each in added_columns(types)}
            connection.execute(f"create table {table} {declare(types)}")
        yield connection


def test_the_documentation_has_queries() -> None:
    assert {"README", "notebooks", "own-rules", "links"} <= {each.id for each in DOCUMENTED}


@pytest.mark.parametrize("query", DOCUMENTED)
def test_a_documented_query_works(
    query: str, later: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # Some write a file.
    later.execute(query)


@pytest.mark.parametrize("query", DOCUMENTED)
def test_findings_are_counted_as_the_report_counts_them(query: str) -> None:
    """A row can stand for many findings, which have one cause."""
    if re.search(r"count\(\*\)", query):
        assert not re.search(r"from findings\b", query)


def test_notebooks_count_findings_as_the_report_counts_them() -> None:
    for file in (PROJECT / "notebooks").glob("*.ipynb"):
        assert '\\"rule\\", \\"size\\"' not in file.read_text(encoding="utf-8"), file


@pytest.mark.parametrize("query", BUILT_IN)
def test_the_query_of_a_rule_works(query: str, later: duckdb.DuckDBPyConnection) -> None:
    later.execute(query)
