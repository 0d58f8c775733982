"""The script of the documentation as an array job of a real SLURM, which loses tasks and a node.

Only ``make engines`` runs it: it installs SLURM in an empty folder, and takes several minutes.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sitemapaudit import open_run
from tests.distribution.slurm import Slurm, wait_until
from tests.docs.blocks import blocks_of
from tests.runs.killing import count_repeated, finish, read_rows, start
from tests.runs.site import Site
from tests.support.paths import PROJECT

URLS = 120
PAGE = PROJECT / "docs" / "how-to" / "several-machines.md"
(SCRIPT,) = (block.text for block in blocks_of(PAGE) if "#SBATCH" in block.text)
SHARDS = 8


@pytest.fixture
def slurm() -> Iterator[Slurm]:
    with TemporaryDirectory(prefix="slurm") as folder, Slurm.install(Path(folder)) as slurm:
        yield slurm


def restarts(slurm: Slurm, task: str) -> int:
    """Return how often a task was started again."""
    found = re.search(r"Restarts=(\d+)", slurm.run("scontrol", "show", "job", task))
    assert found
    return int(found[1])


def test_an_array_job_is_one_audit_whatever_it_loses(slurm: Slurm, tmp_path: Path) -> None:
    home = Path(slurm.environment["HOME"])
    audits = home / "audits"
    (home / "audit.sh").write_text(SCRIPT)
    with Site(URLS) as site:
        finish(start(tmp_path / "one", f"site={site.origin}"))
        finish(start(audits / "read", f"site={site.origin}", "pages=none"))
        site.take_requests()
        job = slurm.run("sbatch", "--parsable", "audit.sh")
        report = slurm.run(
            *("sbatch", "--parsable", f"--dependency=afterok:{job}"),
            *("--wrap", "sitemapaudit report $HOME/audits/shards/*"),
        )
        begun = "shards/*/*/*/log/pages.jsonl"
        wait_until(lambda: sum(file.stat().st_size > 0 for file in audits.glob(begun)) == SHARDS)
        slurm.run("scontrol", "requeue", f"{job}_1")
        lost = slurm.kill_node("two")
        wait_until(lambda: "down" in slurm.run("sinfo", "-h", "-N", "-o", "%t"))
        slurm.start_node("two")
        wait_until(lambda: not slurm.run("squeue", "-h"))
        requests = site.take_requests()
    again = [restarts(slurm, f"{job}_{number}") for number in range(SHARDS)]
    repeated = count_repeated(requests, site)
    print(f"restarts of the tasks: {again}, tasks on the lost node: {lost}")
    print(f"pages fetched again, the targets of redirects among them: {repeated}")
    assert again[1] > 0
    assert sum(again) >= lost > 0
    assert "JobState=COMPLETED" in slurm.run("scontrol", "show", "job", report)
    assert repeated <= sum(again) + SHARDS
    (merged,) = audits.glob("127.0.0.1-*/*-merged")
    run = open_run(merged)
    assert run.manifest.complete, run.manifest.reason
    tables, whole = read_rows(run.path), read_rows(open_run(tmp_path / "one").path)
    for table, rows in whole.items():
        assert tables[table] == rows, table
