"""Failures of the network: each ends as a row with its own error, and the rest goes on."""

import socket
import ssl
from pathlib import Path

import pytest
import trustme

from sitemapaudit.crawling.fetching import SPARED
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Asked, Reply, Server
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
    """A website that lists some addresses, and answers them as it is told."""

    def __init__(
        self, listed: list[str], replies: dict[str, Reply], tls: ssl.SSLContext | None = None
    ) -> None:
        self.server = Server(self._answer, tls=tls)
        self._listed = listed
        self._replies = replies

    def _answer(self, asked: Asked) -> Reply:
        origin = self.server.origin
        if asked.path == "/robots.txt":
            return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
        if asked.path == "/sitemap.xml":
            locs = [origin + path if path.startswith("/") else path for path in self._listed]
            return xml(urlset(map(entry, locs)))
        return self._replies.get(asked.path) or page("Fine", canonical=origin + asked.path)


def audit(tmp_path: Path, site: Site, **settings: str) -> Audited:
    quick = {"DOWNLOAD_TIMEOUT": "1", "RETRY_TIMES": "0"}
    with site.server:
        return crawl(tmp_path, {"site": site.server.origin}, quick | settings)


def column(audited: Audited, name: str) -> dict[str, object]:
    """Return a column of the urls table by path."""
    urls = audited.run.urls
    paths = [url.partition("://")[2].partition("/")[2] for url in urls["url"]]
    return {f"/{path}": value for path, value in zip(paths, urls[name], strict=True)}


def test_each_failure_has_its_own_error_and_the_rest_goes_on(tmp_path: Path) -> None:
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


def test_what_fails_is_asked_for_again_and_the_times_are_counted(tmp_path: Path) -> None:
    site = Site(["/down"], {"/down": Reply("down", 503, [HTML])})
    audited = audit(tmp_path, site, RETRY_TIMES="2")
    asked = site.server.asked[f"{LOOPBACK}:{site.server.port}/down"]
    assert asked == 3
    assert audited.run.pages["retries"].tolist() == [2]


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
)
def test_a_certificate_that_is_not_to_be_trusted(
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
        assert not server.asked
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


def test_a_bare_host_name_is_asked_by_http_where_https_does_not_connect(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("size", [0, 300, SPARED, SPARED + 1, 10 * SPARED])
def test_what_is_not_downloaded_costs_no_other_page_a_second_request(
    tmp_path: Path, size: int
) -> None:
    brochure = Reply(bytes(size), headers=[("Content-Type", "application/pdf")])
    brochures = [f"/{number}.pdf" for number in range(200)]
    pages = [f"/{number}" for number in range(200)]
    listed = [path for pair in zip(brochures, pages, strict=True) for path in pair]
    site = Site(listed, dict.fromkeys(brochures, brochure))
    audited = audit(tmp_path, site, DOWNLOAD_TIMEOUT="30", RETRY_TIMES="2")
    asked = {path.rpartition("/")[2]: times for path, times in site.server.asked.items()}
    assert {path: times for path, times in asked.items() if times > 1} == {}
    rows = audited.run.pages
    assert set(rows.loc[rows["url"].str.endswith(".pdf"), "bytes"]) == {size}
    assert set(rows["retries"]) == {0}
