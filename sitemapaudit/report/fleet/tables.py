"""Writes ``fleet.parquet`` and ``fleet.csv``: a row per site."""

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sitemapaudit.datasets.database import connect, json_rows, path_pattern
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.items.schema import columns
from sitemapaudit.report.fleet.reading import Fleet, FleetSite

TABLE: Final = "fleet"


def write_tables(fleet: Fleet) -> None:
    """Write both files into the folder of the fleet; no cell of the CSV file acts as a formula."""
    with TemporaryDirectory(prefix=".fleet-", dir=fleet.folder) as scratch:
        lines, drafts = Path(scratch, "lines"), Path(scratch)
        with lines.open("w", encoding="utf-8") as file:
            for site in fleet.sites:
                file.write(json.dumps(asdict(site), default=str) + "\n")
        item = columns(FleetSite)
        parquet, csv = (drafts / f"{TABLE}.{ending}" for ending in ("parquet", "csv"))
        with connect() as connection:
            rows = json_rows("$file", item)
            connection.execute(f"create table fleet as from {rows}", {"file": path_pattern(lines)})
            connection.execute(
                "copy fleet to $file (format parquet, compression zstd)", {"file": str(parquet)}
            )
            write_csv(connection, {column.name: column.type for column in item}, TABLE, csv)
        for draft in (parquet, csv):
            draft.replace(fleet.folder / draft.name)
