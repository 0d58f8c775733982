"""The columns of every relation of the recipe, and queries over them."""

import re
from collections.abc import Iterable
from typing import Any

from sitemapaudit.datasets.build import Relation
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.recipe import RECIPE, needed_relations
from tests.rules.tables import fill_tables, insert, manifest_of, transaction, words

HOME = "https://www.example.com"

NAMES = [relation.name for relation in RECIPE]


def statement(relation: Relation) -> str:
    """Return the statement that creates a relation, without parameters."""
    return re.sub(r"\$\w+", "null", relation.statement)


def column_types() -> dict[str, dict[str, str]]:
    """Return the types of the columns of each relation that a run can have."""
    every = manifest_of(links="record", media="check", agents="Bingbot", pages=10)
    found = {}
    with connect() as connection:
        for relation in needed_relations(NAMES, every):
            connection.execute(statement(relation))
            rows = connection.execute(f"describe {relation.name}").fetchall()
            found[relation.name] = {name: kind for name, kind, *_ in rows}
    return found


def declare(types: dict[str, str]) -> str:
    """Return columns as a ``create table`` statement has them, in parentheses."""
    names = (f'"{name}" {kind}' for name, kind in types.items())
    return f"({', '.join(names)})"


def query_relations(
    items: Iterable[Any], query: str, *, searched: bool = True
) -> list[tuple[Any, ...]]:
    """Return the result of a query over the relations of a run."""
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, words(query), manifest_of(site=HOME if searched else None))
        return connection.execute(f"{query} order by all").fetchall()
