"""Workers fetch pages as one process does: as politely, with the same rows, settings and rules."""

import json
import os
import re
import ssl
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trustme

from sitemapaudit import open_run
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from sitemapaudit.runs.manifest import Manifest
from tests.plugins.interpreters.commands import Command, own_environment
from tests.runs.killing import finish, start, wait_for_run
from tests.support.commands import TIMEOUT, sitemapaudit
from tests.workers.running import WORKERS, children_of, wait_for_workers

pytestmark = pytest.mark.xdist_group("workers")

PAGES = 120
EARLY = 20
"""Pages that are answered before the workers are ready."""

DEAF_FOR = 40
"""Seconds in which a worker does not answer: its process must be ended before."""

ENDING_WITH_TEN = len(range(10, PAGES, 100))

LATER: dict[str, Any] = {"AUDIT_RESULTS": "later"}
"""The setting of an audit of which only the requests and the log matter."""

REFUSED = range(60, 62)
"""Numbers of the requests that are refused."""

PROJECT_FILES = {
    "scrapy.cfg": "[settings]\ndefault = shop.settings\n",
    "shop/__init__.py": "",
    "shop/settings.py": """
from sitemapaudit.settings import *

SPIDER_MODULES = ["sitemapaudit.spiders"]
AUDIT_SPEED = "full"
AUDIT_RULE_MODULES = "shop.rules"
DOWNLOADER_MIDDLEWARES = {"shop.middleware.Host": 500}
""",
    "shop/middleware.py": f"""
import os
import sys
import time


class Host:
    def process_request(self, request):
        request.headers["Host"] = "shop.example"


class Deaf:
    def process_request(self, request):
        if request.url.endswith("/{PAGES - 1}") and "workers" in sys.argv[0]:
            os.closerange(3, 100)  # The main process learns that nobody answers.
            time.sleep({DEAF_FOR})
""",
    "shop/rules/__init__.py": "",
    "shop/rules/raises_on_ten.py": """
from sitemapaudit.items import Page, Severity, Subject
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class RaisesOnTen(RowRule[Page]):
    \"\"\"Page ends with ten

    When: the URL of a page ends with 10.

    Why: It is a test.

    Fix: Nothing.
    \"\"\"

    subject = Subject.PAGE
    severity = Severity.NOTICE
    message = "is not ten"
    references = (PRACTICE,)

    def check(self, row):
        if row.url.endswith("10"):
            raise ValueError("ten")
        yield self.finding(row)
""",
}


class Shop(Server):
    """Answers each page after a moment, and notes how many it answers at once.

    Before it is ``open``, it answers only a few pages: workers are started while others wait.
    """

    def __init__(
        self,
        *,
        rules: str = "",
        refuses: bool = False,
        host: str = "",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(self._reply, tls=tls)
        self.times: list[float] = []
        self.refused_at: list[float] = []
        self.most = 0
        self.open = threading.Event()
        self._now = self._asked = 0
        self._rules = rules
        self._refuses = refuses
        self._host = host
        self._lock = threading.Lock()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"{self._rules}\nSitemap: {self.origin}/sitemap.xml", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset(entry(f"{self.origin}/page/{number}") for number in range(PAGES)))
        if self._host not in request.host:
            return Reply(status=403)
        with self._lock:
            self._asked += 1
            is_early = self._asked <= EARLY
        if not is_early:
            self.open.wait(TIMEOUT)
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            self.times.append(time.monotonic())
            refused = self._refuses and len(self.times) in REFUSED
            if refused:
                self.refused_at.append(time.monotonic())
        time.sleep(self._seconds(request.host))
        with self._lock:
            self._now -= 1
        if refused:
            return Reply(status=429, headers=[("Retry-After", "2")])
        secret = request.path.replace("page", "user:secret@example.com")
        return page(request.path, canonical=f"{self.origin}{request.path}", body=f"at {secret}")

    def _seconds(self, _: str) -> float:
        """Return how long a page of a host takes."""
        return 0.02


def audit(audits: Path, site: Shop, *arguments: str, **settings: Any) -> tuple[Path, str]:
    """Return the run folder and the log of an audit with two workers."""
    process = start(audits, f"site={site.origin}", f"workers={WORKERS}", *arguments, **settings)
    run = wait_for_run(audits, process)
    wait_for_workers(audits)
    site.open.set()
    finish(process)
    return run, (run / "crawl.log").read_text()


def audit_alone(audits: Path, site: Shop, **settings: Any) -> str:
    """Return the log of an audit that needs no worker, although it may have them."""
    site.open.set()
    process = start(audits, f"site={site.origin}", f"workers={WORKERS}", **LATER, **settings)
    run = wait_for_run(audits, process)
    finish(process)
    return (run / "crawl.log").read_text()


def fetched_by_workers(log: str) -> int:
    found = re.search(r"Workers fetched (\d+) pages", log)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(("limit", "is_secure"), [(2, False), (5, True)])
def test_workers_together_keep_to_the_limit_of_a_host(
    tmp_path: Path, limit: int, *, is_secure: bool
) -> None:
    """Workers trust the authorities of the environment, too."""
    tls, authority, bundle = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), trustme.CA(), tmp_path / "ca"
    authority.issue_cert(LOOPBACK).configure_cert(tls)
    authority.cert_pem.write_to_path(str(bundle))
    options: dict[str, Any] = {"CONCURRENT_REQUESTS_PER_DOMAIN": limit, "DOWNLOAD_DELAY": 0}
    environment = {**own_environment(), "SSL_CERT_FILE": str(bundle)}
    with Shop(tls=tls if is_secure else None) as shop:
        run, log = audit(tmp_path, shop, environment=environment, **options)
    # Half of the limit of each.
    assert limit - 1 <= shop.most <= limit
    assert fetched_by_workers(log) > PAGES / 2
    assert set(open_run(run).pages.status) == {200}


@pytest.mark.parametrize("limit", [3, 10])
def test_all_processes_together_keep_to_the_limit_of_requests(tmp_path: Path, limit: int) -> None:
    with Shop() as shop:
        _, log = audit(tmp_path, shop, **LATER, CONCURRENT_REQUESTS=limit, DOWNLOAD_DELAY=0)
    assert limit // 2 <= shop.most <= limit
    assert fetched_by_workers(log) > PAGES / 2


class Neighbors(Shop):
    """Two hosts, one of which answers slowly while the pages of the other go to workers."""

    slow = 0.3
    """Seconds that its pages take."""

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/sitemap.xml":
            hosts = (self.origin, self.origin.replace(LOOPBACK, "localhost"))
            urls = (f"{hosts[n % 2]}/page/{n}" for n in range(PAGES))
            return xml(urlset(map(entry, urls)))
        return super()._reply(request)

    def _seconds(self, host: str) -> float:
        return self.slow if host.startswith("localhost") else 0.02


NEIGHBORS: dict[str, Any] = {
    "CONCURRENT_REQUESTS": 8,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 6,
    "DOWNLOAD_DELAY": 0,
    "AUDIT_PRIVATE_HOSTS": "localhost",
}


@pytest.mark.parametrize("way", [{}, {"DOWNLOADER": "scrapy.core.downloader.Downloader"}])
def test_the_limit_of_requests_is_kept_when_workers_begin(
    tmp_path: Path, way: dict[str, str]
) -> None:
    with Neighbors() as shop:
        _, log = audit(tmp_path, shop, **LATER, **NEIGHBORS, **way)
    assert 4 <= shop.most <= 8
    assert fetched_by_workers(log) > 0


def test_pages_that_wait_for_workers_survive_them(tmp_path: Path) -> None:
    with Neighbors() as shop:
        shop.slow = 2
        process = start(tmp_path, f"site={shop.origin}", f"workers={WORKERS}", **NEIGHBORS)
        run = wait_for_run(tmp_path, process)
        wait_for_workers(tmp_path)
        shop.open.set()
        time.sleep(1)
        shop.slow = 0
        for worker in children_of(process):
            worker.kill()
        finish(process)
    log = (run / "crawl.log").read_text()
    assert log.count("A worker ended") == WORKERS
    assert set(open_run(run).pages.status) == {200}


def test_two_requests_at_once_need_no_worker(tmp_path: Path) -> None:
    with Shop() as shop:
        log = audit_alone(tmp_path, shop, CONCURRENT_REQUESTS=2, DOWNLOAD_DELAY=0)
    assert shop.most == 2
    assert not fetched_by_workers(log)


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("User-agent: *\nCrawl-delay: 0.01", {}),
        ("", {"DOWNLOAD_DELAY": 0.01}),
        ("", {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_MAX_DELAY": 0.01}),
    ],
    ids=["crawl-delay", "delay", "autothrottle"],
)
def test_a_rate_is_kept_by_one_process(
    tmp_path: Path, rules: str, settings: dict[str, Any]
) -> None:
    with Shop(rules=rules) as shop:
        log = audit_alone(tmp_path, shop, **settings)
    assert fetched_by_workers(log) == 0
    assert len(shop.times) == PAGES


def test_a_host_that_refuses_rests_in_all_processes(tmp_path: Path) -> None:
    with Shop(refuses=True) as shop:
        run, log = audit(tmp_path, shop)
    assert fetched_by_workers(log) > 0
    assert len(shop.times) == PAGES + len(REFUSED)
    for refused_at in shop.refused_at:
        later = [moment for moment in shop.times if moment > refused_at]
        assert later[-1] - refused_at > 2
    pages = open_run(run).pages
    assert set(pages.status) == {200}
    assert pages.retries.sum() == len(REFUSED)
    assert Manifest.read(run).refused == {"429": len(REFUSED)}


def audit_in_project(folder: Path, shop: Shop, *words: str) -> None:
    """Audit a shop in a project of a user, whose audits are in ``audits``."""
    for name, content in PROJECT_FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    arguments = ("-a", f"site={shop.origin}", "-a", f"workers={WORKERS}")
    process = Command(["crawl", "sitemap", *arguments, *words], prepare=partial(os.chdir, folder))
    wait_for_workers(folder / "audits")
    shop.open.set()
    finish(process)


def test_a_project_of_the_user_counts_in_workers(tmp_path: Path) -> None:
    with Shop(host="shop.example") as shop:
        audit_in_project(tmp_path, shop)
    run = open_run(tmp_path / "audits")
    log = (run.path / "crawl.log").read_text()
    assert fetched_by_workers(log) > 0
    assert set(run.pages.status) == {200}
    assert run.manifest.broken_rules == {"raises-on-ten": ENDING_WITH_TEN}
    assert (run.findings.rule == "raises-on-ten").sum() == PAGES - ENDING_WITH_TEN
    assert log.count("ValueError: ten") == ENDING_WITH_TEN
    # The rule does not check the pages again.
    run.path.joinpath("urls.parquet").unlink()
    assert sitemapaudit("report", str(run.path), cwd=tmp_path).returncode in (0, 1)
    assert Manifest.read(run.path).broken_rules == {"raises-on-ten": ENDING_WITH_TEN}


def test_pages_of_a_worker_that_answers_no_more_are_fetched_again(tmp_path: Path) -> None:
    """The other worker has answered everything before the process of the first one has ended."""
    started = time.monotonic()
    with Shop() as shop:
        middlewares = json.dumps({"shop.middleware.Deaf": 500})
        audit_in_project(tmp_path, shop, "-s", f"DOWNLOADER_MIDDLEWARES={middlewares}")
    run = open_run(tmp_path / "audits")
    assert run.manifest.complete
    assert time.monotonic() - started < DEAF_FOR, "the process was left behind"
    assert set(run.pages.status) == {200}


def test_other_pipelines_see_every_item(tmp_path: Path) -> None:
    feed = tmp_path / "pages.jsonl"
    with Shop() as shop:
        log = audit_alone(tmp_path, shop, FEEDS=json.dumps({str(feed): {"format": "jsonlines"}}))
    assert fetched_by_workers(log) == 0
    assert "One process fetches all pages" in log
    assert feed.read_text().count('"verdict"') >= PAGES


def test_ten_pages_need_no_worker(tmp_path: Path) -> None:
    with Shop() as shop:
        shop.open.set()
        process = start(tmp_path, f"site={shop.origin}", **LATER)
        run = wait_for_run(tmp_path, process)
        finish(process)
    assert fetched_by_workers((run / "crawl.log").read_text()) == 0
