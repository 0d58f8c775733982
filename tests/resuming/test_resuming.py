"""A run that was cut short goes on; what stands against it is said in one sentence."""

import fcntl
import json
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.datasets.ledger import ledger_file
from tests.resuming.killing import at_work, begun, datasets, finish, kill, start
from tests.resuming.site import Site
from tests.support import PROJECT, Audited, crawl, own_environment, scrapy

URLS = 160


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def whole(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    done = crawl(tmp_path_factory.mktemp("whole"), {"site": site.origin})
    assert done.status == 0, done.log
    site.take_asked()
    return done


@pytest.fixture
def own(whole: Audited, tmp_path: Path) -> Path:
    """Return the run folder of the same audit, to be changed."""
    run = whole.run.path
    return Path(shutil.copytree(run, tmp_path / run.parent.name / run.name))


def resumed(run: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return scrapy("crawl", "sitemap", "-a", f"resume={run}", "-s", "AUDIT_SPEED=full", *words)


def cut_short(run: Path) -> None:
    """Make a run look as a killed one does."""
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | {"status": "running", "finished": None}))


def manifest(run: Path) -> dict[str, object]:
    values: dict[str, object] = json.loads((run / "run.json").read_text())
    return values


def test_a_finished_run_is_left_alone(site: Site, whole: Audited) -> None:
    before = (whole.run.path / "run.json").read_bytes()
    done = resumed(whole.run.path)
    assert done.returncode == 0
    assert "is finished: there is nothing to resume." in done.stdout
    assert (whole.run.path / "run.json").read_bytes() == before
    assert not site.take_asked()


def test_it_exits_as_the_finished_run_did(whole: Audited) -> None:
    assert resumed(whole.run.path, "-s", "AUDIT_FAIL_ON=error").returncode == 1


def test_the_last_line_of_every_file_may_be_torn(site: Site, whole: Audited, own: Path) -> None:
    cut_short(own)
    for table in ("robots", "sitemaps", "entries", "pages", "findings"):
        file = ledger_file(own, table)
        file.write_bytes(file.read_bytes()[:-9])
    done = resumed(own)
    assert done.returncode == 0, done.stderr
    pages = [address for address in site.take_asked() if "/page/" in address]
    assert len(pages) <= 1
    assert datasets(own) == datasets(whole.run.path)
    assert manifest(own)["mended"] == {}


def test_damage_in_the_middle_is_told_and_mended(site: Site, whole: Audited, own: Path) -> None:
    for table in ("entries", "pages"):
        lines = ledger_file(own, table).read_bytes().splitlines(keepends=True)
        chosen = next(line for line in lines[10:] if b'/page/20"' in line)
        lines[lines.index(chosen)] = b"\0" * 40 + b"\n"
        ledger_file(own, table).write_bytes(b"".join(lines))
    told = scrapy("report", str(own))
    assert manifest(own)["damage"] == {"entries": 1, "pages": 1}
    said = "the log is damaged: lines that cannot be read, 1 of entries, 1 of pages"
    assert said in " ".join(told.stdout.split())
    assert manifest(own)["complete"] is False
    done = resumed(own)
    assert done.returncode == 0, done.stderr
    asked = site.take_asked()
    assert sum("/page/" in address for address in asked) == 1
    assert sum("/sitemap-" in address for address in asked) == 1
    assert manifest(own)["mended"] == {"entries": 1, "pages": 1}
    assert manifest(own)["damage"] == {}
    assert datasets(own) == datasets(whole.run.path)


def test_a_run_that_is_under_way_is_not_taken_over(site: Site, tmp_path: Path) -> None:
    process = start(tmp_path, f"site={site.origin}", DOWNLOAD_DELAY=1)
    run = begun(tmp_path, process)
    done, report = resumed(run), scrapy("report", str(run))
    assert kill(process)
    for each in (done, report):
        assert each.returncode == 2
        assert "is under way in another process." in each.stderr
        assert len(each.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_was_stopped_goes_on(
    site: Site, whole: Audited, tmp_path: Path, sent: signal.Signals
) -> None:
    site.take_asked()
    process = start(tmp_path, f"site={site.origin}", DOWNLOAD_DELAY=0.05)
    run = begun(tmp_path, process)
    at_work(run, process, 10_000)
    process.send_signal(sent)
    process.communicate()
    assert process.returncode == 3
    assert manifest(run)["status"] == "interrupted"
    finish(start(tmp_path, f"resume={run}", DOWNLOAD_DELAY=0))
    pages = {address: n for address, n in site.take_asked().items() if "/page/" in address}
    assert max(pages.values()) == 1
    assert datasets(run) == datasets(whole.run.path)


def test_a_disk_that_is_full_ends_the_run_and_loses_nothing(
    site: Site, whole: Audited, tmp_path: Path
) -> None:
    def allow_little() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    words = ["-a", f"site={site.origin}", "-s", f"AUDIT_DIR={tmp_path}", "-s", "AUDIT_SPEED=full"]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "sitemap", *words],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=allow_little,
    )
    assert done.returncode == 3
    assert "the log cannot be written: File too large; make room, and go on with" in done.stderr
    run = next(tmp_path.glob("*/*/run.json")).parent
    site.take_asked()
    finish(start(tmp_path, f"resume={run}"))
    assert datasets(run) == datasets(whole.run.path)


def test_a_sample_goes_on_as_the_same_sample(site: Site, tmp_path: Path) -> None:
    sample = {"site": site.origin, "pages": "40"}
    whole = crawl(tmp_path / "whole", sample).run.path
    run = Path(shutil.copytree(whole, tmp_path / "cut" / "site" / whole.name))
    cut_short(run)
    file = ledger_file(run, "pages")
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:15]))
    finish(start(tmp_path / "cut", f"resume={run}"))
    assert datasets(run) == datasets(whole)


def test_settings_are_those_of_the_run(site: Site, tmp_path: Path) -> None:
    run = crawl(tmp_path, {"site": site.origin}, {"AUDIT_MAX_URLS": "30"}).run.path
    verdicts = manifest(run)["verdicts"]
    cut_short(run)
    assert resumed(run).returncode == 3
    assert manifest(run)["verdicts"] == verdicts
    assert verdicts["unchecked"] > 100  # type: ignore[index]


def test_a_sitemap_that_changed_is_as_it_was_where_it_was_read(
    whole: Audited, site: Site, own: Path
) -> None:
    cut_short(own)
    last = b'/sitemap-7.xml"'
    for table in ("sitemaps", "entries"):
        lines = ledger_file(own, table).read_bytes().splitlines(keepends=True)
        kept = [line for line in lines if b'"sitemap":"' not in line or last not in line[:80]]
        ledger_file(own, table).write_bytes(b"".join(kept))
    site.urls += 8
    done = resumed(own)
    assert done.returncode == 0, done.stderr
    site.urls -= 8
    fresh = datasets(own)["urls"] - datasets(whole.run.path)["urls"]
    assert [json.loads(row)["url"] for row in fresh] == [f"{site.origin}/page/{URLS + 7}"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["-a", "resume=nowhere"],
            "resume: no run folder (one with run.json) at or below nowhere.",
        ),
        (["-a", "resume={run}", "-a", "pages=3"], "resume: the run goes on with its own arguments"),
    ],
)
def test_what_cannot_be_resumed_is_refused(whole: Audited, words: list[str], said: str) -> None:
    given = [word.format(run=whole.run.path) for word in words]
    done = scrapy("crawl", "sitemap", *given)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_lock_of_a_killed_process_is_open(whole: Audited) -> None:
    with (whole.run.path / "log" / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
