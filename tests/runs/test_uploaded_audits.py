"""Audits that are uploaded to an object store, and continued from there on another machine."""

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.items import Page
from sitemapaudit.runs.ledger.ledger import readable_rows
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.merging.stores import Store as StoredRun
from sitemapaudit.runs.uploads import claiming, uploader
from sitemapaudit.runs.uploads.claiming import claim
from sitemapaudit.runs.uploads.links import NEW, Link
from sitemapaudit.runs.uploads.snapshots import Snapshot
from tests.plugins.interpreters.commands import Command
from tests.runs.killing import finish, read_rows, start, wait_for_run
from tests.runs.site import Site
from tests.support.commands import TIMEOUT, check_crawl
from tests.support.store import Store

pytestmark = pytest.mark.xdist_group("stores")

URLS = 60
SECRET = "a-key-that-is-nowhere-else"


def be_quick() -> None:
    """Upload often, and give up soon."""
    claiming.INTERVAL, claiming.LEASE = 0.25, 1.0  # type: ignore[misc]
    uploader.PATIENCE = 0  # type: ignore[misc]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with Store() as store:
        yield store


@pytest.fixture
def place(store: Store, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in (store.environment | {"AWS_SECRET_ACCESS_KEY": SECRET}).items():
        monkeypatch.setenv(name, value)
    name = f"bucket-{abs(hash(request.node.name))}"
    store.create_bucket(name)
    return f"s3://{name}/audits"


def audit(machine: Path, site: Site, place: str, **settings: Any) -> Command:
    """Start the audit on a machine; it takes some seconds."""
    # A signal ends it when what is waiting for the delay was fetched.
    slow: dict[str, Any] = {"DOWNLOAD_DELAY": 0.05, "AUDIT_RECHECK": "false"}
    slow |= {"CONCURRENT_REQUESTS": 2, **settings}
    arguments = f"site={site.origin}", "links=record"
    return start(machine, *arguments, prepare=be_quick, AUDIT_UPLOAD=place, **slow)


def stored_pages(run: Path, place: str, into: Path) -> set[str]:
    """Return the pages of a run that a store has."""
    stored = StoredRun(f"{place}/{run.parent.name}/{run.name}")
    stored.copy_ledger(into)
    return {page.url for page in readable_rows(into, "pages", Page)}


def wait_for_stored_pages(run: Path, place: str, into: Path, number: int) -> None:
    """Wait until a store has a number of pages of a run."""
    while len(stored_pages(run, place, into)) < number:
        time.sleep(0.25)


def test_a_killed_audit_is_continued_on_another_machine(
    site: Site, place: str, tmp_path: Path
) -> None:
    process = audit(tmp_path / "one", site, place, AUDIT_RESULTS="later")
    run = wait_for_run(tmp_path / "one", process)
    wait_for_stored_pages(run, place, tmp_path / "waiting", 10)
    process.kill()
    stored = stored_pages(run, place, tmp_path / "stored")
    site.take_requests()
    # The same command finds it, and is stopped with a signal.
    again = audit(tmp_path / "two", site, place, AUDIT_RESULTS="later", DOWNLOAD_DELAY=0.2)
    wait_for_stored_pages(run, place, tmp_path / "waiting", len(stored) + 5)
    again.signal(signal.SIGTERM)
    assert again.wait(TIMEOUT) == 3, again.log
    assert "has not released" in again.log
    address = f"{place}/{run.parent.name}/{run.name}"
    last = start(tmp_path / "three", f"resume={address}", prepare=be_quick, AUDIT_RESULTS="now")
    finish(last)
    assert f"Uploaded    {address}" in last.output
    assert "has not released" not in last.log
    requests = site.take_requests()
    assert not {site.origin + path for path in requests} & stored
    (own,) = (tmp_path / "three").glob("*/*")
    whole = start(tmp_path / "whole", f"site={site.origin}", "links=record")
    finish(whole)
    tables = read_rows(own)
    for table, rows in read_rows(next((tmp_path / "whole").glob("*/*"))).items():
        assert tables[table] == rows, table
    report = start(tmp_path / "four", f"resume={address}", prepare=be_quick)
    assert report.wait(TIMEOUT) == 0
    assert "is finished: there is nothing to resume" in report.output
    assert [*(tmp_path / "four").glob("*/*")] == []
    everything = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert SECRET.encode() not in everything
    assert SECRET not in process.log + again.log + last.log + last.output


def test_a_store_that_fails_costs_only_the_upload(site: Site, tmp_path: Path) -> None:
    store = tmp_path / "disk" / "store"
    process = audit(tmp_path / "one", site, f"file://{store}", DOWNLOAD_DELAY=0.03)
    run = wait_for_run(tmp_path / "one", process)
    while not store.parent.is_file():
        shutil.rmtree(store.parent, ignore_errors=True)
        store.parent.touch()
    assert process.wait(TIMEOUT) == 3, process.log
    assert f"The run is not uploaded to file://{store}/{run.parent.name}/{run.name}" in process.log
    assert open_run(run).manifest.complete
    store.parent.unlink()
    site.take_requests()
    finish(again := start(tmp_path / "one", f"resume={run}"))
    assert not site.take_requests()
    assert "is finished: there is nothing to resume" in again.output
    assert open_run(store).manifest.complete
    assert read_rows(open_run(store).path) == read_rows(run)
    done = check_crawl("-a", f"resume={run}", "-s", "AUDIT_UPLOAD=file:///elsewhere")
    address = f"file://{store}/{run.parent.name}/{run.name}"
    assert done.stderr == f"AUDIT_UPLOAD: {run} is uploaded to {address}; remove it.\n"


def test_a_run_that_another_process_took_over_is_stopped(site: Site, tmp_path: Path) -> None:
    slow: dict[str, Any] = {"DOWNLOAD_DELAY": 0.5, "AUDIT_RESULTS": "later"}
    process = audit(tmp_path / "one", site, f"file://{tmp_path / 'store'}", **slow)
    run = wait_for_run(tmp_path / "one", process)
    while (link := Link.read(run)) is None or link.writer == NEW:
        time.sleep(0.02)
    stored = StoredRun(link.address)
    first = Snapshot.read(stored.read)
    # It looks for another owner before each snapshot, and has just written one.
    while (newest := Snapshot.read(stored.read)) is None or newest == first:
        time.sleep(0.02)
    claim(stored, link.writer)
    assert process.wait(TIMEOUT) == 75, process.log
    assert f"{link.address} is in use by process" in process.log
    assert Manifest.read(run).status == "interrupted"


def test_a_bucket_that_does_not_exist_is_refused_before_any_request(
    site: Site, place: str, tmp_path: Path
) -> None:
    site.take_requests()
    done = check_crawl("-a", f"site={site.origin}", "-s", "AUDIT_UPLOAD=s3://nowhere/audits")
    sentence = "AUDIT_UPLOAD: There is no bucket nowhere (s3://nowhere/audits/"
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith(sentence)
    assert site.take_requests() == {}


def test_wrong_addresses_are_one_sentence(tmp_path: Path) -> None:
    for given, expected in {
        "audits": "'audits' is not the address of a store such as s3://bucket/audits.",
        "ftp://host/a": "'ftp://host/a' is not the address of a store such as s3://bucket/audits.",
        f"s3://me:{SECRET}@bucket/audits": "an address has no keys and no options",
        f"s3://bucket/audits?secret_key={SECRET}": "an address has no keys and no options",
    }.items():
        done = check_crawl("-a", "site=a.example", "-s", f"AUDIT_UPLOAD={given}")
        assert (done.returncode, expected in done.stderr) == (2, True), done
        assert SECRET not in done.stderr
    done = check_crawl("-a", "site=a.example", "-s", "AUDIT_DIR=s3://bucket/audits")
    assert "is not a folder; to upload runs to a store, use upload" in done.stderr
    done = check_crawl("-a", f"resume=file://{tmp_path}")
    assert f"There is no run folder (with run.json) at or below file://{tmp_path}" in done.stderr
