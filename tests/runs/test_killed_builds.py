"""Runs whose results are being built are killed at a statement of SQL, and lose nothing.

``AUDIT_KILLS_STEP`` is the number of statements between two kills; ``make kills`` kills at each.
"""

import json
import os
import resource
import shutil
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.plugins.interpreters.commands import Command
from tests.runs.killing import finish, read_rows, start, wait_for_run
from tests.runs.site import Site
from tests.runs.statements import count_statements, kill_at_statement
from tests.support.commands import TIMEOUT, run_in_process

pytestmark = pytest.mark.xdist_group("kills")

STEP = int(os.environ.get("AUDIT_KILLS_STEP", "120"))
URLS = int(os.environ.get("AUDIT_KILLS_URLS", "104"))
FIRST = 1 if STEP == 1 else 8
"""The first statement at which a process is killed: by default while the sample is drawn."""

SAMPLES = {"all": "all", "sample": "500" if STEP == 1 else "40"}


@dataclass
class Whole:
    """A run that was not interrupted, its tables, and the statements of resuming it."""

    run: Path
    tables: dict[str, Counter[str]]
    statements: int

    def copy(self, folder: Path) -> Path:
        """Return a copy of the run as if it was killed before its results were built."""
        run = folder / self.run.parent.name / self.run.name
        shutil.copytree(self.run / "log", run / "log")
        manifest = json.loads((self.run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps(manifest | {"status": "running"}))
        return run


def resume(run: Path, prepare: partial[None] | None = None) -> Command:
    return start(run.parent.parent, f"resume={run}", prepare=prepare)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module", params=SAMPLES if STEP == 1 else ["sample"])
def whole(
    request: pytest.FixtureRequest, site: Site, tmp_path_factory: pytest.TempPathFactory
) -> Whole:
    audits = tmp_path_factory.mktemp("whole")
    log = audits / "statements"
    process = start(
        audits,
        f"site={site.origin}",
        f"pages={SAMPLES[request.param]}",
        prepare=partial(count_statements, log),
    )
    run = wait_for_run(audits, process)
    finish(process)
    return Whole(run, read_rows(run), log.stat().st_size)


def test_a_build_that_is_killed_is_made_again(whole: Whole, tmp_path: Path) -> None:
    for number in range(FIRST, whole.statements + 1, STEP):
        run = whole.copy(tmp_path / str(number))
        killed = resume(run, partial(kill_at_statement, number))
        assert killed.wait(TIMEOUT) == -signal.SIGKILL, killed.log
        finish(resume(run))
        assert read_rows(run) == whole.tables, number
        assert not (run / "scratch").exists()
    print(f"killed at statements {FIRST} to {number}, every {STEP}")


@pytest.fixture(scope="module")
def shards(site: Site, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the run folders of two shards of one audit."""
    audits = [tmp_path_factory.mktemp(f"shard-{number}") for number in (1, 2)]
    processes = [
        start(folder, f"site={site.origin}", f"shard={number}/2")
        for number, folder in enumerate(audits, start=1)
    ]
    for process in processes:
        finish(process)
    return [next(folder.glob("*/*/run.json")).parent for folder in audits]


INTERRUPTED: Mapping[str, tuple[dict[int, int], partial[None] | None, int]] = {
    "ledger": ({resource.RLIMIT_FSIZE: 20_000}, None, 3),
    "tables": ({}, partial(kill_at_statement, 60), -signal.SIGKILL),
}


@pytest.mark.parametrize("kind", INTERRUPTED)
def test_a_merge_that_was_interrupted_is_repeated(
    shards: list[Path], tmp_path: Path, kind: str
) -> None:
    words = ["report", *map(str, shards), "--into", str(tmp_path / "site" / "merged")]
    limits, prepare, status = INTERRUPTED[kind]
    assert Command(words, limits, prepare).wait(TIMEOUT) == status
    assert not (tmp_path / "site" / "merged" / "urls.parquet").exists()
    done = run_in_process(*words)
    assert done.returncode == 0, done.stderr
    merged = tmp_path / "site" / "merged"
    assert sum(read_rows(merged)["urls"].values()) == URLS
    assert not (merged / "scratch").exists()


def test_an_interrupted_copy_is_replaced_by_that_of_another_run(
    whole: Whole, tmp_path: Path
) -> None:
    into = tmp_path / "site" / "copy"
    words = ["report", str(whole.run), "--into", str(into)]
    killed = Command(words, prepare=partial(kill_at_statement, 20))
    assert killed.wait(TIMEOUT) == -signal.SIGKILL
    # An older version of this program had no file for this table.
    ledger_file(into, "renderings").write_text("left by another run\n")
    done = run_in_process(*words)
    assert done.returncode == 0, done.stderr
    assert read_rows(into) == whole.tables
    again = run_in_process(*words)
    assert again.returncode == 2
    assert again.stderr == f"{into} already exists; name another folder with --into.\n"
