"""The proxy of the browser: it lets through what the allowance admits, and nothing else."""

import asyncio
import http.client
import socket
import ssl
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

import pytest
import trustme

from sitemapaudit.crawling.addresses import Allowance
from sitemapaudit.demo.server import Asked, Reply, Server
from sitemapaudit.rendering.gate import LOOPBACK, Gate

T = TypeVar("T")


def through_gate(work: Callable[[int], T], *origins: str) -> T:
    """Do what blocks in a thread, while a gate serves that admits these origins."""

    async def both() -> T:
        gate = Gate()
        await gate.open(Allowance(origins))
        try:
            return await asyncio.to_thread(work, int(gate.address.rpartition(":")[2]))
        finally:
            await gate.close()

    return asyncio.run(both())


def ask(url: str) -> Callable[[int], tuple[int, bytes]]:
    """Return what asks the proxy at a port for a URL."""

    def asking(port: int) -> tuple[int, bytes]:
        with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=10)) as connection:
            connection.request("GET", url, headers={"Proxy-Connection": "keep-alive"})
            answer = connection.getresponse()
            return answer.status, answer.read()

    return asking


def echo(asked: Asked) -> Reply:
    return Reply(f"{asked.host} {asked.path}")


def test_what_is_admitted_passes() -> None:
    with Server(echo) as server:
        host = server.origin.removeprefix("http://")
        answer = through_gate(ask(f"{server.origin}/a?b=c"), server.origin)
        assert answer == (200, f"{host} /a?b=c".encode())
        assert through_gate(ask(server.origin), server.origin) == (200, f"{host} /".encode())


def test_what_is_not_admitted_does_not() -> None:
    with Server(echo) as server:
        assert through_gate(ask(f"{server.origin}/a"), "https://www.example.com") == (403, b"")
        assert server.asked == {}


def test_a_body_is_carried() -> None:
    with Server(lambda _: Reply(b"x" * 1_000_000)) as server:
        assert through_gate(ask(f"{server.origin}/a"), server.origin) == (200, b"x" * 1_000_000)


@pytest.mark.parametrize("admitted", [True, False])
def test_tunnels(admitted: bool) -> None:
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

        answer = through_gate(tunnel, *([server.origin] if admitted else []))
        if admitted:
            assert answer == f"{LOOPBACK}:{server.port} /a".encode()
        else:
            assert "403 Forbidden" in str(answer)


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
)
def test_nonsense_closes_the_connection_and_nothing_else(head: bytes) -> None:
    with Server(echo) as server:

        def send(port: int) -> tuple[bytes, tuple[int, bytes]]:
            with socket.create_connection((LOOPBACK, port), timeout=10) as connection:
                connection.sendall(head)
                connection.shutdown(socket.SHUT_WR)
                try:
                    answer = connection.recv(1_000)
                except ConnectionResetError:
                    answer = b""
            return answer, ask(server.origin)(port)

        answer, after = through_gate(send, server.origin)
        assert answer == b""
        assert after[0] == 200
