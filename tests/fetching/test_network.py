"""Each failure of the network is a row with its own error, and the audit continues."""

import socket
import ssl
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import trustme

from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from sitemapaudit.fetching.body_download import SKIPPABLE_BYTES
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("network")

NOWHERE = "http://nowhere.invalid/page"
HTML = ("Content-Type", "text/html")
BROKEN = {
    "/slow": Reply(delay=20),
    "/reset": Reply(reset=True),
    "/closed": Reply(raw=b""),
    "/truncated": Reply("half", announced=1000, headers=[HTML]),
    "/garbage": Reply(raw=b"this is not HTTP\r\n\r\n"),
    "/bad-length": Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"),
    "/bad-chunk": Reply(
        raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: text/html\r\n\r\nzz\r\nx"
    ),
    "/no-last-chunk": Reply(
        raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: text/html\r\n\r\n4\r\nhalf\r\n"
    ),
}
ERRORS = {
    "/slow": "timeout",
    "/reset": "reset",
    "/closed": "reset",
    "/truncated": "truncated",
    "/garbage": "invalid-http",
    "/bad-length": "invalid-http",
    "/bad-chunk": "invalid-http",
    "/no-last-chunk": "truncated",
}


class Site:
    """A website that lists some addresses, and serves the given replies."""

    def __init__(
        self, listed: list[str], replies: dict[str, Reply], tls: ssl.SSLContext | None = None
    ) -> None:
        self.server = Server(self._reply, tls=tls)
        self._listed = listed
        self._replies = replies

    def _reply(self, request: ServerRequest) -> Reply:
        origin = self.server.origin
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            locs = [origin + path if path.startswith("/") else path for path in self._listed]
            return xml(urlset(map(entry, locs)))
        return self._replies.get(request.path) or page("Fine", canonical=origin + request.path)


def audit(tmp_path: Path, site: Site, **settings: str) -> Audited:
    with site.server:
        return crawl(tmp_path, {"site": site.server.origin}, {"RETRY_TIMES": "0"} | settings)


@dataclass(frozen=True)
class Failures:
    """An audit of a site with a page for each failure."""

    audited: Audited
    origin: str
    refused: str
    untrusted: str
    untrusted_requests: int

    def row(self, url: str) -> dict[str, Any]:
        """Return the row of a listed URL."""
        row = self.audited.run.urls.set_index("url").loc[url]
        return {str(name): value for name, value in row.items()}

    def messages(self, url: str) -> dict[str, str]:
        """Return the messages of the findings of a URL, by rule."""
        findings = self.audited.run.findings
        own = findings[findings["url"] == url]
        return dict(zip(own["rule"], own["message"], strict=True))


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> Failures:
    with (
        socket.socket() as dead,
        Server(lambda _: page("Secret"), tls=_context(trustme.CA(), LOOPBACK)) as untrusted,
    ):
        dead.bind((LOOPBACK, 0))
        hosts = [f"{LOOPBACK}:{port}" for port in (dead.getsockname()[1], untrusted.port)]
        refused, page_of_untrusted = f"http://{hosts[0]}/page", f"{untrusted.origin}/page"
        site = Site([*BROKEN, "/fine", refused, NOWHERE, page_of_untrusted], BROKEN)
        audited = audit(
            tmp_path_factory.mktemp("failures"),
            site,
            AUDIT_PRIVATE_HOSTS=",".join(hosts),
            DOWNLOAD_TIMEOUT="4",
        )
        requests = untrusted.requests.total()
        return Failures(audited, site.server.origin, refused, page_of_untrusted, requests)


def test_each_failure_is_a_row_and_the_audit_continues(failures: Failures) -> None:
    assert failures.audited.status == 0
    assert "Traceback" not in failures.audited.log
    assert failures.row(f"{failures.origin}/fine")["verdict"] == "indexable"
    own = {failures.origin + path: ["page-connection-error"] for path in BROKEN}
    expected = own | {
        f"{failures.origin}/slow": ["page-timeout"],
        failures.refused: ["loc-scheme-mismatch", "page-connection-error"],
        NOWHERE: ["loc-host-mismatch", "page-connection-error"],
        failures.untrusted: ["loc-scheme-mismatch", "page-tls-error"],
    }
    assert failures.audited.findings() == sorted(
        (rule, url) for url, rules in expected.items() for rule in rules
    )
    verdicts = failures.audited.run.urls["verdict"]
    assert (verdicts == "unreachable").sum() == len(verdicts) - 1


@pytest.mark.parametrize(("path", "error"), ERRORS.items())
def test_each_failure_has_its_own_error(failures: Failures, path: str, error: str) -> None:
    url = failures.origin + path
    rule = "page-timeout" if path == "/slow" else "page-connection-error"
    assert failures.row(url)["error"] == error
    assert failures.row(url)["verdict"] == "unreachable"
    assert failures.messages(url).keys() == {rule}


def test_a_host_that_refuses_connections(failures: Failures) -> None:
    assert failures.row(failures.refused)["error"] == "refused"
    assert failures.messages(failures.refused).keys() == {
        "loc-scheme-mismatch",
        "page-connection-error",
    }


def test_a_host_that_does_not_exist(failures: Failures) -> None:
    assert failures.row(NOWHERE)["error"] == "dns"
    assert failures.messages(NOWHERE).keys() == {"loc-host-mismatch", "page-connection-error"}


def test_a_certificate_of_an_unknown_authority(failures: Failures) -> None:
    assert failures.row(failures.untrusted)["error"] == "tls"
    messages = failures.messages(failures.untrusted)
    assert messages.keys() == {"page-tls-error", "loc-scheme-mismatch"}
    assert "unable to get local issuer certificate" in messages["page-tls-error"]
    assert not failures.untrusted_requests


def test_a_run_that_fetches_no_page_ends_without_a_delay(tmp_path: Path) -> None:
    def seconds_open(attempt: int) -> float:
        site, settings = f"http://{LOOPBACK}:9", {"RETRY_TIMES": "0"}
        audited = crawl(tmp_path / str(attempt), {"site": site}, settings)
        assert audited.status == 3
        opened, closed = (
            datetime.fromisoformat(line[:19])
            for line in audited.log.splitlines()
            if "Spider opened" in line or "Closing spider" in line
        )
        return (closed - opened).total_seconds()

    # The engine of Scrapy checks every five seconds whether it is idle.
    # A busy machine may exceed the limit once, a delay does so always.
    assert any(seconds_open(attempt) < 4 for attempt in range(3))


def test_an_invalid_certificate_does_not_affect_a_site_with_a_trusted_one(tmp_path: Path) -> None:
    """The bundle of the environment is trusted, but not for every host."""
    authority = trustme.CA()
    with Server(lambda _: page("Secret"), tls=_context(authority, "www.example.com")) as other:
        site = Site(["/1", f"{other.origin}/page"], {}, _context(authority, LOOPBACK))
        with site.server:
            audited = crawl(
                tmp_path,
                {"site": site.server.origin},
                {"AUDIT_PRIVATE_HOSTS": f"{LOOPBACK}:{other.port}"},
                _trusting(tmp_path, authority),
            )
        assert not other.requests
    urls = audited.run.urls.set_index("url")
    assert urls["verdict"].to_dict() == {
        f"{site.server.origin}/1": "indexable",
        f"{other.origin}/page": "unreachable",
    }
    assert urls.loc[f"{other.origin}/page", "error"] == "tls"
    findings = audited.run.findings
    assert set(findings["url"]) == {f"{other.origin}/page"}
    assert findings["rule"].tolist() == ["page-tls-error", "loc-scheme-mismatch"]
    assert "mismatch" in findings["message"][0]


def test_a_bare_host_name_falls_back_to_http_and_failed_requests_are_retried(
    tmp_path: Path,
) -> None:
    site = Site(["/1", "/down"], {"/down": Reply("down", 503, [HTML])})
    host = f"{LOOPBACK}:{site.server.port}"
    with site.server:
        audited = crawl(tmp_path, {"site": host}, {"RETRY_TIMES": "2"})
    assert audited.status == 0
    assert audited.findings() == [("page-server-error", f"{site.server.origin}/down")]
    pages = audited.run.pages.set_index("url")
    assert pages.loc[f"{site.server.origin}/1", "retries"] == 0
    assert pages.loc[f"{site.server.origin}/down", "retries"] == 2
    assert site.server.requests[f"{host}/down"] == 3


def _context(authority: trustme.CA, identity: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(identity).configure_cert(context)
    return context


def _trusting(folder: Path, authority: trustme.CA) -> dict[str, str]:
    bundle = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    return {"SSL_CERT_FILE": str(bundle)}


def test_skipping_a_body_repeats_no_other_request(tmp_path: Path) -> None:
    sizes = [0, 300, SKIPPABLE_BYTES, SKIPPABLE_BYTES + 1, 10 * SKIPPABLE_BYTES]
    brochures = {
        f"/{size}/{number}.pdf": Reply(bytes(size), headers=[("Content-Type", "application/pdf")])
        for size in sizes
        for number in range(100)
    }
    listed = [path for brochure in brochures for path in (brochure, brochure.removesuffix(".pdf"))]
    site = Site(listed, brochures)
    audited = audit(tmp_path, site, RETRY_TIMES="2", AUDIT_RECHECK="False")
    requests = site.server.requests
    assert {address: times for address, times in requests.items() if times > 1} == {}
    rows = audited.run.pages
    assert set(rows["retries"]) == {0}
    for size in sizes:
        own = rows[rows["url"].str.contains(f"/{size}/") & rows["url"].str.endswith(".pdf")]
        assert own["bytes"].tolist() == [size] * 100
