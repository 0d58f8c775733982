"""Runs DuckDB on a run folder within a memory limit: data that exceeds it goes to disk."""

import logging
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

import duckdb

from sitemapaudit.datasets.database import SCRATCH, connect, is_out_of_memory
from sitemapaudit.datasets.refusals import MemoryLimitError
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger.link_log import FILES

logger = logging.getLogger(__name__)

_DOUBLINGS: Final = 3

SMALL: Final = 24_000_000
"""Bytes of ledgers and tables that are processed in memory: a file takes longer.

With 40 MB, DuckDB's own limit would be exceeded.
"""

_READ: Final = (f"{FOLDER}/*.jsonl", *(f"{FOLDER}/{name}" for name in FILES), "*.parquet")
"""The files of a run that are read."""

T = TypeVar("T")


def run_with_memory_limit(
    memory: int,
    folder: Path,
    work: Callable[[duckdb.DuckDBPyConnection], T],
    what: str,
    runs: Iterable[Path] = (),
) -> T:
    """Do work within ``memory`` megabytes; if it needs more, start again.

    What is small is processed in memory first; then the limit is doubled, up to three times.
    ``folder`` is that of a run, which may get a folder for data that exceeds the memory, and
    ``runs`` are others that are read. ``what`` names the work in the log. Raises MemoryLimitError.
    """
    attempts = [(memory << doubling, False) for doubling in range(_DOUBLINGS + 1)]
    if _are_small(folder, *runs):
        attempts.insert(0, (memory, True))
    for limit, in_memory in attempts:
        try:
            return _work(limit, folder, work, in_memory=in_memory)
        except duckdb.Error as error:
            if not is_out_of_memory(error):
                raise
            level = logging.INFO if in_memory else logging.WARNING
            logger.log(level, "%s needs more than %d MB of memory", what, limit)
            shortage = error
    raise MemoryLimitError(
        f"{what} needs more than {attempts[-1][0]:,} MB of memory; raise AUDIT_MEMORY"
    ) from shortage


def _work(
    memory: int,
    folder: Path,
    work: Callable[[duckdb.DuckDBPyConnection], T],
    *,
    in_memory: bool,
) -> T:
    scratch = folder / SCRATCH
    try:
        with connect(scratch, memory, in_memory=in_memory) as connection:
            return work(connection)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _are_small(*runs: Path) -> bool:
    files = {file for run in runs for pattern in _READ for file in run.glob(pattern)}
    try:
        return sum(file.stat().st_size for file in files) < SMALL
    except OSError:  # A file was removed meanwhile.
        return False
