"""The proxy of the browser connects only to what the address policy allows."""

import asyncio
import http.client
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

import pytest
import trustme

from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.rendering.browser_proxy import LOOPBACK, BrowserProxy

T = TypeVar("T")


def run_with_proxy(work: Callable[[int], T], *origins: str) -> T:
    """Run blocking work with the port of a proxy that allows these origins."""

    async def serve() -> T:
        proxy = BrowserProxy()
        await proxy.open(AddressPolicy(origins))
        try:
            return await asyncio.to_thread(work, int(proxy.url.rpartition(":")[2]))
        finally:
            await proxy.close()

    return asyncio.run(serve())


def get(url: str) -> Callable[[int], tuple[int, bytes]]:
    """Return a function that requests a URL from the proxy at a port."""

    def request(port: int) -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=10)) as connection:
            connection.request("GET", url, headers={"Proxy-Connection": "keep-alive"})
            response = connection.getresponse()
            return response.status, response.read()

    return request


def echo(request: ServerRequest) -> Reply:
    return Reply(f"{request.host} {request.path}")


def test_an_allowed_request_is_forwarded() -> None:
    with Server(echo) as server:
        host = server.origin.removeprefix("http://")
        response = run_with_proxy(get(f"{server.origin}/a?b=c"), server.origin)
        assert response == (200, f"{host} /a?b=c".encode())
        assert run_with_proxy(get(server.origin), server.origin) == (200, f"{host} /".encode())


def test_a_forbidden_request_is_refused() -> None:
    with Server(echo) as server:
        assert run_with_proxy(get(f"{server.origin}/a"), "https://www.example.com") == (403, b"")
        assert server.requests == {}


def test_a_large_body_is_forwarded() -> None:
    with Server(lambda _: Reply(b"x" * 1_000_000)) as server:
        assert run_with_proxy(get(f"{server.origin}/a"), server.origin) == (200, b"x" * 1_000_000)


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "forbidden"])
def test_a_tunnel_needs_permission(allowed: bool) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(LOOPBACK).configure_cert(context)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    with Server(echo, tls=context) as server:

        def tunnel(port: int) -> bytes | str:
            connection = http.client.HTTPSConnection(LOOPBACK, port, timeout=10, context=trust)
            connection.set_tunnel(LOOPBACK, server.port)
            with closing(connection):
                try:
                    connection.request("GET", "/a")
                except OSError as error:
                    return str(error)
                return connection.getresponse().read()

        result = run_with_proxy(tunnel, *([server.origin] if allowed else []))
        if allowed:
            assert result == f"{LOOPBACK}:{server.port} /a".encode()
        else:
            assert "403 Forbidden" in str(result)


def test_a_proxy_of_the_user_gets_requests_and_tunnels(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []

    def reply(request: ServerRequest) -> Reply:
        lines.append(request.path)
        return Reply("from the proxy")

    with Server(reply) as server:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, server.origin.replace("//", "//someone:hush@"))
        monkeypatch.delenv("no_proxy", raising=False)
        url = "http://www.example.com/a?b=c"
        assert run_with_proxy(get(url)) == (200, b"from the proxy")
        assert lines == [url]

        def tunnel(port: int) -> bytes:
            with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
                connection.sendall(b"CONNECT www.example.com:443 HTTP/1.1\r\n\r\n")
                return connection.recv(1_000)

        assert b" 501 " in run_with_proxy(tunnel)  # The answer of the proxy of the user.


@pytest.mark.parametrize("no_proxy", ["", LOOPBACK])
def test_no_private_address_is_given_to_a_proxy_of_the_user(
    monkeypatch: pytest.MonkeyPatch, no_proxy: str
) -> None:
    with Server(echo) as proxy, Server(echo) as canary:
        monkeypatch.setenv("http_proxy", proxy.origin)
        monkeypatch.setenv("no_proxy", no_proxy)
        for url in (f"{canary.origin}/a", "http://169.254.169.254/b", "http://[::1]/c"):
            assert run_with_proxy(get(url)) == (403, b"")
        assert (dict(proxy.requests), dict(canary.requests)) == ({}, {})


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"GET /path HTTP/1.1\r\n\r\n",
        b"GET http://[bad HTTP/1.1\r\n\r\n",
        b"GET http://host:99999/ HTTP/1.1\r\n\r\n",
        b"CONNECT nowhere.invalid:443 HTTP/1.1\r\n\r\n",
        b"GET http://" + b"a" * 70_000,
        b"half of a head",
    ],
    ids=[
        "empty", "no-url", "file-url", "no-host", "invalid-host", "invalid-port", "unknown-host",
        "too-long", "incomplete",
    ],
)  # fmt: skip
def test_an_invalid_request_closes_only_its_connection(head: bytes) -> None:
    with Server(echo) as server:

        def send(port: int) -> tuple[bytes, tuple[int, bytes]]:
            with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
                connection.sendall(head)
                connection.shutdown(socket.SHUT_WR)
                try:
                    response = connection.recv(1_000)
                except ConnectionResetError:
                    response = b""
            return response, get(server.origin)(port)

        response, after = run_with_proxy(send, server.origin)
        assert response == b""
        assert after[0] == 200
