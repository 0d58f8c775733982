"""On a terminal there is a progress bar, without one there is none; the summary is there always."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitemapaudit import open_run
from tests.sites.website import Website
from tests.support import PROJECT, crawl, own_environment


def on_a_terminal(words: list[str]) -> str:
    """Run a command whose output and log are a terminal, and return what it shows."""
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
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    process.wait(timeout=60)
    return shown.decode(errors="replace")


def test_a_terminal_shows_how_far_it_is_and_what_goes_wrong(tmp_path: Path) -> None:
    with Website("slow-pages") as website:
        words = ["crawl", "sitemap", "-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path}"]
        shown = on_a_terminal([*words, "-s", "AUDIT_SPEED=full", "-s", "CONCURRENT_REQUESTS=1"])
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert re.search(r"\d of 4 URLs · ", plain)
    assert "findings" in plain
    assert "4 listed URLs" in plain
    assert "INFO" not in plain


def test_without_a_terminal_there_is_only_the_summary(tmp_path: Path) -> None:
    with Website("clean") as website:
        audited = crawl(tmp_path, {"site": website.origin})
    assert "\x1b" not in audited.output + audited.log
    assert "URLs · " not in audited.output + audited.log
    assert audited.output.startswith("\n3 listed URLs in 1 sitemap\n")
    assert len(audited.output.splitlines()) <= 40
    assert max(map(len, audited.output.splitlines())) < 200


def test_the_log_says_more_when_asked(tmp_path: Path) -> None:
    with Website("clean") as website:
        audited = crawl(tmp_path, {"site": website.origin}, {"LOG_LEVEL": "DEBUG"})
    assert "Crawled (200)" in audited.log


def test_control_characters_of_a_site_do_not_reach_the_terminal(tmp_path: Path) -> None:
    with Website("hostile") as website:
        audited = crawl(tmp_path, {"site": website.origin})
    assert "\x1b" not in audited.output
    assert "\x07" not in audited.output


def unread(words: list[str], folder: Path, *, closed: str) -> int:
    """Run a command of which nobody reads the output, or the log; return its exit status."""
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
        status = process.wait(timeout=60)
    finally:
        process.kill()
    assert "Traceback" not in read.read_text(encoding="utf-8")
    return status


@pytest.mark.parametrize("closed", ["output", "log"])
def test_an_audit_that_nobody_listens_to_ends_as_any_other(tmp_path: Path, closed: str) -> None:
    with Website("clean") as website:
        words = ["-a", f"site={website.origin}", "-s", f"AUDIT_DIR={tmp_path}"]
        assert unread(["crawl", "sitemap", *words], tmp_path, closed=closed) == 0
    assert (open_run(tmp_path).path / "report.html").is_file()


def test_a_command_may_be_read_in_part(tmp_path: Path) -> None:
    assert unread(["rules"], tmp_path, closed="output") == 0
