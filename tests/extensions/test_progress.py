"""The progress bar is drawn only on a terminal; the summary is always printed."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rich.progress
from scrapy import Spider
from scrapy.utils.test import get_crawler

from sitemapaudit import open_run
from sitemapaudit.extensions.progress import LOGGED_WAIT, Progress
from sitemapaudit.extensions.progress_bar import Counts
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.manifest import Manifest
from tests.plugins.interpreters.commands import own_environment
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import TIMEOUT, scrapy
from tests.support.paths import PROJECT
from tests.support.settings import RULES_OFF

pytestmark = pytest.mark.xdist_group("progress")


def run_on_terminal(words: list[str]) -> str:
    """Run a command with a terminal for output and log; return what it prints."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *words],
        cwd=PROJECT,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(follower)
    printed = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.close(leader)
    process.wait(timeout=TIMEOUT)
    return printed.decode(errors="replace")


def test_a_terminal_shows_progress_and_only_problems_of_the_log(tmp_path: Path) -> None:
    with Website("slow-pages") as website:
        words = ["crawl", "sitemap", "-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path}"]
        printed = run_on_terminal([*words, "-s", "AUDIT_SPEED=full", "-s", "CONCURRENT_REQUESTS=1"])
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", printed)
    assert re.search(r"\d of 4 URLs · ", plain)
    assert "findings" in plain
    assert "4 listed URLs" in plain
    assert "INFO" not in plain


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(7, "7 s"), (89, "89 s"), (90, "2 min"), (5_399, "90 min"), (7_300, "2 h")],
)
def test_the_time_left(seconds: int, text: str) -> None:
    """Ten URLs took ten seconds."""
    now = 0.0
    bar = rich.progress.Progress(get_time=lambda: now)
    task = bar.add_task("", total=11 + seconds)
    bar.update(task, completed=1)
    now = 10.0
    bar.update(task, completed=11, all_listed=True)
    assert Counts().render(bar.tasks[0]).plain.split(" · ")[2] == f"{text} left"
    bar.update(task, all_listed=False)
    assert f" · over {text} left" in Counts().render(bar.tasks[0]).plain


def test_without_a_terminal_only_the_summary_is_printed_and_the_folder_gets_the_log(
    tmp_path: Path,
) -> None:
    with Website("clean") as website:
        words = ["-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path}"]
        words += ["-s", "AUDIT_SPEED=full"]
        first = scrapy("crawl", "sitemap", *words)
        run = open_run(tmp_path).path
        second = scrapy("crawl", "sitemap", *words, "-s", "CLOSESPIDER_ITEMCOUNT=1", "-L", "INFO")
        stopped = open_run(tmp_path).path
        resumed = scrapy("crawl", "sitemap", "-a", f"resume={stopped}")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith(f"\n{website.origin}\n3 listed URLs in 1 sitemap\n")
    assert len(first.stdout.splitlines()) <= 20
    assert max(map(len, first.stdout.splitlines())) < 200
    printed = first.stdout + second.stdout + second.stderr
    assert "\x1b" not in printed
    assert "URLs · " not in printed
    log = (run / "crawl.log").read_text(encoding="utf-8")
    for line in ("Enabled extensions", "Spider opened", "Dumping Scrapy stats", "Spider closed"):
        assert log.count(line) == 1
        assert line in second.stderr
    assert (second.returncode, resumed.returncode, resumed.stderr) == (3, 0, "")
    # A resumed run appends to its log.
    assert (stopped / "crawl.log").read_text(encoding="utf-8").count("Spider opened") == 2


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Audit a website with control characters, and log everything."""
    with Website("hostile") as website:
        folder = tmp_path_factory.mktemp("hostile")
        return crawl(folder, {"site": website.origin}, {"LOG_LEVEL": "DEBUG"})


def test_the_log_level_can_be_set(hostile: Audited) -> None:
    assert "Crawled (200)" in hostile.log


def test_control_characters_of_a_site_are_not_printed(hostile: Audited) -> None:
    assert "\x1b" not in hostile.output
    assert "\x07" not in hostile.output


def run_with_closed_pipe(words: list[str], folder: Path, *, closed: str) -> int:
    """Run a command, close its output or its log, and return the exit status."""
    read = folder / "read"
    with read.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapy", *words],
            cwd=PROJECT,
            env=own_environment(),
            stdout=subprocess.PIPE if closed == "output" else file,
            stderr=subprocess.PIPE if closed == "log" else file,
        )
    pipe = process.stdout or process.stderr
    assert pipe is not None
    pipe.close()
    try:
        status = process.wait(timeout=TIMEOUT)
    finally:
        process.kill()
    assert "Traceback" not in read.read_text(encoding="utf-8")
    return status


@pytest.mark.parametrize("closed", ["output", "log"])
def test_an_audit_with_a_closed_pipe_ends_normally(tmp_path: Path, closed: str) -> None:
    with Website("clean") as website:
        words = ["-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path}"]
        words += ["-s", RULES_OFF, "-s", "AUDIT_SPEED=full"]
        assert run_with_closed_pipe(["crawl", "sitemap", *words], tmp_path, closed=closed) == 0
    assert (open_run(tmp_path).path / "report.html").is_file()


def test_a_command_with_a_closed_pipe_ends_normally(tmp_path: Path) -> None:
    assert run_with_closed_pipe(["rules"], tmp_path, closed="output") == 0


def test_without_a_terminal_what_draws_is_not_imported_before_the_crawl() -> None:
    script = (
        "import sys; import sitemapaudit.extensions.progress\n"
        "print([name for name in sys.modules if name.partition('.')[0] == 'rich'])"
    )
    words = [sys.executable, "-c", script]
    assert subprocess.check_output(words, text=True, cwd=PROJECT) == "[]\n"


def test_the_log_names_what_does_not_arrive_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = get_crawler()
    crawler.spider = spider = Spider("audit")
    run = AuditRun(tmp_path, "site", Manifest({}, {}, {}, ""))
    spider.run = run  # type: ignore[attr-defined]
    progress = Progress(crawler)
    silent = "https://www.example.com/robots.txt"
    short, long = (silent, LOGGED_WAIT - 1), (silent, LOGGED_WAIT)
    waits = iter([("", 0.0), short, long, (silent, 2 * LOGGED_WAIT)])
    run.longest_wait = waits.__next__
    for _ in range(4):
        progress.log_wait()
    assert caplog.messages == [f"Waiting for {silent}, which has not arrived for 10 seconds"]
