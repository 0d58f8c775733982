"""A power cut costs the rows of the last second, and nothing else."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file
from tests.runs.killing import (
    CONCURRENCY,
    count_repeated,
    finish,
    kill,
    read_rows,
    start,
    wait_for_pages,
    wait_for_run,
)
from tests.runs.power import record_syncs, restore
from tests.runs.site import Site

pytestmark = pytest.mark.xdist_group("resuming")

URLS = 104


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def recorded(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folder of a finished run, and the record of what it synced."""
    audits, record = (tmp_path_factory.mktemp(name) for name in ("audits", "record"))
    finish(start(audits, f"site={site.origin}", prepare=partial(record_syncs, record)))
    return next(audits.glob("*/*/run.json")).parent, record


def test_a_finished_run_is_on_the_disk(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    run, record = recorded
    restore(record, run, tmp_path / "left")
    written = {file.relative_to(run) for file in run.rglob("*") if file.is_file()}
    written.remove(Path("log/holder"))  # It names this process.
    for file in written:
        assert (tmp_path / "left" / file).read_bytes() == (run / file).read_bytes(), file


def test_a_power_cut_costs_only_rows_that_were_not_synced(
    site: Site, recorded: tuple[Path, Path], tmp_path: Path
) -> None:
    audits, record = tmp_path / "audits", tmp_path / "record"
    record.mkdir()
    site.take_requests()
    process = start(
        audits,
        f"site={site.origin}",
        prepare=partial(record_syncs, record),
        DOWNLOAD_DELAY=0.05,
    )
    run = wait_for_run(audits, process)
    pages = ledger_file(run, "pages")
    wait_for_pages(run, process)
    # Rows are synced while others arrive.
    while not (record / str(pages.stat().st_ino)).exists():
        assert process.poll() is None, process.log
    wait_for_pages(run, process, pages.stat().st_size + 1)
    assert kill(process)
    left = tmp_path / "left" / run.parent.name / run.name
    restore(record, run, left)
    kept = count_lines(ledger_file(left, "pages"))
    lost = count_lines(pages) - kept
    assert kept
    finish(start(tmp_path / "left", f"resume={left}", DOWNLOAD_DELAY=0))
    assert read_rows(left) == read_rows(recorded[0])
    assert count_repeated(site.take_requests(), site) <= lost + CONCURRENCY
