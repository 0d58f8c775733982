"""The recipe of the tables: its order, what each relation needs, and what nothing needs."""

import itertools
import re
from collections import Counter
from pathlib import Path

import duckdb
import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.recipe import RECIPE, create_relations, needed_relations
from sitemapaudit.datasets.tables import COUNTED, OTHERS, RESULTS
from sitemapaudit.items.schema import TABLES
from sitemapaudit.rules.catalog import catalog, single_run_rules
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.runs.manifest import Manifest
from tests.datasets.relations import NAMES, column_types, declare, statement
from tests.rules.tables import manifest_of, words
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

RUNS = [
    manifest_of(pages=pages, **{name: value for name, value in given if value})
    for pages, *given in itertools.product(
        ("all", 10, "±5%"),
        [("links", "record"), ("links", None)],
        [("media", "check"), ("media", None)],
        [("agents", "Bingbot"), ("agents", None)],
    )
]
RULES = [rule for rule in single_run_rules(catalog()).values() if issubclass(rule, QueryRule)]


@pytest.mark.parametrize("manifest", RUNS, ids=lambda run: str(run.arguments))
def test_a_run_creates_each_relation_once_after_what_it_needs(manifest: Manifest) -> None:
    created: set[str] = set()
    for relation in needed_relations(NAMES, manifest):
        assert relation.name not in created
        has = {name for name in relation.needs.split() if needed_relations([name], manifest)}
        assert has <= created
        created.add(relation.name)
    assert set(TABLES) <= created


@pytest.mark.parametrize("relation", RECIPE, ids=lambda relation: relation.name)
def test_needs_are_what_a_relation_reads(
    relation: Relation, types: dict[str, dict[str, str]]
) -> None:
    needs = relation.needs.split()
    assert set(needs) <= set(NAMES)
    if relation.fill is None and relation.store is None:
        assert set(needs) <= words(relation.sql)
    with connect() as connection:
        for name in needs:
            connection.execute(f"create table {name} {declare(types[name])}")
        connection.execute(statement(relation))


@pytest.fixture(scope="module")
def types() -> dict[str, dict[str, str]]:
    return column_types()


def test_every_relation_has_a_use() -> None:
    used = {name for relation in RECIPE for name in relation.needs.split()}
    used |= {*TABLES, *COUNTED, *(source for source, _ in OTHERS.values())}
    used |= words(" ".join(wanted.query for wanted in RESULTS.values()), "found_rules")
    used |= words(*(rule.query for rule in RULES))
    assert set(NAMES) - used == set()


def test_rules_need_relations() -> None:
    for rule in RULES:
        for need in rule.needs:
            assert need.table in NAMES
            read = set(re.findall(r"\b(?:from|join) (\w+)", need.condition))
            assert read <= set(NAMES)


def test_a_run_creates_only_what_it_needs(tmp_path: Path) -> None:
    run = build_run(
        tmp_path / "run", [listed("https://a.example/"), fetched_page("https://a.example/")]
    )
    with connect() as connection:
        build = Build(connection, run.manifest, Audit(NO_RULES), [run.path], tmp_path)
        create_relations(build, ["run", "found_rules", *(source for source, _ in OTHERS.values())])
        tables = {name for (name,) in connection.execute("show tables").fetchall()}
    logs = {name for name in NAMES if name.endswith("_log")}
    made = {
        *TABLES,
        "repeated_urls",
        "listed",
        "leads",
        "first_pages",
        "link_counts",
        "chains",
        "final_pages",
        "probes",
        "soft_404s",
    }
    made |= {"run", "merged_causes", "found_rules"}
    # The order of sitemaps is looked up while entries are sorted.
    assert tables == logs | made | {"sitemap_order"}


def test_names_of_what_is_created_are_kept(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        build = Build(connection, manifest_of(), Audit(NO_RULES), [], tmp_path)
        create_relations(build, ["link_counts"])
        create_relations(build, ["link_counts", "unknown"])
    assert Counter(build.created) == Counter({"link_counts": 1})
