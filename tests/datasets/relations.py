"""The columns of every relation of the recipe."""

import re

from sitemapaudit.datasets.build import Relation
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.recipe import RECIPE, needed_relations
from tests.rules.tables import manifest_of

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
