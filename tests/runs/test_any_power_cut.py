"""Whatever a power cut leaves of a run: it is continued to equal tables, or said to be damaged.

``AUDIT_CUTS=200 pytest tests/runs/test_any_power_cut.py`` tries more moments than one.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from sitemapaudit.runs.folders import find_run, has_tables
from sitemapaudit.runs.manifest import NAME
from tests.plugins.interpreters.commands import own_environment
from tests.runs.disk_record import Disk, read_calls, record
from tests.runs.killing import read_rows, start
from tests.runs.site import Site
from tests.support.commands import TIMEOUT, run_in_process
from tests.support.programs import find_program

pytestmark = pytest.mark.xdist_group("resuming")

CUTS = int(os.environ.get("AUDIT_CUTS", "1"))
SEED = int(os.environ.get("AUDIT_CUTS_SEED", "42"))
URLS = 40


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def recorded(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folder of an audit, and the record of its calls."""
    find_program("strace")
    folder = tmp_path_factory.mktemp("recorded")
    audits = folder / "audits"
    audits.mkdir()
    values = {"AUDIT_DIR": audits, "AUDIT_SPEED": "full", "DOWNLOAD_DELAY": 0.08}
    words = ["crawl", "sitemap", "-a", f"site={site.origin}"]
    words += [word for name, value in values.items() for word in ("-s", f"{name}={value}")]
    assert record(words, folder / "trace", own_environment()) == 0
    return audits, folder / "trace"


def moments(recorded: tuple[Path, Path]) -> int:
    disk = Disk(recorded[0])
    return sum(disk.apply(*call) for call in read_calls(recorded[1]))


def cut(recorded: tuple[Path, Path], moment: int, into: Path, chance: Random) -> None:
    """Leave what a power cut at a moment leaves."""
    disk, kept = Disk(recorded[0]), chance.choice((0.0, 0.5, 0.5, 0.9, 1.0))
    for call in read_calls(recorded[1]):
        moment -= disk.apply(*call)
        if moment < 0:
            break
    disk.root.leave(into, chance, kept)


def test_a_closed_file_has_no_number_before_the_call_ends(tmp_path: Path) -> None:
    lines = (
        "7 close(20 <unfinished ...>",
        f'8 openat(AT_FDCWD, "{hexadecimal(tmp_path / "file")}", O_WRONLY|O_CREAT) = 20',
        "7 <... close resumed>) = 0",
        f'8 write(20, "{hexadecimal("text")}", 4) = 4',
    )
    (trace := tmp_path / "trace").write_text("".join(f"{line}\n" for line in lines))
    disk = Disk(tmp_path)
    for call in read_calls(trace):
        disk.apply(*call)
    assert disk.root.now()["file"].size() == len("text")


def hexadecimal(text: object) -> str:
    return "".join(f"\\x{byte:02x}" for byte in str(text).encode())


def test_the_record_has_every_write(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    disk = Disk(recorded[0])
    for call in read_calls(recorded[1]):
        disk.apply(*call)
    disk.root.leave(tmp_path / "all", Random(0), 1.0)
    for file in recorded[0].rglob("*"):
        copy = tmp_path / "all" / file.relative_to(recorded[0])
        assert copy.is_dir() if file.is_dir() else copy.read_bytes() == file.read_bytes()
    disk.root.leave(tmp_path / "synced", Random(0), 0.0)
    (run,) = (tmp_path / "synced").glob(f"*/*/{NAME}")
    assert run.read_bytes() == next(recorded[0].glob(f"*/*/{NAME}")).read_bytes()


@pytest.mark.parametrize("number", range(CUTS))
def test_a_power_cut_at_any_moment(
    number: int, recorded: tuple[Path, Path], tmp_path: Path
) -> None:
    chance = Random(f"{SEED} {number}")
    cut(recorded, chance.randrange(moments(recorded)), tmp_path / "left", chance)
    runs = [*(tmp_path / "left").glob("*/*")]
    if not runs:
        return  # The name of the run was lost: nobody can take it for a result.
    (run,) = runs
    expected = read_rows(find_run(recorded[0]))
    shutil.copytree(run, copy := tmp_path / "copy" / run.name)
    done = run_in_process("report", str(copy))
    assert done.returncode in (0, 2, 3), done
    assert "Traceback" not in done.stderr, done.stderr
    if has_tables(copy) and done.returncode != 2:
        rows = read_rows(copy)
        assert rows["pages"] <= expected["pages"]
        assert rows["entries"] <= expected["entries"]
    process = start(tmp_path / "left", f"resume={run}", DOWNLOAD_DELAY=0)
    status = process.wait(TIMEOUT)
    assert "Traceback" not in process.log
    if status == 0:
        assert read_rows(run) == expected, process.log
    else:
        assert status == 2, process.log
        assert str(run) in process.log + process.output
