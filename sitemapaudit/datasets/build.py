"""A build of the tables of a run, and what a relation is: a table or a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
from msgspec import Struct, field

from sitemapaudit.audit import Audit
from sitemapaudit.runs.manifest import Manifest


class Build(Struct):
    """The tables of a run while they are built: where they are, and what they are made from.

    ``runs`` are the folders with the ledgers, ``drafts`` is the folder of the new files, and
    ``created`` has the names of the relations that exist. ``written`` has those that are tables
    with the rows of their files.
    """

    connection: duckdb.DuckDBPyConnection
    manifest: Manifest
    audit: Audit
    runs: Sequence[Path] = ()
    drafts: Path = Path()
    created: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


def always(_: Manifest) -> bool:
    """Return that every run has a relation."""
    return True


class Relation(Struct, frozen=True):
    """A table or a view of a run.

    ``sql`` is the query of its rows; columns in parentheses are those of an empty table. ``needs``
    has the names of the relations that it reads, ``when`` says which runs have it. ``store`` stores
    the rows if they do not just become a table, such as in a file in order. ``fill`` then does what
    one query cannot.
    """

    name: str
    sql: str
    needs: str = ""
    when: Callable[[Manifest], bool] = always
    store: Callable[[Build, Relation], None] | None = None
    fill: Callable[[Build], None] | None = None

    @property
    def statement(self) -> str:
        """The statement that creates it as a table."""
        return f"create table {self.name} {'' if self.sql.startswith('(') else 'as '}{self.sql}"

    def create(self, build: Build) -> None:
        """Create it; what it needs must exist."""
        if self.store:
            self.store(build, self)
        else:
            build.connection.execute(self.statement)
        if self.fill:
            self.fill(build)
