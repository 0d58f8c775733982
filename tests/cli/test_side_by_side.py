"""Audits of a list of sites in one process: each is the same as alone, and fails alone."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.runs.manifest import Manifest
from tests.plugins.interpreters.commands import Command, own_environment
from tests.runs.killing import read_rows
from tests.runs.site import Site
from tests.sites.website import Website
from tests.support.audits import crawl
from tests.support.commands import run_in_process, sitemapaudit

pytestmark = pytest.mark.xdist_group("side-by-side")

NAMES = ("repeats", "directives", "statuses")
DEAD = "http://127.0.0.1:9"
SETTINGS = ("--speed", "full", "--slow-seconds", "0", "-s", "RETRY_TIMES=1", "-s", "LOG_LEVEL=INFO")


@pytest.fixture(scope="module")
def websites() -> Iterator[dict[str, Website]]:
    with ExitStack() as stack:
        yield {name: stack.enter_context(Website(name)) for name in NAMES}


@pytest.fixture(scope="module")
def audited(
    websites: dict[str, Website], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, "subprocess.CompletedProcess[str]"]:
    """Audit the websites and one that does not answer; return the folder and the process."""
    folder = tmp_path_factory.mktemp("list")
    lines = [website.origin for website in websites.values()]
    lines[0] += " links=record"
    (folder / "sites.txt").write_text("\n".join([*lines, "", f"{DEAD}  # down"]), encoding="utf-8")
    words = ["audit", "--sites", "sites.txt", "--at-once", "3", *SETTINGS]
    return folder, sitemapaudit(*words, cwd=folder)


def run_of(folder: Path, origin: str) -> Run:
    name = origin.removeprefix("http://").replace(":", "-")
    return open_run(folder / "audits" / name)


def test_each_audit_is_the_same_as_alone(
    websites: dict[str, Website],
    audited: tuple[Path, "subprocess.CompletedProcess[str]"],
    tmp_path: Path,
) -> None:
    folder, done = audited
    assert "Traceback" not in done.stderr
    for name, website in websites.items():
        run = run_of(folder, website.origin)
        arguments = {"site": website.origin} | ({"links": "record"} if name == "repeats" else {})
        alone = crawl(tmp_path / name, arguments, {"RETRY_TIMES": "1"})
        assert run.manifest.complete
        assert read_rows(run.path) == read_rows(alone.run.path)


def test_each_log_is_about_one_audit(
    websites: dict[str, Website], audited: tuple[Path, "subprocess.CompletedProcess[str]"]
) -> None:
    folder, _ = audited
    origins = {website.origin for website in websites.values()}
    for origin in origins:
        log = (run_of(folder, origin).path / "crawl.log").read_text(encoding="utf-8")
        assert log.count("Phase: ") >= 3
        assert log.count("Spider closed") == 1
        assert not [other for other in origins - {origin} if other in log]


def test_a_site_that_fails_affects_no_other(
    websites: dict[str, Website], audited: tuple[Path, "subprocess.CompletedProcess[str]"]
) -> None:
    folder, done = audited
    assert done.returncode == 3
    assert not run_of(folder, DEAD).manifest.complete
    lines = set(re.findall(r"^(\S+)  (complete|incomplete)$", done.stdout, re.MULTILINE))
    complete = {(website.origin, "complete") for website in websites.values()}
    assert lines == complete | {(DEAD, "incomplete")}


def test_a_page_shows_the_fleet(audited: tuple[Path, "subprocess.CompletedProcess[str]"]) -> None:
    folder, done = audited
    assert "4 sites" in done.stdout
    page = (folder / "audits" / "fleet.html").read_text(encoding="utf-8")
    assert page.count("report.html") >= len(NAMES)


@pytest.mark.parametrize(
    ("lines", "words", "sentence"),
    [
        ("www.example.com pages", (), "line 1: 'pages' is not an argument such as pages=500.\n"),
        ("www.example.com page=3", (), "www.example.com: page is unknown; did you mean pages?\n"),
        ("# nothing", (), "the list contains no sites.\n"),
        (
            "www.example.com",
            ("www.example.org",),
            "audit: give a site, or --sites FILE for a list of sites.\n",
        ),
        (
            "www.example.com",
            ("-o", "pages.jsonl"),
            "audit: -o has no effect with --sites; use -s FEEDS.\n",
        ),
        (
            "www.example.com",
            ("-s", "DOWNLOAD_DELAI=3"),
            "DOWNLOAD_DELAI is unknown; did you mean DOWNLOAD_DELAY?\n",
        ),
        (
            "www.example.com",
            ("--at-once", "0"),
            "sitemapaudit audit: argument --at-once: 0 is not a whole number of at least 1.\n",
        ),
    ],
)
def test_a_mistake_is_one_sentence_before_anything_starts(
    tmp_path: Path, lines: str, words: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "sites.txt").write_text(lines, encoding="utf-8")
    done = run_in_process("audit", "--sites", str(tmp_path / "sites.txt"), *words)
    assert (done.returncode, done.stderr.replace("'0'", "0")) == (2, sentence)


def test_a_signal_stops_all_and_they_can_be_resumed(tmp_path: Path) -> None:
    with Site(60) as first, Site(60) as second, Site(60) as third:
        text = "\n".join(site.origin for site in (first, second, third))
        (tmp_path / "sites.txt").write_text(text, encoding="utf-8")
        words = ["audit", "--sites", "sites.txt", "--at-once", "2", "-s", "DOWNLOAD_DELAY=0.3"]
        command = Command(words, module="sitemapaudit", environment=own_environment(), cwd=tmp_path)
        while min(first.requests.total(), second.requests.total()) < 4:
            assert command.poll() is None, command.log
            time.sleep(0.05)
        command.signal(signal.SIGINT)
        assert command.wait(60) == 3
        assert "Traceback" not in command.log
        assert third.requests.total() == 0
        for site in (first, second):
            run = run_of(tmp_path, site.origin)
            manifest = Manifest.read(run.path)
            assert (manifest.status, manifest.reason) == ("interrupted", "the run was stopped")
            assert 0 < len(run.pages) < 60


def test_pages_are_rendered(websites: dict[str, Website], tmp_path: Path) -> None:
    names = ("repeats", "directives")
    text = "\n".join(websites[name].origin for name in names)
    (tmp_path / "sites.txt").write_text(text, encoding="utf-8")
    done = sitemapaudit("audit", "--sites", "sites.txt", "--render", "1", *SETTINGS, cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    for name in names:
        pages = run_of(tmp_path, websites[name].origin).pages
        assert pages["rendered_ended_at"].notna().sum() == 1
