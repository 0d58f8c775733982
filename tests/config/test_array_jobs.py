"""Array jobs: the shard that the variables of an engine name."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from sitemapaudit.config import Config
from sitemapaudit.config.array_jobs import ARRAY_JOBS, SHARDS, ArrayJob, shard_of_job
from sitemapaudit.urls.shard import Shard

PAGE: Final = Path("docs/how-to/several-machines.md")
SLURM: Final = next(job for job in ARRAY_JOBS if job.index.startswith("SLURM"))
LOWEST: Final = "SLURM_ARRAY_TASK_MIN"


def jobs_of(engine: ArrayJob, count: int) -> Iterator[dict[str, str]]:
    """Yield the variables of each job of an array."""
    common = {engine.count: str(count)}
    if engine.lowest:
        common[engine.lowest] = "0"
    for index in range(count):
        yield {engine.index: str(index), **common}


@pytest.mark.parametrize("engine", ARRAY_JOBS, ids=lambda engine: engine.engine)
@pytest.mark.parametrize("count", [1, 2, 64])
def test_the_jobs_of_an_array_are_all_shards(engine: ArrayJob, count: int) -> None:
    jobs = [shard_of_job({"HOME": "/root", **each}) for each in jobs_of(engine, count)]
    assert jobs == [Shard(number, count) for number in range(1, count + 1)]


def test_some_jobs_run_again_with_the_number_of_all_shards() -> None:
    again = {SLURM.index: "3", SLURM.count: "1", LOWEST: "3", SHARDS: "8"}
    assert shard_of_job(again) == Shard(4, 8)


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({}, "'auto' needs one of the variables JOB_COMPLETION_INDEX, "),
        ({"JOB_COMPLETION_INDEX": "0"}, "'auto' needs SHARDS, the number of shards, besides JOB"),
        ({"PBS_ARRAY_INDEX": "8", SHARDS: "8"}, "PBS_ARRAY_INDEX is 8, with SHARDS=8: number the"),
        ({"PBS_ARRAY_INDEX": "0", SHARDS: "eight"}, "'auto': SHARDS is 'eight', not a whole"),
        ({SLURM.index: "5", SLURM.count: "1", LOWEST: "5"}, "set SHARDS to run some of them"),
        ({SLURM.index: "9", SLURM.count: "3", LOWEST: "0"}, "SLURM_ARRAY_TASK_COUNT=3"),
        # Another shard would run again than the one that is missing.
        ({SLURM.index: "1", SLURM.count: "3", LOWEST: "1"}, "number the jobs from 0 on"),
    ],
)
def test_variables_that_name_no_shard_are_refused(
    environment: Mapping[str, str], reason: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        shard_of_job(environment)


def test_the_run_records_the_shard_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "1")
    monkeypatch.setenv(SHARDS, "8")
    given = {"site": "https://example.com", "shard": "auto"}
    config = Config.read(given, {"DOWNLOAD_TIMEOUT": 10})
    assert config.arguments.shard == Shard(2, 8)
    assert config.recorded_values()[0]["shard"] == "2/8"


def test_the_page_names_every_engine_with_its_variables() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    for job in ARRAY_JOBS:
        row = next(row for row in rows if f"`{job.index}`" in row)
        assert {job.engine in row, f"`{job.count}`" in row, job.source in row} == {True}
