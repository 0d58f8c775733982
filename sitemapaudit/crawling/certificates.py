"""Which certificate authorities are trusted, and why a certificate is not."""

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
from sitemapaudit.crawling.address_policy import AddressPolicy

_TIMEOUT: Final = 10.0
_BUNDLE: Final = "SSL_CERT_FILE"


def configure_trusted_authorities() -> None:
    """Set the bundle of authorities where OpenSSL would not find one.

    That is the bundle of the system if Python knows it, else Mozilla's: a slim container has
    none, and macOS and Windows keep theirs where the OpenSSL of the download handler does not
    look.
    """
    if os.environ.get(_BUNDLE) or os.environ.get("SSL_CERT_DIR"):
        return
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        os.environ[_BUNDLE] = paths.cafile
    elif not paths.capath or not any(Path(paths.capath).glob("*.0")):
        os.environ[_BUNDLE] = certifi.where()


async def explain_untrusted_certificate(url: str, policy: AddressPolicy) -> str | None:
    """Return what is wrong with the certificate of a URL's host; None if it cannot be determined.

    The download handler reports that verification failed, but not why. So this repeats the
    handshake for a host that failed, and verifies again. It sends no request.
    """
    host, port = urls.host(url), urls.port(url)
    with contextlib.suppress(OSError, TimeoutError):
        address = await _resolve(host, port, policy)
        if address is None:
            return None
        try:
            await asyncio.wait_for(_shake_hands(address, host, port), _TIMEOUT)
        except ssl.SSLCertVerificationError as error:
            return error.verify_message
    return None


async def _resolve(host: str, port: int, policy: AddressPolicy) -> str | None:
    loop = asyncio.get_running_loop()
    for *_, place in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        if policy.allows(host, port, str(place[0])):
            return str(place[0])
    return None


async def _shake_hands(address: str, host: str, port: int) -> None:
    context = ssl.create_default_context()
    _, writer = await asyncio.open_connection(address, port, ssl=context, server_hostname=host)
    writer.close()
