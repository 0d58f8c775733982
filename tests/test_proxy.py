"""An audit uses the proxies of the environment, with a tunnel for https, and respects no_proxy."""

import contextlib
import socket
import ssl
import threading
from pathlib import Path
from typing import Self

import trustme

from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from tests.support import crawl

HOST = "www.example.com"


def site(origin: str, path: str) -> Reply:
    """Return the replies of a site with one page."""
    if path == "/robots.txt":
        return Reply(f"Sitemap: {origin}/sitemap.xml\n", headers=[TEXT])
    if path == "/sitemap.xml":
        return xml(urlset([entry(f"{origin}/")]))
    return page("Home", canonical=f"{origin}/")


def reply_as_proxy(request: ServerRequest) -> Reply:
    """Return the replies of a proxy: the request contains the complete URL."""
    origin = f"http://{HOST}"
    return site(origin, request.path.removeprefix(origin))


class Tunnel:
    """A proxy that accepts CONNECT, and is also the host that the tunnel leads to."""

    def __init__(self, authority: trustme.CA) -> None:
        self.connects: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(HOST).configure_cert(self._context)
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
            reply = site(f"https://{HOST}", head.split(" ")[1])
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


def test_http_uses_the_proxy(tmp_path: Path) -> None:
    with Server(reply_as_proxy) as proxy:
        audited = crawl(
            tmp_path, {"site": f"http://{HOST}"}, environment={"http_proxy": proxy.origin}
        )
        urls = {place.removeprefix(HOST) for place in proxy.requests}
    assert audited.status == 0
    assert audited.findings() == []
    assert urls == {f"http://{HOST}{path}" for path in ("/robots.txt", "/sitemap.xml", "/")}


def test_https_uses_a_tunnel_and_verifies_the_certificate(tmp_path: Path) -> None:
    authority = trustme.CA()
    bundle = tmp_path / "authority.pem"
    authority.cert_pem.write_to_path(str(bundle))
    with Tunnel(authority) as proxy:
        trusting = {"https_proxy": proxy.url, "SSL_CERT_FILE": str(bundle)}
        audited = crawl(tmp_path, {"site": f"https://{HOST}"}, environment=trusting)
        distrusting = crawl(
            tmp_path / "distrusting",
            {"site": f"https://{HOST}"},
            {"RETRY_TIMES": "0"},
            environment={"https_proxy": proxy.url},
        )
    assert audited.status == 0
    assert audited.findings() == []
    assert set(proxy.connects) == {f"CONNECT {HOST}:443 HTTP/1.1"}
    assert distrusting.run.robots["error"].tolist() == ["tls"]


def test_no_proxy_is_respected(tmp_path: Path) -> None:
    with (
        Server(reply_as_proxy) as proxy,
        Server(lambda request: site(direct.origin, request.path)) as direct,
    ):
        audited = crawl(
            tmp_path,
            {"site": direct.origin},
            environment={"http_proxy": proxy.origin, "no_proxy": LOOPBACK},
        )
        assert not proxy.requests
    assert audited.run.urls["verdict"].tolist() == ["indexable"]


def test_the_password_of_a_proxy_is_not_written_to_files_or_the_log(tmp_path: Path) -> None:
    with Server(reply_as_proxy) as proxy:
        secret = proxy.origin.replace("//", "//someone:hush-hush@")
        audited = crawl(tmp_path, {"site": f"http://{HOST}"}, environment={"http_proxy": secret})
    assert audited.status == 0
    texts = [audited.log, audited.output]
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    texts += [file.read_bytes().decode("latin-1") for file in files]
    assert len(files) > 10
    assert not [text for text in texts if "hush-hush" in text]
