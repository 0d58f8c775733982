"""The table ``run``: the properties of the run that query rules can use, in one row."""

from typing import Final

import duckdb

from sitemapaudit.datasets.agent_verdicts import has_agents
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.causes import explain_incomplete
from sitemapaudit.datasets.counts import count_unfinished
from sitemapaudit.datasets.links.tables import records_links
from sitemapaudit.datasets.media.media_table import checks_media
from sitemapaudit.runs.manifest import Manifest, Status

RUN: Final = """(
    agent varchar, stopped boolean, unchecked_urls bigint, unread_sitemaps bigint,
    reason varchar, searched boolean, staging varchar[], build_hosts varchar[], links boolean,
    media boolean, several_agents boolean, link_shapes struct(shape varchar, number bigint)[]
)"""


def fill_run(build: Build) -> None:
    """Fill the table ``run``; first note in the manifest why the run is incomplete, if it is."""
    count_unfinished(build.connection, build.manifest, build.runs)
    explain_incomplete(build.connection, build.manifest)
    describe_run(build.connection, build.manifest)


def describe_run(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Insert the properties of a run."""
    row = (
        manifest.arguments.get("agent"),
        manifest.status is not Status.FINISHED,
        manifest.unchecked_urls,
        manifest.unread_sitemaps,
        manifest.reason,
        manifest.reads_sitemaps
        and bool(manifest.arguments.get("site"))
        and manifest.unread_sitemaps == manifest.failed_sitemaps,
        manifest.staging_origins,
        manifest.build_hosts,
        records_links(manifest),
        checks_media(manifest),
        has_agents(manifest),
        [{"shape": shape, "number": number} for shape, number in manifest.similar.items()],
    )
    marks = ", ".join("?" * len(row))
    connection.execute(f"insert into run values ({marks})", row)
