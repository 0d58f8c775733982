"""Tables as a later version may have them: each has a column of every name of the others."""

from collections.abc import Container, Iterator
from pathlib import Path

from sitemapaudit.datasets.database import connect, parquet_rows, sql_string
from sitemapaudit.items.schema import OPTIONAL_DATASETS, TABLES, Column, table_columns

NAMES = (*TABLES, *OPTIONAL_DATASETS)


def added_columns(own: Container[str]) -> Iterator[Column]:
    """Yield the columns of other tables whose names are not in ``own``."""
    every = {column.name: column for table in NAMES for column in table_columns(table)}
    return (column for name, column in every.items() if name not in own)


def widen_tables(run: Path) -> None:
    """Add the columns of other tables, without values, to the Parquet files of a run folder."""
    with connect() as connection:
        for file in run.glob("*.parquet"):
            if file.stem in NAMES:
                added = added_columns({column.name for column in table_columns(file.stem)})
                values = ", ".join(f'null::{each.type} as "{each.name}"' for each in added)
                rows = f"select *, {values} from {parquet_rows(file)}"
                wider = file.with_suffix(".wider")
                connection.execute(f"copy ({rows}) to {sql_string(str(wider))} (format parquet)")
                wider.replace(file)
