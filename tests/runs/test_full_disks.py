"""A full disk ends a run by itself, and costs nothing of what was there.

The disk is a small file system in memory; mounting one takes the rights of root.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.manifest import Manifest, Status
from tests.runs.killing import CONCURRENCY, count_repeated, finish, read_rows, start
from tests.runs.site import Site
from tests.support.audits import Audited, crawl
from tests.support.commands import TIMEOUT, run_in_process

pytestmark = pytest.mark.xdist_group("resuming")

URLS = 104
FULL = "No space left on device"
PATIENCE = 120
"""Seconds in which a run that ends by itself has ended on any machine."""


class Disk:
    """A small file system. Files of others fill it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, left: int) -> None:
        """Leave so many bytes."""
        self._filler.unlink(missing_ok=True)
        state = os.statvfs(self.folder)
        self._filler.write_bytes(bytes(state.f_bavail * state.f_frsize - left))

    def make_room(self) -> None:
        self._filler.unlink(missing_ok=True)
        _mount("remount,size=64m", self.folder)


def _mount(options: str, folder: Path) -> None:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


@pytest.fixture
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Return a disk of 16 megabytes, or of as many as the test says."""
    folder = tmp_path / "disk"
    folder.mkdir()
    _mount(f"size={round(getattr(request, 'param', 16) * 1024)}k", folder)
    yield Disk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def whole(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    done = crawl(tmp_path_factory.mktemp("whole"), {"site": site.origin})
    assert done.status == 0, done.log
    site.take_requests()
    return done


def contents(folder: Path) -> dict[Path, bytes]:
    """Return every file but the one that names the process that has the lock."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != "holder"]
    return {file: file.read_bytes() for file in files}


@pytest.mark.parametrize("left", [16, 48])
def test_a_full_disk_ends_the_run(site: Site, whole: Audited, disk: Disk, left: int) -> None:
    disk.fill(left * 1024)
    process = start(disk.folder, f"site={site.origin}")
    assert process.wait(PATIENCE) == 3, process.log
    assert f"the ledger cannot be written: {FULL}; make room, then resume" in process.log
    assert f"The audit is incomplete: the ledger cannot be written: {FULL}." in process.output
    assert "Traceback" not in process.log
    disk.make_room()
    run = next(disk.folder.glob("*/*/run.json")).parent
    finish(start(disk.folder, f"resume={run}"))
    assert read_rows(run) == read_rows(whole.run.path)
    assert count_repeated(site.take_requests(), site) <= CONCURRENCY


@pytest.mark.parametrize("left", [4, 6])
def test_a_run_without_room_for_its_manifest_sends_no_request(
    site: Site, disk: Disk, left: int
) -> None:
    site.take_requests()
    disk.fill(left * 1024)
    process = start(disk.folder, f"site={site.origin}")
    assert process.wait(PATIENCE) == 3, process.log
    assert f"cannot be written: {FULL}; make room, then start again" in process.log
    assert "Traceback" not in process.log
    assert not site.take_requests()
    assert not list(disk.folder.glob("*/*"))


def test_a_full_disk_while_the_sample_is_drawn(site: Site, whole: Audited, disk: Disk) -> None:
    # The entries have room in the ledger; the database in which the sample is drawn has none.
    sitemaps = [ledger_file(whole.run.path, table) for table in ("robots", "sitemaps", "entries")]
    disk.fill(sum(file.stat().st_size for file in sitemaps) + 38 * 1024)
    process = start(disk.folder, f"site={site.origin}", "pages=40")
    assert process.wait(PATIENCE) == 3, process.log
    reason = f"The audit is incomplete: the sample cannot be drawn: {FULL}."
    assert reason in process.output
    assert "Traceback" not in process.log
    disk.make_room()
    run = next(disk.folder.glob("*/*/run.json")).parent
    assert start(disk.folder, f"resume={run}").wait(TIMEOUT) == 0
    assert sum(read_rows(run)["urls"].values()) == URLS


@pytest.mark.parametrize("disk", [1.2], indirect=True)
def test_a_report_that_has_no_room_is_written_later(site: Site, disk: Disk, tmp_path: Path) -> None:
    logo = tmp_path / "large.png"
    logo.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(290_000))
    done = crawl(disk.folder, {"site": site.origin}, {"AUDIT_REPORT_LOGO": str(logo)})
    assert done.status == 3
    assert "Traceback" not in done.log
    assert f"Not everything could be written: report.html: {FULL}." in done.output
    run = done.run.path
    manifest = Manifest.read(run)
    assert (manifest.status, manifest.complete) == (Status.FINISHED, True)
    assert manifest.failed_formats == {"report.html": FULL}
    assert not (run / "report.html").exists()
    disk.make_room()
    assert run_in_process("report", str(run)).returncode == 0
    assert Manifest.read(run).failed_formats == {}
    assert (run / "report.html").exists()


def test_rebuilding_without_room_changes_nothing(
    whole: Audited, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    run = copytree(whole.run.path, disk.folder / "site" / whole.run.path.name)
    before = contents(run)
    for left in (8, 40):
        disk.fill(left * 1024)
        done = run_in_process("report", str(run))
        assert done.returncode == 3
        sentence = f"{run} is unchanged: its tables could not be written: {FULL}.\n"
        assert done.stderr.endswith(sentence)
        assert "Traceback" not in done.stderr + caplog.text
        assert contents(run) == before
    disk.make_room()
    assert run_in_process("report", str(run)).returncode == 0
    assert read_rows(run) == read_rows(whole.run.path)


def test_rebuilding_without_room_for_the_report_keeps_the_earlier_one(
    whole: Audited, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    run = copytree(whole.run.path, disk.folder / "site" / whole.run.path.name)
    report = (run / "report.html").read_bytes()
    disk.fill(160 * 1024)
    assert run_in_process("report", str(run)).returncode == 3
    assert "Traceback" not in caplog.text
    assert Manifest.read(run).failed_formats == {"report.html": FULL}
    assert (run / "report.html").read_bytes() == report
    assert read_rows(run) == read_rows(whole.run.path)
    disk.make_room()
    assert run_in_process("report", str(run)).returncode == 0
    assert Manifest.read(run).failed_formats == {}


def test_tables_that_have_no_room_are_written_later(site: Site, whole: Audited, disk: Disk) -> None:
    ledger = sum(file.stat().st_size for file in (whole.run.path / "log").iterdir())
    disk.fill(ledger + 100 * 1024)
    done = crawl(disk.folder, {"site": site.origin})
    assert done.status == 3
    run = next(disk.folder.glob("*/*/run.json")).parent
    manifest = Manifest.read(run)
    assert (manifest.status, manifest.complete) == (Status.FINISHED, False)
    assert manifest.failed_formats == {"tables": FULL}
    disk.make_room()
    assert run_in_process("report", str(run)).returncode == 0
    assert Manifest.read(run).complete
    assert read_rows(run) == read_rows(whole.run.path)


def test_resuming_without_room_changes_nothing(site: Site, whole: Audited, disk: Disk) -> None:
    run = copytree(whole.run.path, disk.folder / "site" / whole.run.path.name)
    manifest = Manifest.read(run)
    manifest.status, manifest.ledger_rows = Status.RUNNING, {}
    manifest.write(run)
    pages = ledger_file(run, "pages")
    pages.write_bytes(b"".join(pages.read_bytes().splitlines(keepends=True)[:-9]))
    before = {table: ledger_file(run, table).read_bytes() for table in LEDGER_TABLES}
    site.take_requests()
    for left in (8, 12, 40):
        disk.fill(left * 1024)
        process = start(disk.folder, f"resume={run}")
        assert process.wait(PATIENCE) == 3, process.log
        assert f"{run} cannot be written: {FULL}; make room, then start again" in process.log
        assert "Traceback" not in process.log
        assert not site.take_requests()
        assert {table: ledger_file(run, table).read_bytes() for table in LEDGER_TABLES} == before
    disk.make_room()
    finish(start(disk.folder, f"resume={run}"))
    assert read_rows(run) == read_rows(whole.run.path)
