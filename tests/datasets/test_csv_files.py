"""A long table becomes the same CSV file, whether one thread writes it or two."""

from pathlib import Path

import pytest

from sitemapaudit.datasets.csv_files import write_csv
from sitemapaudit.datasets.database import connect, parquet_rows, share_database

ROWS = 100_003
"""More than one thread writes alone, and an odd number."""

TYPES = {"url": "VARCHAR", "rules": "VARCHAR[]", "lastmod": "TIMESTAMPTZ", "number": "BIGINT"}
TABLE = f"""
    select format('https://www.example.com/{{}};=a', number) as url,
        ['a', '=b'][: number % 3] as rules,
        timestamptz '2026-11-21 12:00:00+00' + to_seconds(number) as lastmod,
        if(number % 5 = 0, null, number) as number
    from range({ROWS}) numbers(number)
"""


@pytest.mark.parametrize(("threads", "in_memory"), [(2, False), (1, False), (1, True)])
def test_two_threads_write_what_one_writes(tmp_path: Path, threads: int, in_memory: bool) -> None:
    table, one, two = (tmp_path / name for name in ("table.parquet", "one.csv", "two.csv"))
    with (
        share_database(),
        connect(tmp_path / "scratch", 64, threads, in_memory=in_memory) as connection,
    ):
        connection.execute(f"copy ({TABLE}) to '{table}' (format parquet, row_group_size 40960)")
        write_csv(connection, TYPES, parquet_rows(table), one)
        write_csv(connection, TYPES, parquet_rows(table), two, "file_row_number")
    assert two.read_bytes().count(b"\n") == ROWS + 1
    assert two.read_bytes() == one.read_bytes()
    assert sorted(file.name for file in tmp_path.glob("*.*")) == [
        "one.csv",
        "table.parquet",
        "two.csv",
    ]
