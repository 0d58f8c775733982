"""Rows of DuckDB as pandas DataFrames, without Arrow."""

from typing import Any, Final

import duckdb
import numpy as np
import pandas as pd

_MAX_EXACT: Final = 2**53


def read_frame(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return the rows of the last query of a connection.

    Integers and booleans have nullable types: without these, a column with one null turns 404 into
    404.0. Text is ``str``, also where every value is null. Null lists and structs are None.
    """
    types = [str(column[1]) for column in connection.description]
    values: dict[str, Any] = connection.fetchnumpy()
    # A column leaves the dictionary when it is converted, so that few exist twice.
    columns = {
        name: _column(values.pop(name), type_)
        for name, type_ in zip(list(values), types, strict=True)
    }
    return pd.DataFrame(columns, copy=False)


def _column(values: Any, type_: str) -> Any:
    """Return a column of NumPy, which has a mask if it has nulls, as one of pandas."""
    data, nulls = np.ma.getdata(values), np.ma.getmaskarray(values)
    match data.dtype.kind:
        case "i" | "u":
            return pd.arrays.IntegerArray(data, nulls)
        case "b":
            return pd.arrays.BooleanArray(data, nulls)
        case "O" if type_ == "VARCHAR":
            data[nulls] = np.nan
            return pd.array(data, dtype="str")
        case "O":
            data[nulls] = None
        case "f" if type_ == "HUGEINT" and _are_exact(data[~nulls]):  # A sum of integers.
            return pd.arrays.IntegerArray(np.where(nulls, 0, data).astype("int64"), nulls)
        case "f":
            data[nulls] = np.nan
        case _:
            data[nulls] = "NaT"
    in_utc = type_ == "TIMESTAMP WITH TIME ZONE"
    return pd.array(data, dtype=pd.DatetimeTZDtype("us", "UTC")) if in_utc else data


def _are_exact(integers: Any) -> bool:
    """Return whether integers are so small that no float has changed them."""
    return bool(np.all(np.abs(integers) < _MAX_EXACT))
