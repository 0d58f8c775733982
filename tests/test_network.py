"""Each failure of the network is a row with its own error, and the audit continues."""

import socket
import ssl
from datetime import datetime
from pathlib import Path

import pytest
import trustme

from sitemapaudit.crawling.fetcher import SKIPPABLE_BYTES
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from tests.support import Audited, crawl

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
}
ERRORS = {
    "/slow": "timeout",
    "/reset": "reset",
    "/closed": "reset",
    "/truncated": "truncated",
    "/garbage": "invalid-http",
    "/bad-length": "invalid-http",
    "/bad-chunk": "invalid-http",
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
    quick = {"DOWNLOAD_TIMEOUT": "1", "RETRY_TIMES": "0"}
    with site.server:
        return crawl(tmp_path, {"site": site.server.origin}, quick | settings)


def column(audited: Audited, name: str) -> dict[str, object]:
    """Return a column of the urls table by path."""
    urls = audited.run.urls
    paths = [url.partition("://")[2].partition("/")[2] for url in urls["url"]]
    return {f"/{path}": value for path, value in zip(paths, urls[name], strict=True)}


def test_each_failure_has_its_own_error(tmp_path: Path) -> None:
    audited = audit(tmp_path, Site([*BROKEN, "/fine"], BROKEN))
    assert audited.status == 0
    assert "Traceback" not in audited.log
    errors = column(audited, "error")
    assert {path: errors[path] for path in BROKEN} == ERRORS
    verdicts = column(audited, "verdict")
    assert {verdicts[path] for path in BROKEN} == {"unreachable"}
    assert verdicts["/fine"] == "indexable"
    rules = dict.fromkeys(BROKEN, "page-connection-error") | {"/slow": "page-timeout"}
    origin = audited.run.manifest.arguments["site"]
    assert audited.findings() == sorted((rule, origin + path) for path, rule in rules.items())


def test_failed_requests_are_retried_and_counted(tmp_path: Path) -> None:
    site = Site(["/down"], {"/down": Reply("down", 503, [HTML])})
    audited = audit(tmp_path, site, RETRY_TIMES="2")
    assert site.server.requests[f"{LOOPBACK}:{site.server.port}/down"] == 3
    assert audited.run.pages["retries"].tolist() == [2]


def test_a_run_that_fetches_no_page_ends_without_a_delay(tmp_path: Path) -> None:
    audited = crawl(tmp_path, {"site": f"http://{LOOPBACK}:9"}, {"RETRY_TIMES": "0"})
    assert audited.status == 3
    opened, closed = (
        datetime.fromisoformat(line[:19])
        for line in audited.log.splitlines()
        if "Spider opened" in line or "Closing spider" in line
    )
    # The engine of Scrapy checks every five seconds whether it is idle.
    assert (closed - opened).total_seconds() < 4


def test_a_host_that_refuses_connections(tmp_path: Path) -> None:
    with socket.socket() as dead:
        dead.bind((LOOPBACK, 0))
        address = f"http://{LOOPBACK}:{dead.getsockname()[1]}/page"
        hosts = f"{LOOPBACK}:{dead.getsockname()[1]}"
        audited = audit(tmp_path, Site([address], {}), AUDIT_PRIVATE_HOSTS=hosts)
    assert audited.run.urls["error"].tolist() == ["refused"]
    assert audited.findings() == [
        ("loc-scheme-mismatch", address),
        ("page-connection-error", address),
    ]


def test_a_host_that_does_not_exist(tmp_path: Path) -> None:
    audited = audit(tmp_path, Site(["http://nowhere.invalid/page"], {}))
    assert audited.run.urls["error"].tolist() == ["dns"]
    assert audited.findings() == [("page-connection-error", "http://nowhere.invalid/page")]


@pytest.mark.parametrize(
    ("identity", "trusted", "detail"),
    [
        (LOOPBACK, False, "unable to get local issuer certificate"),
        ("www.example.com", True, "mismatch"),
    ],
    ids=["unknown-authority", "another-host"],
)
def test_an_invalid_certificate(
    tmp_path: Path, identity: str, *, trusted: bool, detail: str
) -> None:
    authority = trustme.CA()
    with Server(lambda _: page("Secret"), tls=_context(authority, identity)) as server:
        site = Site([f"{server.origin}/page"], {})
        with site.server:
            audited = crawl(
                tmp_path,
                {"site": site.server.origin},
                {"AUDIT_PRIVATE_HOSTS": f"{LOOPBACK}:{server.port}"},
                _trusting(tmp_path, authority) if trusted else None,
            )
        assert not server.requests
    assert audited.run.urls["error"].tolist() == ["tls"]
    findings = audited.run.findings.set_index("rule")["message"]
    assert findings.keys().to_list() == ["page-tls-error", "loc-scheme-mismatch"]
    assert detail in findings["page-tls-error"]


def test_the_certificate_bundle_of_the_environment_is_trusted(tmp_path: Path) -> None:
    authority = trustme.CA()
    site = Site(["/1"], {}, _context(authority, LOOPBACK))
    with site.server:
        audited = crawl(
            tmp_path, {"site": site.server.origin}, environment=_trusting(tmp_path, authority)
        )
    assert audited.run.urls["verdict"].tolist() == ["indexable"]
    assert audited.findings() == []


def test_a_bare_host_name_falls_back_to_http(tmp_path: Path) -> None:
    site = Site(["/1"], {})
    with site.server:
        audited = crawl(tmp_path, {"site": f"{LOOPBACK}:{site.server.port}"})
    assert audited.status == 0
    assert audited.findings() == []


def _context(authority: trustme.CA, identity: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(identity).configure_cert(context)
    return context


def _trusting(folder: Path, authority: trustme.CA) -> dict[str, str]:
    bundle = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    return {"SSL_CERT_FILE": str(bundle)}


@pytest.mark.parametrize(
    "size", [0, 300, SKIPPABLE_BYTES, SKIPPABLE_BYTES + 1, 10 * SKIPPABLE_BYTES]
)
def test_skipping_a_body_repeats_no_other_request(tmp_path: Path, size: int) -> None:
    brochure = Reply(bytes(size), headers=[("Content-Type", "application/pdf")])
    brochures = [f"/{number}.pdf" for number in range(200)]
    pages = [f"/{number}" for number in range(200)]
    listed = [path for pair in zip(brochures, pages, strict=True) for path in pair]
    site = Site(listed, dict.fromkeys(brochures, brochure))
    audited = audit(tmp_path, site, DOWNLOAD_TIMEOUT="30", RETRY_TIMES="2")
    requests = site.server.requests
    assert {address: times for address, times in requests.items() if times > 1} == {}
    rows = audited.run.pages
    assert set(rows.loc[rows["url"].str.endswith(".pdf"), "bytes"]) == {size}
    assert set(rows["retries"]) == {0}
