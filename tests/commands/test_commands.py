"""``scrapy crawl``: exit statuses, one sentence for each mistake, and runs that are stopped."""

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.hosts.names import UnknownHostError, find_first_addresses
from tests.plugins.interpreters.commands import Command
from tests.sites.website import Website
from tests.support.audits import crawl
from tests.support.commands import check_crawl, run_in_process, scrapy
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run

EXAMPLE = ["-a", "site=www.example.com"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([], "site"),
        (["-a", "sit=https://www.example.com"], "site"),
        (["-a", "site=https://www.example.com/sitemap.xml"], "use sitemap=https://www"),
        (
            ["-a", "site=https://www.example.com/docs/"],
            "use include=^https://www.example.com/docs/ ",
        ),
        (["-a", "url=www.example.com"], "url is unknown; did you mean site?"),
        (["-a", "domain=www.example.com"], "domain is unknown; did you mean site?"),
        (["-a", "start_urls=https://www.example.com"], "did you mean site?"),
        (["-a", "sitemaps=https://www.example.com/s.xml"], "did you mean sitemap?"),
        (["-a", "site=ftp://www.example.com"], "site"),
        (["-a", "site=https://user:secret@www.example.com"], "HTTPAUTH_USER"),
        (["-a", "sitemap=/sitemap.xml"], "sitemap: "),
        ([*EXAMPLE, "-a", "pages=some"], "pages"),
        ([*EXAMPLE, "-a", "pages=0"], "pages"),
        ([*EXAMPLE, "-a", "follow=links"], "follow"),
        ([*EXAMPLE, "-a", "include=("], "include"),
        ([*EXAMPLE, "-a", "since=yesterday"], "since"),
        ([*EXAMPLE, "-a", "shard=3/2"], "shard"),
        ([*EXAMPLE, "-a", "agent=Mozilla/5.0 (X11)"], "agent"),
        ([*EXAMPLE, "-s", "AUDIT_FAIL_ON=often"], "AUDIT_FAIL_ON"),
        ([*EXAMPLE, "-s", "AUDIT_DRI=x"], "AUDIT_DIR"),
        ([*EXAMPLE, "-s", "AUDIT_MEMORY=lots"], "AUDIT_MEMORY"),
        (
            [*EXAMPLE, "-s", 'AUDIT_RULES={"loc-mising": "off"}'],
            "loc-missing",
        ),
        ([*EXAMPLE, "-s", 'AUDIT_RULES={"lok-*": "off"}'], "there is no rule 'lok-*'"),
        (
            [*EXAMPLE, "-s", 'AUDIT_RULES={"loc-missing": "fatal"}'],
            "AUDIT_RULES",
        ),
    ],
)
def test_a_wrong_argument_is_one_sentence_and_status_2(words: list[str], name: str) -> None:
    check_sentence(check_crawl(*words), name)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ([*EXAMPLE, "-a", "pages=some"], "pages: 'some'"),
        ([*EXAMPLE, "-s", "AUDIT_DRI=x"], "AUDIT_DRI is unknown; did you mean AUDIT_DIR?"),
    ],
)
def test_a_wrong_argument_in_a_process_of_its_own(words: list[str], name: str) -> None:
    check_sentence(scrapy("crawl", "sitemap", *words), name)


def check_sentence(done: "subprocess.CompletedProcess[str]", name: str) -> None:
    """Check that a command refused to start, with one sentence that contains a name."""
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith((".\n", "?\n"))
    assert name in done.stderr


def test_a_wrong_argument_leaves_no_run_folder(tmp_path: Path) -> None:
    audited = crawl(tmp_path / "audits", {"site": "http://127.0.0.1:9", "pages": "x"})
    assert audited.status == 2
    assert not (tmp_path / "audits").exists()


def test_a_folder_that_cannot_be_written_is_one_sentence_before_the_first_request(
    tmp_path: Path,
) -> None:
    file = tmp_path / "audits"
    file.write_text("a file", encoding="utf-8")
    with Website("clean") as website:
        audited = crawl(file, {"site": website.origin})
    assert audited.status == 2
    assert audited.log == f"AUDIT_DIR: {file} cannot be written: Not a directory.\n"
    assert not website.requests()


@pytest.mark.parametrize(("fail_on", "status"), [("warning", 1), ("error", 0)])
def test_findings_as_severe_as_fail_on_give_status_1(
    tmp_path: Path, fail_on: str, status: int
) -> None:
    """Scrapyd gives each job the argument ``_job``, which does not matter."""
    with Website("repeats") as website:  # a warning and a notice
        arguments = {"site": website.origin, "_job": f"4711-{fail_on}"}
        audited = crawl(tmp_path, arguments, {"AUDIT_FAIL_ON": fail_on})
    assert audited.status == status
    assert audited.run.manifest.job == f"4711-{fail_on}"


def test_rules_can_be_switched_off_or_given_another_severity(tmp_path: Path) -> None:
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


def test_a_host_that_does_not_exist_is_a_sentence_and_status_3(tmp_path: Path) -> None:
    """A job of Scrapyd has a run folder all the same."""
    arguments = {"site": "http://nowhere.invalid,bare.invalid", "_job": "4711"}
    audited = crawl(tmp_path, arguments, {"RETRY_TIMES": "0"})
    assert audited.status == 3
    assert "no sitemap could be read" in audited.output
    assert "Traceback" not in audited.log
    assert audited.findings() == [
        ("audit-incomplete", ""),
        ("robots-unreachable", "http://nowhere.invalid/robots.txt"),
        ("robots-unreachable", "https://bare.invalid/robots.txt"),
    ]


def test_a_misspelled_host_is_a_sentence_and_leaves_no_folder(tmp_path: Path) -> None:
    audits = tmp_path / "audits"
    audited = crawl(audits, {"site": "http://nowhere.invalid"})
    assert audited.status == 3
    assert audited.output == "The host nowhere.invalid does not exist: check the spelling.\n"
    staged = crawl(audits, {"site": "www.example.com", "staging": "https://stage.invalid"})
    assert staged.output == "The host stage.invalid does not exist: check the spelling.\n"
    assert not audits.exists()
    with pytest.raises(UnknownHostError, match=r"None of the hosts a.invalid, b.invalid exists"):
        find_first_addresses(["http://a.invalid", "https://b.invalid:8"])
    found = find_first_addresses(["http://a.invalid", "http://127.0.0.1"])
    assert found == {"127.0.0.1": ["127.0.0.1"]}


class Endless:
    """A website with many slow pages."""

    def __init__(self, pages: int, delay: float) -> None:
        self.server = Server(self._reply)
        self._pages = pages
        self._delay = delay

    def wait_for(self, requests: int, process: Command) -> None:
        """Wait until a process has sent a number of requests."""
        while sum(self.server.requests.values()) < requests:
            assert process.poll() is None, "the audit ended too early"
            time.sleep(0.05)

    def _reply(self, request: ServerRequest) -> Reply:
        origin = self.server.origin
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset(entry(f"{origin}/{number}") for number in range(self._pages)))
        reply = page(f"Page {request.path}", canonical=origin + request.path)
        reply.delay = self._delay
        return reply


def start_audit(folder: Path, site: str) -> Command:
    """Start an audit, and do not wait for its end."""
    settings = ["-s", f"AUDIT_DIR={folder}", "-s", "AUDIT_SPEED=full"]
    return Command(["crawl", "sitemap", "-a", f"site={site}", *settings])


def test_a_run_that_is_stopped_leaves_a_readable_folder(tmp_path: Path) -> None:
    site = Endless(pages=20_000, delay=0.05)
    with site.server:
        process = start_audit(tmp_path, site.server.origin)
        site.wait_for(100, process)
        process.signal(signal.SIGTERM)
        assert process.wait(60) == 3
    run = open_run(tmp_path)
    assert run.manifest.status == "interrupted"
    assert "the run was stopped" in process.output
    checked = run.urls[run.urls["verdict"] == "indexable"]
    assert 50 < len(checked) < len(run.urls) < 20_000
    assert not run.sitemaps["complete"].all()
    assert run.manifest.unchecked_urls == len(run.urls) - len(checked)


def test_the_tables_of_a_killed_run_can_be_built(tmp_path: Path) -> None:
    site = Endless(pages=2_000, delay=0.05)
    with site.server:
        process = start_audit(tmp_path, site.server.origin)
        site.wait_for(100, process)
        process.signal(signal.SIGKILL)
        process.wait(60)
    with pytest.raises(FileNotFoundError, match="sitemapaudit report"):
        open_run(tmp_path)
    (folder,) = tmp_path.glob("*/*")
    assert json.loads((folder / "run.json").read_text())["status"] == "running"
    assert run_in_process("report", str(folder)).returncode == 3
    run = open_run(tmp_path)
    checked = run.urls[run.urls["verdict"] == "indexable"]
    assert len(checked) >= 50
    assert run.manifest.status == "interrupted"


def test_the_status_of_a_report_is_that_of_its_audit(tmp_path: Path) -> None:
    page = "https://www.example.com/"
    build_audited_run(tmp_path, [sitemap_of(listed(page)), listed(page), fetched_page(page, 404)])
    fails = ["--fail-on", "error"]
    for words, status in ((fails, 1), (["--fail-on", "never"], 0), ([*fails, "--exit-zero"], 0)):
        assert run_in_process("report", str(tmp_path), *words).returncode == status, words


def test_report_of_another_folder_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    done = scrapy("report", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no run folder" in done.stderr


def test_rules_that_failed_on_rows_are_still_reported_when_tables_are_rebuilt(
    tmp_path: Path,
) -> None:
    page = "https://www.example.com/"
    run = build_audited_run(tmp_path, [sitemap_of(listed(page)), listed(page), fetched_page(page)])
    run.manifest.broken_rules = {"canonical-missing": 2, "duplicate-content": 1}
    run.manifest.write(tmp_path)
    assert run_in_process("report", str(tmp_path)).returncode == 0
    assert open_run(tmp_path).manifest.broken_rules == {"canonical-missing": 2}
