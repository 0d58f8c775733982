"""Repairs in memory: the decisions, the contents and the changes of a few rows."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb

from sitemapaudit.audit import Audit
from sitemapaudit.items import Severity
from sitemapaudit.items.schema import UNLISTED
from sitemapaudit.repair.additions import add_unlisted
from sitemapaudit.repair.changes import list_additions, list_changes
from sitemapaudit.repair.contents import build_contents
from sitemapaudit.repair.decisions import decide
from sitemapaudit.rules.catalog import catalog
from tests.rules.tables import Item, fill_tables, insert, manifest_of, read_rows, transaction

_READ = {"robots", "sitemaps", "entries", "pages", "urls", "findings", "alternates"}
_MADE = ("links", "added", "kept")

Found = tuple[str, str | None, str | None, int | None]
"""A rule, and the URL, the sitemap and the position of its finding."""


class Repair:
    """What a repair decides, writes and lists."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.targets = {row["url"]: row["target"] for row in read_rows(connection, "decided")}
        self.kept = {row["url"]: row for row in read_rows(connection, "kept")}
        self.changes = read_rows(connection, "changes")
        clusters = read_rows(connection, "clusters")
        self.alternates = {
            row["url"]: {each["code"]: each["href"] for each in row["alternates"]}
            for row in clusters
        }

    def list_changes(self, *names: str) -> list[tuple[Any, ...]]:
        """Return these columns of all changes, sorted."""
        return sorted(tuple(row[name] for name in names) for row in self.changes)


@contextmanager
def database_of(
    items: Iterable[Item], found: Iterable[Found] = (), site: str | None = None, **options: bool
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return the tables of a run with these items, and those of its repair.

    Findings of queries are given by ``found``: they are warnings, about the first image or video if
    about any. With a site, the run recorded its links, and has a table of unlisted pages.
    """
    manifest = manifest_of(links="record", site=site) if site else manifest_of()
    with transaction() as connection:
        insert(connection, items, Audit())
        fill_tables(connection, _READ | {UNLISTED} if site else _READ, manifest)
        for rule, *place in found:
            subject = catalog()[rule].subject if rule in catalog() else None
            connection.execute(
                "insert into findings (rule, url, sitemap, position, subject, severity, evidence)"
                """ values (?, ?, ?, ?, ?, ?, '{"ordinal": 1}')""",
                [rule, *place, subject, Severity.WARNING],
            )
        for name in _MADE:
            kinds = connection.execute(
                "select table_type from information_schema.tables"
                " where table_name = $name and table_catalog = current_database()",
                {"name": name},
            ).fetchall()
            for (kind,) in kinds:
                connection.execute(f"drop {'view' if kind == 'VIEW' else 'table'} {name}")
        decide(connection, **{"drop_unknown": False, "strict": False, **options})
        build_contents(connection)
        list_changes(connection)
        yield connection


def repair_in_memory(items: Iterable[Item], found: Iterable[Found] = (), **options: bool) -> Repair:
    """Return what a repair of a run with these items decides, writes and lists."""
    with database_of(items, found, None, **options) as connection:
        return Repair(connection)


def add_unlisted_in_memory(
    items: Iterable[Item], site: str
) -> dict[str, tuple[str, str | None, str]]:
    """Return the sitemap, the lastmod and the reason of each URL that a repair adds."""
    with database_of(items, site=site) as connection:
        add_unlisted(connection)
        list_additions(connection)
        rows = connection.execute(
            "select url, kept.sitemap, lastmod, reason from kept join changes using (url)"
            " where change = 'added' and changes.sitemap = kept.sitemap"
        ).fetchall()
    return {url: (sitemap, lastmod, reason) for url, sitemap, lastmod, reason in rows}
