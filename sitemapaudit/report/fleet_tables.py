"""``fleet.parquet`` and ``fleet.csv``: a row for each site."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sitemapaudit.datasets.database import connect, literal
from sitemapaudit.datasets.schema import columns
from sitemapaudit.datasets.tables import cell
from sitemapaudit.report.fleet import Fleet, SiteRow

TABLE: Final = "fleet"


def write_tables(fleet: Fleet) -> None:
    """Write both into the folder of the fleet; no cell of the CSV acts as a formula."""
    with TemporaryDirectory(prefix=".fleet-", dir=fleet.folder) as scratch:
        lines, drafts = Path(scratch, "lines"), Path(scratch)
        with lines.open("w", encoding="utf-8") as file:
            for site in fleet.sites:
                file.write(json.dumps(asdict(site), default=str) + "\n")
        item = columns(SiteRow)
        types = ", ".join(f"{literal(column.name)}: {literal(column.type)}" for column in item)
        cells = ", ".join(cell(column.name, column.type) for column in item)
        parquet, csv = (drafts / f"{TABLE}.{ending}" for ending in ("parquet", "csv"))
        with connect() as connection:
            connection.execute(
                f"create table fleet as from read_json({literal(str(lines))},"
                f" format = 'newline_delimited', columns = {{{types}}})"
            )
            connection.execute(
                f"copy fleet to {literal(str(parquet))} (format parquet, compression zstd)"
            )
            connection.execute(f"copy (select {cells} from fleet) to {literal(str(csv))} (header)")
        for draft in (parquet, csv):
            draft.replace(fleet.folder / draft.name)
