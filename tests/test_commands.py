"""The commands: exit statuses, and one sentence for whatever the caller does wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Asked, Reply, Server
from tests.sites.website import Website
from tests.support import PROJECT, build_run, crawl, listed, scrapy


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], "site"),
        (["-a", "sit=https://www.example.com"], "site"),
        (["-a", "site=https://www.example.com/sitemap.xml"], "sitemap="),
        (["-a", "site=ftp://www.example.com"], "site"),
        (["-a", "site=https://user:secret@www.example.com"], "HTTPAUTH_USER"),
        (["-a", "sitemap=/sitemap.xml"], "sitemap"),
        (["-a", "site=www.example.com", "-a", "pages=some"], "pages"),
        (["-a", "site=www.example.com", "-a", "pages=0"], "pages"),
        (["-a", "site=www.example.com", "-a", "follow=links"], "follow"),
        (["-a", "site=www.example.com", "-a", "include=("], "include"),
        (["-a", "site=www.example.com", "-a", "since=yesterday"], "since"),
        (["-a", "site=www.example.com", "-a", "shard=3/2"], "shard"),
        (["-a", "site=www.example.com", "-a", "agent=Mozilla/5.0 (X11)"], "agent"),
        (["-a", "site=www.example.com", "-s", "AUDIT_FAIL_ON=often"], "AUDIT_FAIL_ON"),
        (["-a", "site=www.example.com", "-s", "AUDIT_DRI=x"], "AUDIT_DIR"),
        (["-a", "site=www.example.com", "-s", "AUDIT_MEMORY=lots"], "AUDIT_MEMORY"),
        (
            ["-a", "site=www.example.com", "-s", 'AUDIT_RULES={"loc-mising": "off"}'],
            "loc-missing",
        ),
        (
            ["-a", "site=www.example.com", "-s", 'AUDIT_RULES={"loc-missing": "fatal"}'],
            "AUDIT_RULES",
        ),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_status_2(words: list[str], named: str) -> None:
    done = scrapy("crawl", "sitemap", *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith(".\n")
    assert named in done.stderr


def test_a_wrong_argument_leaves_no_run_folder(tmp_path: Path) -> None:
    audited = crawl(tmp_path / "audits", {"site": "http://127.0.0.1:9", "pages": "x"})
    assert audited.status == 2
    assert not (tmp_path / "audits").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence_before_anything_is_asked_for(
    tmp_path: Path,
) -> None:
    taken = tmp_path / "audits"
    taken.write_text("a file", encoding="utf-8")
    with Website("clean") as website:
        audited = crawl(taken, {"site": website.origin})
    assert audited.status == 2
    assert audited.log == f"AUDIT_DIR: {taken} cannot be written: Not a directory.\n"
    assert not website.asked()


def test_arguments_of_scrapyd_are_accepted(tmp_path: Path) -> None:
    with Website("clean") as website:
        audited = crawl(tmp_path, {"site": website.origin, "_job": "4711"})
    assert audited.status == 0
    assert audited.run.manifest.job == "4711"


@pytest.mark.parametrize(
    ("fail_on", "status"), [("never", 0), ("notice", 1), ("warning", 1), ("error", 0)]
)
def test_findings_as_grave_as_fail_on_give_status_1(
    tmp_path: Path, fail_on: str, status: int
) -> None:
    with Website("repeats") as website:  # a warning and a notice
        audited = crawl(tmp_path, {"site": website.origin}, {"AUDIT_FAIL_ON": fail_on})
    assert audited.status == status


def test_rules_can_be_switched_off_and_weighed_otherwise(tmp_path: Path) -> None:
    rules = {"url-in-multiple-sitemaps": "off", "loc-duplicate": "error"}
    with Website("repeats") as website:
        audited = crawl(
            tmp_path,
            {"site": website.origin},
            {"AUDIT_FAIL_ON": "error", "AUDIT_RULES": json.dumps(rules)},
        )
    assert {rule for rule, _ in audited.findings()} == {"loc-duplicate"}
    assert audited.run.manifest.severities == {"error": 2}
    assert audited.status == 1


@pytest.mark.parametrize(
    ("site", "sentence"),
    [("http://nowhere.invalid", "no sitemap could be read"), ("nowhere.invalid", "no sitemap")],
)
def test_a_host_that_does_not_exist_is_a_sentence_and_status_3(
    tmp_path: Path, site: str, sentence: str
) -> None:
    audited = crawl(tmp_path, {"site": site}, {"RETRY_TIMES": "0"})
    assert audited.status == 3
    assert sentence in audited.output
    assert "Traceback" not in audited.log
    assert dict(audited.findings()).keys() == {"robots-unreachable"}


class Endless:
    """A website of many slow pages."""

    def __init__(self, pages: int, delay: float) -> None:
        self.server = Server(self._answer)
        self._pages = pages
        self._delay = delay

    def wait_for(self, requests: int, process: subprocess.Popen[str]) -> None:
        """Wait until a process has asked so many times."""
        while sum(self.server.asked.values()) < requests:
            assert process.poll() is None, "the audit ended too early"
            time.sleep(0.05)

    def _answer(self, asked: Asked) -> Reply:
        origin = self.server.origin
        if asked.path == "/robots.txt":
            return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
        if asked.path == "/sitemap.xml":
            return xml(urlset(entry(f"{origin}/{number}") for number in range(self._pages)))
        reply = page(f"Page {asked.path}", canonical=origin + asked.path)
        reply.delay = self._delay
        return reply


def begin(folder: Path, site: str) -> subprocess.Popen[str]:
    """Begin an audit, and do not wait for its end."""
    command = [sys.executable, "-m", "scrapy", "crawl", "sitemap", "-a", f"site={site}"]
    settings = ["-s", f"AUDIT_DIR={folder}", "-s", "AUDIT_SPEED=full"]
    return subprocess.Popen(
        command + settings,
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def test_a_run_that_is_stopped_leaves_a_readable_folder(tmp_path: Path) -> None:
    site = Endless(pages=20_000, delay=0.05)
    with site.server:
        process = begin(tmp_path, site.server.origin)
        site.wait_for(100, process)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    run = open_run(tmp_path)
    assert process.returncode == 3
    assert run.manifest.status == "interrupted"
    assert "the run was stopped" in output
    checked = run.urls[run.urls["verdict"] == "indexable"]
    assert 50 < len(checked) < len(run.urls) < 20_000
    assert not run.sitemaps["complete"].all()
    assert run.manifest.unchecked == len(run.urls) - len(checked)


def test_a_killed_run_says_how_its_tables_are_built(tmp_path: Path) -> None:
    site = Endless(pages=2_000, delay=0.05)
    with site.server:
        process = begin(tmp_path, site.server.origin)
        site.wait_for(100, process)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    with pytest.raises(FileNotFoundError, match="scrapy report"):
        open_run(tmp_path)
    (folder,) = tmp_path.glob("*/*")
    assert json.loads((folder / "run.json").read_text())["status"] == "running"
    reported = scrapy("report", str(folder))
    assert reported.returncode == 0
    run = open_run(tmp_path)
    answered = run.urls[run.urls["verdict"] == "indexable"]
    assert len(answered) >= 50
    assert run.manifest.status == "interrupted"


def test_rules_lists_the_catalogue_and_shows_pages() -> None:
    listing = scrapy("rules")
    assert listing.returncode == 0
    assert "page-not-found" in listing.stdout
    shown = scrapy("rules", "page-not-found")
    assert all(word in shown.stdout for word in ("When", "Why", "Fix", "Says who"))


def test_an_unknown_rule_is_one_sentence_and_status_2() -> None:
    done = scrapy("rules", "page-not-foun")
    assert done.returncode == 2
    assert "perhaps page-not-found is meant" in done.stderr


def test_report_of_something_else_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    done = scrapy("report", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no run folder" in done.stderr


def test_rules_that_failed_on_rows_are_still_named_when_tables_are_built_again(
    tmp_path: Path,
) -> None:
    run = build_run(tmp_path, [listed("https://www.example.com/")])
    run.manifest.broken_rules = {"canonical-missing": 2, "duplicate-content": 1}
    run.manifest.write(tmp_path)
    assert scrapy("report", str(tmp_path)).returncode == 0
    assert open_run(tmp_path).manifest.broken_rules == {"canonical-missing": 2}
