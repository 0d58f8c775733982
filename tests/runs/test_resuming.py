"""An interrupted run can be resumed, or one sentence says why not."""

import fcntl
import json
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.demo.documents import XML, entry, urlset
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.items import Page
from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.runs.killing import finish, kill, read_rows, start, wait_for_pages, wait_for_run
from tests.runs.site import Site
from tests.support.audits import Audited, crawl
from tests.support.commands import TIMEOUT, scrapy
from tests.support.runs import mark_running

pytestmark = pytest.mark.xdist_group("resuming")

URLS = 48


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


@pytest.fixture
def own(whole: Audited, tmp_path: Path) -> Path:
    """Return a copy of the run folder, for a test that changes it."""
    run = whole.run.path
    return Path(shutil.copytree(run, tmp_path / run.parent.name / run.name))


def resume(run: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return scrapy("crawl", "sitemap", "-a", f"resume={run}", "-s", "AUDIT_SPEED=full", *words)


def manifest(run: Path) -> dict[str, object]:
    values: dict[str, object] = json.loads((run / "run.json").read_text())
    return values


def test_a_finished_run_is_not_resumed(site: Site, whole: Audited) -> None:
    before = (whole.run.path / "run.json").read_bytes()
    done = resume(whole.run.path)
    assert done.returncode == 0
    assert "is finished: there is nothing to resume." in done.stdout
    assert (whole.run.path / "run.json").read_bytes() == before
    assert not site.take_requests()


def test_resuming_a_finished_run_has_its_exit_status(whole: Audited) -> None:
    assert resume(whole.run.path, "-s", "AUDIT_FAIL_ON=error").returncode == 1


def test_the_last_line_of_every_ledger_file_can_be_incomplete(
    site: Site, whole: Audited, own: Path
) -> None:
    mark_running(own)
    for table in ("robots", "sitemaps", "entries", "pages", "findings"):
        file = ledger_file(own, table)
        file.write_bytes(file.read_bytes()[:-9])
    done = resume(own)
    assert done.returncode == 0, done.stderr
    pages = [address for address in site.take_requests() if "/page/" in address]
    assert len(pages) <= 1
    assert read_rows(own) == read_rows(whole.run.path)
    assert manifest(own)["repaired_damage"] == {}


class SpoiledPages:
    """A pipeline of a user that gives some pages a title that cannot be written."""

    def process_item(self, item: object) -> object:
        if isinstance(item, Page) and item.url.endswith("/page/20"):
            item.title = "half \ud83d a pair"
        return item


def test_a_page_that_cannot_be_written_makes_the_audit_incomplete_until_it_is_fetched_again(
    site: Site, whole: Audited, tmp_path: Path
) -> None:
    pipelines = {f"{__name__}.SpoiledPages": 1, "sitemapaudit.extensions.pipeline.AuditPipeline": 2}
    audited = crawl(tmp_path, {"site": site.origin}, {"ITEM_PIPELINES": json.dumps(pipelines)})
    assert audited.status == 3
    assert f"The page '{site.origin}/page/20' cannot be written: " in audited.log
    assert "Traceback" not in audited.log
    reason = "the ledger lost rows: 1 of pages"
    assert audited.run.manifest.reason == reason
    site.take_requests()
    done = resume(audited.run.path)
    assert done.returncode == 0, done.stderr
    pages = [address for address in site.take_requests() if "/page/" in address]
    assert pages == [f"{site.origin.removeprefix('http://')}/page/20"]
    assert read_rows(audited.run.path) == read_rows(whole.run.path)


@pytest.mark.parametrize("items", [1, 3], ids=["none", "some"])
def test_a_run_that_is_closed_while_it_fetches_sitemaps_reads_them_when_resumed(
    site: Site, whole: Audited, tmp_path: Path, items: int
) -> None:
    closed = crawl(tmp_path, {"site": site.origin}, {"CLOSESPIDER_ITEMCOUNT": str(items)})
    assert closed.status == 3
    assert "Traceback" not in closed.log
    assert resume(closed.run.path).returncode == 0
    assert read_rows(closed.run.path) == read_rows(whole.run.path)
    site.take_requests()


def test_damage_of_the_ledger_is_reported_and_repaired(
    site: Site, whole: Audited, own: Path
) -> None:
    for table in ("entries", "pages"):
        lines = ledger_file(own, table).read_bytes().splitlines(keepends=True)
        chosen = next(line for line in lines if b'/page/20"' in line)
        lines[lines.index(chosen)] = b"\0" * 40 + b"\n"
        ledger_file(own, table).write_bytes(b"".join(lines))
    report = scrapy("report", str(own))
    # The entries of a file were written together.
    assert manifest(own)["damage"] == {"entries": 6, "pages": 1}
    reason = "the ledger lost rows: 6 of entries, 1 of pages"
    assert reason in " ".join(report.stdout.split())
    assert manifest(own)["complete"] is False
    done = resume(own)
    assert done.returncode == 0, done.stderr
    requests = site.take_requests()
    assert sum("/page/" in address for address in requests) == 1
    assert sum("/sitemap-" in address for address in requests) == 1
    assert manifest(own)["repaired_damage"] == {"entries": 6, "pages": 1}
    assert manifest(own)["damage"] == {}
    assert read_rows(own) == read_rows(whole.run.path)


def test_a_run_that_is_still_running_is_not_resumed(site: Site, tmp_path: Path) -> None:
    process = start(tmp_path, f"site={site.origin}", DOWNLOAD_DELAY=1)
    run = wait_for_run(tmp_path, process)
    done, report = resume(run), scrapy("report", str(run))
    assert kill(process)
    for each in (done, report):
        assert each.returncode == 75
        assert f"{run} is in use by process {process.pid}." in each.stderr
        assert len(each.stderr.strip().splitlines()) == 1


def test_a_stopped_run_is_resumed(site: Site, whole: Audited, tmp_path: Path) -> None:
    site.take_requests()
    slow: dict[str, Any] = {"DOWNLOAD_DELAY": 0.05, "AUDIT_RESULTS": "later"}
    process = start(tmp_path, f"site={site.origin}", **slow)
    run = wait_for_run(tmp_path, process)
    written = 0
    for number in (signal.SIGTERM, signal.SIGINT):
        wait_for_pages(run, process, written + 5_000)
        process.signal(number)
        assert process.wait(TIMEOUT) == 3
        assert manifest(run)["status"] == "interrupted"
        written = ledger_file(run, "pages").stat().st_size
        quick: dict[str, Any] = {"DOWNLOAD_DELAY": 0, "AUDIT_RESULTS": "now"}
        given = slow if number is signal.SIGTERM else quick
        process = start(tmp_path, f"resume={run}", **given)
    finish(process)
    pages = {address: n for address, n in site.take_requests().items() if "/page/" in address}
    assert max(pages.values()) == 1
    assert read_rows(run) == read_rows(whole.run.path)


def test_a_full_disk_ends_the_run_and_loses_nothing(
    site: Site, whole: Audited, tmp_path: Path
) -> None:
    process = start(tmp_path, f"site={site.origin}", limits={resource.RLIMIT_FSIZE: 20_000})
    assert process.wait(TIMEOUT) == 3
    assert "the ledger cannot be written: File too large; make room, then resume" in process.log
    run = next(tmp_path.glob("*/*/run.json")).parent
    site.take_requests()
    finish(start(tmp_path, f"resume={run}"))
    assert read_rows(run) == read_rows(whole.run.path)


def test_a_limit_can_be_raised(site: Site, whole: Audited, tmp_path: Path) -> None:
    limited = crawl(tmp_path, {"site": site.origin}, {"AUDIT_MAX_URLS": "10"}).run
    reached = manifest(limited.path)["limits"]
    mark_running(limited.path)
    assert resume(limited.path).returncode == 3
    assert manifest(limited.path)["limits"] == reached
    mark_running(limited.path)
    assert resume(limited.path, "-s", "AUDIT_MAX_URLS=1000").returncode == 0
    raised = manifest(limited.path)
    assert (raised["limits"], raised["skipped"]) == ({}, {})
    assert raised["verdicts"] == whole.run.manifest.verdicts
    site.take_requests()


class Pairs(Site):
    """Each page with an even number redirects to the next one, which is listed too."""

    def _page(self, path: str, number: int) -> Reply:
        if path.startswith("/page/") and number % 2 == 0:
            return Reply(status=301, headers=[("Location", f"/page/{number + 1}")])
        return super()._page(path, 7)


def test_pages_that_lead_to_others_of_a_sample_change_nothing(tmp_path: Path) -> None:
    with Pairs(URLS) as site:
        given = {"site": site.origin, "pages": "40"}
        whole = crawl(tmp_path / "whole", given, {"AUDIT_MAX_URLS": "30"}).run.path
        run = Path(shutil.copytree(whole, tmp_path / "resumed" / "site" / whole.name))
        mark_running(run)
        file = ledger_file(run, "pages")
        lines = {json.loads(line)["url"]: line for line in file.read_bytes().splitlines(True)}
        rows = {url: json.loads(line) for url, line in lines.items()}
        sample = {url for url, row in rows.items() if row["role"] == "listed"}
        leading = [line for url, line in lines.items() if rows[url].get("target") in sample]
        assert len(leading) >= 30 - URLS // 2
        file.write_bytes(b"".join(leading))
        assert resume(run).returncode == 3
        assert read_rows(run) == read_rows(whole)


def test_a_sitemap_that_was_read_is_not_read_again(whole: Audited, site: Site, own: Path) -> None:
    mark_running(own)
    last = b'/sitemap-7.xml"'
    for table in ("sitemaps", "entries"):
        lines = ledger_file(own, table).read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if b'"sitemap":"' not in line or last not in line[:80]]
        ledger_file(own, table).write_bytes(b"".join(kept))
    site.urls += 8
    done = resume(own)
    assert done.returncode == 0, done.stderr
    site.urls -= 8
    fresh = read_rows(own)["urls"] - read_rows(whole.run.path)["urls"]
    assert [json.loads(row)["url"] for row in fresh] == [f"{site.origin}/page/{URLS + 7}"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["-a", "resume=nowhere"],
            "resume: There is no run folder (with run.json) at or below nowhere.",
        ),
        (
            ["-a", "resume={run}", "-a", "pages=3"],
            "resume: the run keeps its own arguments; remove pages.",
        ),
    ],
    ids=["no-run", "arguments"],
)
def test_resuming_is_refused(whole: Audited, words: list[str], sentence: str) -> None:
    given = [word.format(run=whole.run.path) for word in words]
    done = scrapy("crawl", "sitemap", *given)
    assert done.returncode == 2
    assert done.stderr == f"{sentence}\n"
    assert len(done.stderr.strip().splitlines()) == 1


def findings(run: Path) -> list[tuple[str, str, str]]:
    frame = open_run(run).findings[["rule", "sitemap", "url"]]
    return sorted(map(tuple, frame.fillna("").to_numpy()))


def test_a_sitemap_at_a_usual_place_is_found_without_its_body(tmp_path: Path) -> None:
    """The rows of robots.txt are lost, and the sitemaps were read before."""

    def serve(status: int) -> Server:
        def reply(request: ServerRequest) -> Reply:
            if request.path == "/sitemap.xml":
                return Reply(urlset([entry(f"{server.origin}/page")]), status, [XML])
            return Reply("", status=404)

        server = Server(reply)
        return server

    with serve(200) as found, serve(404) as missing:
        run = crawl(tmp_path, {"site": f"{found.origin},{missing.origin}"}).run.path
        before = findings(run)
        ledger_file(run, "robots").write_bytes(b"")
        mark_running(run)
        resume(run)
    assert "sitemap-not-found" not in {rule for rule, _, _ in before}
    assert findings(run) == before


def test_a_finished_run_is_not_locked(whole: Audited) -> None:
    with (whole.run.path / "log" / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
