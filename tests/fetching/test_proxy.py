"""An audit uses the proxies of the environment, with a tunnel for https, and respects no_proxy."""

import contextlib
import socket
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import pytest
import trustme

from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from sitemapaudit.urls import normalize
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("proxies")

HOST, SECURE_HOST = "www.example.com", "secure.example.com"
PRIVATE = (
    "http://169.254.169.254/latest",
    "http://0xa9fea9fe/hexadecimal",
    "http://2852039166/decimal",
    "http://[::ffff:169.254.169.254]/mapped",
    "http://[64:ff9b::a9fe:a9fe]/translated",
    "http://[fd00:ec2::254]/aws",
    "http://192.0.0.192/oracle",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata/short",
    "http://instance-data/latest",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1./",
    "http://[fc00::1]/local",
    "http://[fe80::1]/link",
    "http://127.0.0.2/",
    "http://2130706434/loopback",
    "http://0x7f.2/loopback-hexadecimal",
    "http://0177.0.0.2/loopback-octal",
    "http://127.2/short",
    "http://0/zero",
    "http://%31%32%37.0.0.2/escaped",
    "http://\uff11\uff127.0.0.2/wide",
    "http://[::1]:9/",
    "http://[::ffff:127.0.0.1]/mapped-loopback",
    "http://[::127.0.0.1]/compatible",
    "http://localhost/",
    "http://localhost./dot",
    "http://LocalHost/case",
    "http://www.localhost/below",
    "http://\u24dbocalhost/circled",
)
"""Private addresses in every notation, and names that are private wherever they are resolved."""


def site(origin: str, path: str, *others: str) -> Reply:
    """Return the replies of a site with one page, which lists other URLs too."""
    if path == "/robots.txt":
        return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
    if path == "/sitemap.xml":
        return xml(urlset(map(entry, (f"{origin}/", *others))))
    return page(f"Home of {origin}", canonical=f"{origin}/")


def reply_as_proxy(request: ServerRequest, *others: str) -> Reply:
    """Return the replies of a proxy: the request contains the complete URL."""
    origin = f"http://{HOST}"
    return site(origin, request.path.removeprefix(origin), *PRIVATE, *others)


class Tunnel:
    """A proxy that accepts CONNECT, and is also the host that the tunnel leads to."""

    def __init__(self, authority: trustme.CA) -> None:
        self.connects: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(SECURE_HOST).configure_cert(self._context)
        self._socket = socket.create_server((LOOPBACK, 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._tunnel, args=(connection,), daemon=True).start()

    def _tunnel(self, connection: socket.socket) -> None:
        self.connects.append(_head(connection).partition("\r\n")[0])
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with connection, contextlib.suppress(OSError):  # A client may refuse the certificate.
            secure = self._context.wrap_socket(connection, server_side=True)
            with secure:
                self._respond(secure)

    def _respond(self, connection: ssl.SSLSocket) -> None:
        while head := _head(connection):
            reply = site(f"https://{SECURE_HOST}", head.split(" ")[1])
            headers = "".join(f"{name}: {value}\r\n" for name, value in reply.headers)
            length = f"Content-Length: {len(reply.payload)}\r\n\r\n"
            connection.sendall(f"HTTP/1.1 200 OK\r\n{headers}{length}".encode() + reply.payload)


def _head(connection: socket.socket) -> str:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            break
        data += piece
    return data.decode()


@dataclass(frozen=True)
class ThroughProxies:
    """An audit of three sites: one by a proxy, one through a tunnel, and one without a proxy."""

    audited: Audited
    direct: str
    secrets: tuple[str, str]
    proxied: set[str]
    connects: set[str]

    def verdict(self, url: str) -> str:
        """Return the verdict on a listed URL."""
        return str(self.audited.run.urls.set_index("url").loc[url, "verdict"])


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def through_proxies(
    authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory
) -> ThroughProxies:
    folder = tmp_path_factory.mktemp("proxies")
    bundle = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    with (
        Server(lambda request: reply_as_proxy(request, *secrets)) as proxy,
        Tunnel(authority) as tunnel,
        Server(lambda request: site(direct.origin, request.path)) as direct,
    ):
        secrets = f"{proxy.origin}/secret", f"{tunnel.url}/secret"
        environment = {
            "http_proxy": proxy.origin.replace("//", "//someone:hush-hush@"),
            "https_proxy": tunnel.url,
            "no_proxy": LOOPBACK,
            "SSL_CERT_FILE": str(bundle),
        }
        sites = f"http://{HOST},https://{SECURE_HOST},{direct.origin}"
        audited = crawl(folder / "audits", {"site": sites}, environment=environment)
        asked = set(proxy.requests), set(tunnel.connects)
        return ThroughProxies(audited, direct.origin, secrets, *asked)


def test_http_uses_the_proxy(through_proxies: ThroughProxies) -> None:
    expected = {f"http://{HOST}{path}" for path in ("/robots.txt", "/sitemap.xml", "/")}
    assert {place.removeprefix(HOST) for place in through_proxies.proxied} == expected
    assert through_proxies.verdict(f"http://{HOST}/") == "indexable"


def test_https_uses_a_tunnel(through_proxies: ThroughProxies) -> None:
    assert through_proxies.connects == {f"CONNECT {SECURE_HOST}:443 HTTP/1.1"}
    assert through_proxies.verdict(f"https://{SECURE_HOST}/") == "indexable"


def test_no_proxy_is_respected(through_proxies: ThroughProxies) -> None:
    assert through_proxies.verdict(f"{through_proxies.direct}/") == "indexable"
    assert not [place for place in through_proxies.proxied if LOOPBACK in place]


def test_no_private_address_goes_to_a_proxy(through_proxies: ThroughProxies) -> None:
    urls = through_proxies.audited.run.urls.set_index("url")
    refused = (*PRIVATE, *through_proxies.secrets)
    errors = {url: urls.loc[str(normalize(url)), "error"] for url in refused}
    assert errors == dict.fromkeys(refused, "private-address")
    hosts = {place.removeprefix(HOST).split("/")[2] for place in through_proxies.proxied}
    assert hosts == {HOST}


def test_an_audit_through_proxies_finds_nothing_else(through_proxies: ThroughProxies) -> None:
    places = {place for _, place in through_proxies.audited.findings()}
    assert places <= {normalize(url) for url in (*PRIVATE, *through_proxies.secrets)}


def test_the_certificate_behind_a_tunnel_is_verified(authority: trustme.CA, tmp_path: Path) -> None:
    with Tunnel(authority) as tunnel:
        audited = crawl(
            tmp_path,
            {"site": f"https://{SECURE_HOST}"},
            {"RETRY_TIMES": "0"},
            environment={"https_proxy": tunnel.url},
        )
        assert tunnel.connects
    assert audited.run.robots["error"].tolist() == ["tls"]


def test_the_password_of_a_proxy_is_not_written_to_files_or_the_log(
    through_proxies: ThroughProxies,
) -> None:
    audited = through_proxies.audited
    texts = [audited.log, audited.output]
    files = [file for file in audited.audits.rglob("*") if file.is_file()]
    texts += [file.read_bytes().decode("latin-1") for file in files]
    assert len(files) > 10
    assert not [text for text in texts if "hush-hush" in text]
