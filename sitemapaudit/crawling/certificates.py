"""Which certificates are trusted, and why one is not."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from pathlib import Path
from typing import Final

import certifi

from sitemapaudit import urls
from sitemapaudit.crawling.addresses import Allowance

_TIMEOUT: Final = 10.0
_BUNDLE: Final = "SSL_CERT_FILE"


def name_authorities() -> None:
    """Tell OpenSSL whom to trust where it would not find out by itself.

    That is the bundle of the system, where Python knows of it, or else that of
    Mozilla: a slim container has none, and those of macOS and Windows are in
    no place where the OpenSSL of the download handler looks.
    """
    if os.environ.get(_BUNDLE) or os.environ.get("SSL_CERT_DIR"):
        return
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        os.environ[_BUNDLE] = paths.cafile
    elif not paths.capath or not any(Path(paths.capath).glob("*.0")):
        os.environ[_BUNDLE] = certifi.where()


async def why_untrusted(url: str, allowance: Allowance) -> str | None:
    """Return what is wrong with the certificate of a URL's host; None if that cannot be told.

    The download handler tells that verification failed, and not why. So the
    handshake is made once more, for a host that failed, and verified again;
    nothing is asked for over it.
    """
    host, port = urls.host(url), urls.port(url)
    with contextlib.suppress(OSError, TimeoutError):
        address = await _address(host, port, allowance)
        if address is None:
            return None
        try:
            await asyncio.wait_for(_shake_hands(address, host, port), _TIMEOUT)
        except ssl.SSLCertVerificationError as error:
            return error.verify_message
    return None


async def _address(host: str, port: int, allowance: Allowance) -> str | None:
    loop = asyncio.get_running_loop()
    for *_, place in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        if allowance.admits(host, port, str(place[0])):
            return str(place[0])
    return None


async def _shake_hands(address: str, host: str, port: int) -> None:
    context = ssl.create_default_context()
    _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=host)
    writer.close()
