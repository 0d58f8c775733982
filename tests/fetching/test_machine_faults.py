"""A fault of this machine stops the audit, and is never a fault of the site."""

import errno
import resource
import socket
import socketserver
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.demo.server import LOOPBACK, Reply, ServerRequest
from sitemapaudit.machine import find_shortage
from sitemapaudit.runs.manifest import Status
from tests.fetching.isolated_site import ORIGIN, IsolatedSite, can_isolate
from tests.plugins.interpreters.commands import Command, own_environment
from tests.runs.killing import finish, start
from tests.runs.site import Site
from tests.support.commands import TIMEOUT

URLS = 80
FOREIGN = ("http://203.0.113.1/", "http://[2001:db8::1]/", "http://nowhere.example/")

isolated = pytest.mark.skipif(not can_isolate(), reason="networks can only be created by root")


class SlowSite(Site):
    """Answers so slowly that many connections are open at once."""

    def _reply(self, request: ServerRequest) -> Reply:
        reply = super()._reply(request)
        reply.delay = 0.1
        return reply


def stopped(audits: Path, process: Command) -> Run:
    """Return a run that a fault of this machine has stopped."""
    assert process.wait(TIMEOUT) == 3, process.log
    assert "Traceback" not in process.log
    run = open_run(audits)
    assert (run.manifest.status, run.manifest.complete) == (Status.INTERRUPTED, False)
    assert f"The audit is incomplete: {run.manifest.reason}." in unwrapped(process.output)
    assert f"To fix this: {run.manifest.remedy}." in unwrapped(process.output)
    assert f"resume={run.path}" in process.log
    for table in ("robots", "sitemaps", "pages"):
        assert run.sql(f"select * from {table} where error is not null").empty
    return run


def unwrapped(text: str) -> str:
    return " ".join(text.split())


def test_a_lack_of_descriptors_stops_the_audit(tmp_path: Path) -> None:
    with SlowSite(URLS) as site:
        process = start(
            tmp_path,
            f"site={site.origin}",
            limits={resource.RLIMIT_NOFILE: 60},
            CONCURRENT_REQUESTS=URLS,
            CONCURRENT_REQUESTS_PER_DOMAIN=URLS,
            RETRY_TIMES=0,
        )
        run = stopped(tmp_path, process)
        assert run.manifest.reason == "this machine failed: Too many open files"
        assert run.manifest.remedy == "raise the limit of open files (ulimit -n)"
        finish(start(tmp_path, f"resume={run.path}"))
    run = open_run(tmp_path)
    assert len(run.urls) == URLS
    assert not {"unreachable", "unchecked"} & set(run.urls["verdict"])


@isolated
def test_a_network_that_is_gone_stops_the_audit(tmp_path: Path) -> None:
    site = IsolatedSite(tmp_path, pages=URLS, last=URLS // 2)
    words = (f"site={ORIGIN}", "workers=2")
    process = start(tmp_path / "audits", *words, prepare=site, DOWNLOAD_TIMEOUT=2)
    run = stopped(tmp_path / "audits", process)
    reason = "this machine has no route to localhost: Network is unreachable"
    assert run.manifest.reason == reason
    assert 0 < len(run.pages) < URLS
    assert set(run.pages["verdict"]) == {"indexable"}


@isolated
def test_hosts_without_a_route_do_not_stop_the_audit_of_a_site_that_answers(
    tmp_path: Path,
) -> None:
    process = start(
        tmp_path / "audits",
        f"site={ORIGIN}",
        prepare=IsolatedSite(tmp_path, pages=1, others=FOREIGN),
        RETRY_TIMES=0,
    )
    assert process.wait(TIMEOUT) == 0, process.log
    verdicts = open_run(tmp_path / "audits").urls.set_index("url")["verdict"].to_dict()
    assert verdicts == dict.fromkeys(FOREIGN, "unreachable") | {f"{ORIGIN}/0": "indexable"}


@isolated
def test_a_resolver_that_answers_nobody_stops_the_audit(tmp_path: Path) -> None:
    site = IsolatedSite(tmp_path)
    process = start(tmp_path / "audits", "site=http://www.example.org", prepare=site)
    run = stopped(tmp_path / "audits", process)
    assert run.manifest.reason == "the DNS resolver of this machine answers no query"
    assert run.pages.empty


def test_a_proxy_that_does_not_respond_stops_the_audit(tmp_path: Path) -> None:
    environment = own_environment() | {"http_proxy": f"http://{LOOPBACK}:9"}
    words = ["-s", f"AUDIT_DIR={tmp_path}", "-a", "site=http://www.example.org"]
    run = stopped(tmp_path, Command(["crawl", "sitemap", *words], environment=environment))
    assert run.manifest.remedy == "check the proxy"


class Fading(socketserver.ThreadingTCPServer):
    """Answers for five pages; then nothing, and ``drops`` new connections as a firewall does."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 50

    def __init__(self, place: tuple[str, int], *, drops: bool | None) -> None:
        super().__init__(place, FadingHandler)
        self.drops = drops
        self.left = 5
        self.origin = f"http://{LOOPBACK}:{self.server_address[1]}"
        self._waiting: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        for each in self._waiting:
            each.close()

    def fill_queue(self) -> None:
        """Let the system drop what arrives: it does so if nobody accepts connections."""
        self.shutdown()
        for _ in range(self.request_queue_size + 5):
            waiting = socket.socket()
            waiting.setblocking(False)
            waiting.connect_ex(self.server_address)
            self._waiting.append(waiting)

    def respond(self, path: str) -> str | None:
        if path == "/robots.txt":
            return f"Sitemap: {self.origin}/sitemap.txt"
        if path == "/sitemap.txt":
            return "\n".join(f"{self.origin}/{number}" for number in range(40))
        self.left -= self.drops is not None
        if self.left == 0 and self.drops:
            self.fill_queue()
        return "<!doctype html><title>A</title>a" if self.left >= 0 else None


class FadingHandler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, Fading)
        while words := self.rfile.readline().split():
            while self.rfile.readline() != b"\r\n":
                pass
            body = self.server.respond(words[1].decode())
            if body is None:
                time.sleep(5)
                return
            kind = "html" if body.startswith("<") else "plain"
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/{kind}\r\nContent-Length: {len(body)}"
            self.wfile.write(f"{head}\r\n\r\n{body}".encode())


def start_fading(audits: Path, *words: str) -> Command:
    return start(
        audits,
        *words,
        DOWNLOAD_TIMEOUT=1,
        RETRY_TIMES=0,
        CONCURRENT_REQUESTS=40,
        CONCURRENT_REQUESTS_PER_DOMAIN=40,
    )


def test_if_no_host_that_responded_accepts_connections_the_audit_stops(tmp_path: Path) -> None:
    with Fading((LOOPBACK, 0), drops=True) as site:
        process = start_fading(tmp_path, f"site={site.origin}")
        assert process.wait(TIMEOUT) == 3, process.log
        place = (LOOPBACK, int(site.server_address[1]))
    run = open_run(tmp_path)
    assert run.manifest.status is Status.INTERRUPTED
    silent = "at least 10 requests in a row timed out, and 127.0.0.1 does not accept a connection"
    assert run.manifest.reason == f"{silent} any more"
    assert "network of this machine" in (run.manifest.remedy or "")
    with Fading(place, drops=None):
        assert start(tmp_path, f"resume={run.path}").wait(TIMEOUT) == 0
    assert "unreachable" not in set(open_run(tmp_path).urls["verdict"])


def test_pages_that_time_out_do_not_stop_the_audit_of_a_host_that_accepts_connections(
    tmp_path: Path,
) -> None:
    with Fading((LOOPBACK, 0), drops=False) as site:
        process = start_fading(tmp_path, f"site={site.origin}")
        assert process.wait(TIMEOUT) == 0, process.log
    assert Counter(open_run(tmp_path).urls["verdict"])["unreachable"] == 35


def test_a_regular_expression_without_end_stops_the_audit(tmp_path: Path) -> None:
    slow = "(?=h)(?:.|[^!])*[!?]"
    with Site(1) as site:
        run = stopped(tmp_path, start(tmp_path, f"site={site.origin}", f"exclude={slow}"))
    assert run.manifest.reason == f"the regular expression {slow} takes too long"


def _shortages() -> Iterator[Exception]:
    for number in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS):
        yield OSError(number, "refused")
    for number in (errno.EACCES, errno.EIO, errno.ENOSPC):
        yield OSError(number, "refused", "robots.jsonl")
    yield MemoryError()
    yield RuntimeError("can't start new thread")


@pytest.mark.parametrize("error", [*_shortages()], ids=repr)
def test_a_shortage_is_found_behind_other_errors(error: Exception) -> None:
    wrapping = ValueError("a page could not be read")
    wrapping.__cause__ = error
    assert find_shortage(wrapping) == find_shortage(error) is not None


@pytest.mark.parametrize("number", [errno.EACCES, errno.ECONNREFUSED, errno.ENETUNREACH])
def test_the_failure_of_a_connection_is_not_a_shortage(number: int) -> None:
    assert find_shortage(OSError(number, "refused")) is None
