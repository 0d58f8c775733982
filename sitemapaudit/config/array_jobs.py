"""Array jobs: engines that start the same command N times, each time with another index.

The variables of the environment say which shard a process is.
"""

import os
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from sitemapaudit.urls.shard import Shard

SHARDS: Final = "SHARDS"
"""The number of shards, for engines that do not say it; it takes precedence over theirs."""


class ArrayJob(Struct, frozen=True):
    """An engine, and its variables: an index from 0 on, and the number of indexes.

    ``lowest`` is the variable with the lowest index, if the user can choose it.
    """

    engine: str
    index: str
    count: str = SHARDS
    lowest: str | None = None
    source: str = ""


ARRAY_JOBS: Final = (
    ArrayJob(
        "Kubernetes, an indexed Job",
        "JOB_COMPLETION_INDEX",
        source="https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode",
    ),
    ArrayJob(
        "Google Cloud Run Jobs",
        "CLOUD_RUN_TASK_INDEX",
        "CLOUD_RUN_TASK_COUNT",
        source="https://cloud.google.com/run/docs/container-contract#jobs-env-vars",
    ),
    ArrayJob(
        "AWS Batch, an array job",
        "AWS_BATCH_JOB_ARRAY_INDEX",
        "AWS_BATCH_JOB_ARRAY_SIZE",
        source="https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html",
    ),
    ArrayJob(
        "SLURM, a job array",
        "SLURM_ARRAY_TASK_ID",
        "SLURM_ARRAY_TASK_COUNT",
        "SLURM_ARRAY_TASK_MIN",
        source="https://slurm.schedmd.com/job_array.html",
    ),
    ArrayJob(
        "PBS, a job array",
        "PBS_ARRAY_INDEX",
        source="https://docs.it4i.cz/general/job-arrays/",
    ),
)
"""The engines, in the order in which their variables are looked for."""


def shard_of_job(environment: Mapping[str, str] = os.environ) -> Shard:
    """Return the shard that the variables name. Raises ValueError, with a sentence."""
    job = next((job for job in ARRAY_JOBS if job.index in environment), None)
    if job is None:
        names = ", ".join(job.index for job in ARRAY_JOBS)
        raise ValueError(f"'auto' needs one of the variables {names}")
    count_name = SHARDS if SHARDS in environment else job.count
    if count_name not in environment:
        raise ValueError(f"'auto' needs {count_name}, the number of shards, besides {job.index}")
    index, count = _whole(environment, job.index), _whole(environment, count_name)
    # Which shards some jobs that run again are would be unknown, if an array could begin with 1.
    begins_later = count_name != SHARDS and job.lowest and _whole(environment, job.lowest) > 0
    if begins_later or index >= count:
        raise ValueError(
            f"'auto': {job.index} is {environment[job.index]}, with {count_name}={count}: number"
            f" the jobs from 0 on, and set {SHARDS} to run some of them again"
        )
    return Shard(index + 1, count)


def _whole(environment: Mapping[str, str], name: str) -> int:
    given = environment.get(name, "")
    if not given.isdecimal():
        raise ValueError(f"'auto': {name} is {given!r}, not a whole number")
    return int(given)
