"""DataFrames of a run: the same values and types as Arrow's, whose frames are the measure."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.items.schema import LINK_DATASETS, TABLES
from tests.report.links import make_linked_run
from tests.support.audits import Audited
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

URL = "https://www.example.com/"
NULLABLE = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}

ONE_OF_EACH = """
    select * from (values
        (1, 2::utinyint, true, 'a', 1.5::double, timestamptz '2026-11-21 12:00:00+02',
            timestamp '2026-11-21', ['a', 'b'], {'a': 1}),
        (null, null, null, null, null, null, null, null, null)
    ) as t(integer, small, boolean, text, float, moment, local, list, struct)
"""
TYPES = {
    "integer": "Int32",
    "small": "UInt8",
    "boolean": "boolean",
    "text": "str",
    "float": "float64",
    "moment": "datetime64[us, UTC]",
    "local": "datetime64[us]",
    "list": "object",
    "struct": "object",
}


@pytest.fixture(params=["python", "pyarrow"])
def storage(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let pandas keep text as it does without Arrow, and with it."""
    with pd.option_context("mode.string_storage", request.param):
        yield


by_storage = pytest.mark.usefixtures("storage")


def by_arrow(file: Path) -> pd.DataFrame:
    table = pq.read_table(file, partitioning=None)
    frame: pd.DataFrame = table.to_pandas(types_mapper=NULLABLE.get)
    return frame


def check_frames(frame: pd.DataFrame, expected: pd.DataFrame) -> None:
    assert frame.dtypes.astype(str).to_dict() == expected.dtypes.astype(str).to_dict()
    assert frame.index.equals(expected.index)
    for name in expected:
        assert have_equal_values(frame[name], expected[name]), name


def have_equal_values(column: "pd.Series[Any]", expected: "pd.Series[Any]") -> bool:
    if expected.dtype != object:
        return column.equals(expected)
    gaps = column.isna()
    if not gaps.equals(expected.isna()):
        return False
    values = zip(column[~gaps], expected[~gaps], strict=True)
    # Most are empty lists.
    return all(plain(mine) == plain(other) for mine, other in values if len(mine) or len(other))


def plain(value: Any) -> Any:
    """Return a value without what Arrow and DuckDB do differently in lists and structs.

    Arrow turns an integer beside a null of the same struct into a float, and the null into NaN.
    """
    if value.__class__ in (list, np.ndarray):
        given = list(value)
        return given if set(map(type, given)) == {str} else [plain(each) for each in given]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return None if pd.isna(value) else value


def check_run(run: Run, *, tables: set[str]) -> None:
    """Check that every table, and a query for it, has the frame of Arrow."""
    written = [file.stem for file in run.path.glob("*.parquet")]
    assert set(written) >= tables
    for table in written:
        expected = by_arrow(run.path / f"{table}.parquet")
        check_frames(getattr(run, table), expected)
        check_frames(run.sql(f"from {table}"), expected)


@by_storage
@pytest.mark.xdist_group("demo")
def test_every_table_of_the_demo_is_that_of_arrow(demo: Audited) -> None:
    check_run(open_run(demo.run.path), tables={*TABLES})


@by_storage
def test_the_tables_of_links_are_those_of_arrow(tmp_path: Path) -> None:
    check_run(make_linked_run(tmp_path), tables={*LINK_DATASETS})


@by_storage
def test_tables_without_rows_have_the_types_of_those_with_rows(tmp_path: Path) -> None:
    run = build_run(tmp_path, [])
    check_run(run, tables={*TABLES})
    assert all(getattr(run, table).empty for table in TABLES)


@by_storage
@pytest.mark.parametrize("rows", ["", " limit 1", " limit 0"], ids=["gap", "no gap", "no row"])
def test_the_type_of_a_column_does_not_depend_on_its_rows(tmp_path: Path, rows: str) -> None:
    frame = build_run(tmp_path, []).sql(f"{ONE_OF_EACH}{rows}")
    assert frame.dtypes.astype(str).to_dict() == TYPES


@by_storage
def test_values_and_gaps(tmp_path: Path) -> None:
    frame = build_run(tmp_path, []).sql(ONE_OF_EACH)
    first, gaps = (list(frame.iloc[row]) for row in (0, 1))
    *plain_values, moment, local, texts, struct = first
    assert plain_values == [1, 2, True, "a", 1.5]
    assert moment == datetime(2026, 11, 21, 10, tzinfo=UTC)
    assert local == datetime(2026, 11, 21)  # noqa: DTZ001
    assert (texts.tolist(), struct) == (["a", "b"], {"a": 1})
    assert gaps[:3] == [pd.NA] * 3
    assert all(pd.isna(value) for value in gaps[3:5])
    assert gaps[5:] == [pd.NaT, pd.NaT, None, None]


def test_sums_of_integers_are_integers(tmp_path: Path) -> None:
    run = build_run(tmp_path, [])
    frame = run.sql("select sum(x) as total from (values (1), (2), (null)) as t(x)")
    assert (str(frame.dtypes["total"]), frame["total"].tolist()) == ("Int64", [3])
    frame = run.sql("select sum(x) as total from (select 1 as x where false)")
    assert frame["total"].tolist() == [pd.NA]
    assert run.sql("select 170141183460469231731687303715884105727 as x")["x"][0] > 2**126


def test_a_run_is_opened_without_arrow(tmp_path: Path) -> None:
    build_run(tmp_path, [listed(URL, f"{URL}2"), fetched_page(URL, 404)])
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from sitemapaudit import open_run\n"
        f"run = open_run({str(tmp_path)!r})\n"
        "print(run.urls.status.tolist(), run.sql('select count(*) as n from urls').n.tolist())\n"
        "print(run.join(run.pages[['url']]).verdict.tolist())"
    )
    words = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[404, <NA>] [2]\n['not-found']\n", "")
    assert open_run(tmp_path).urls.loc[0, "verdict"] == "not-found"
