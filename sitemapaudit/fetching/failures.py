"""Requests without a usable response: an exception → an error and a description."""

import re
import ssl
from typing import Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from scrapy import exceptions
from twisted.internet import error as net

from sitemapaudit.items import ELSEWHERE, Error
from sitemapaudit.machine import causes


class NotInBuildError(Exception):
    """A build has no response for functions of the host and for other hosts."""


class NotOnStagingError(Exception):
    """Staging is audited, and does not have this host."""


TRANSIENT: Final = frozenset(
    {Error.DNS, Error.REFUSED, Error.RESET, Error.TIMEOUT, Error.TRUNCATED}
)
"""Errors that the next request may not have."""

_TLS: Final = (ssl.SSLError, ssl.CertificateError)
_PROXY: Final = (aiohttp.ClientHttpProxyError, aiohttp.ClientProxyConnectionError)
_ERRORS: Final[tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Error], ...]] = (
    (NotInBuildError, Error.NOT_IN_BUILD),
    (NotOnStagingError, Error.NOT_ON_STAGING),
    ((exceptions.IgnoreRequest, exceptions.StopDownload), Error.IGNORED),
    (_TLS, Error.TLS),
    (_PROXY, Error.REFUSED),
    (exceptions.CannotResolveHostError, Error.DNS),
    (exceptions.DownloadCancelledError, Error.TRUNCATED),
    (exceptions.DownloadTimeoutError, Error.TIMEOUT),
    (exceptions.ResponseDataLossError, Error.TRUNCATED),
    (exceptions.DownloadConnectionRefusedError, Error.REFUSED),
    ((HttpProcessingError, aiohttp.ClientResponseError, ValueError), Error.INVALID_HTTP),
    ((aiohttp.ClientConnectionError, OSError, net.ConnectionLost), Error.RESET),
    (exceptions.DownloadFailedError, Error.INVALID_HTTP),
)
"""Exceptions and their errors; the first match among an exception and its causes wins."""

_OF_NETWORK: Final = (*_TLS, aiohttp.ClientError, HttpProcessingError, net.ConnectionLost)

_DESCRIPTIONS: Final = {
    Error.DNS: "the host name cannot be resolved",
    Error.REFUSED: "the connection was refused",
    Error.RESET: "the connection was closed before a response",
    Error.TRUNCATED: "the response ended early",
    Error.INVALID_HTTP: "the response is not valid HTTP",
}

_TLS_OPTION: Final = re.compile(r" ssl:(?:<[^>]*>|\w+)(?= |$)")
"""A Python object in aiohttp's description of an error."""


def translate_error(error: Exception) -> Exception:
    """Return the exception of Scrapy that corresponds to one of aiohttp or of a socket."""
    match error:
        case TimeoutError():
            return exceptions.DownloadTimeoutError(str(error))
        case aiohttp.ClientConnectorDNSError():
            return exceptions.CannotResolveHostError(str(error))
        case aiohttp.ClientSSLError():
            return exceptions.DownloadFailedError(str(error))
        case aiohttp.ClientConnectorError():
            return exceptions.DownloadConnectionRefusedError(str(error))
        case aiohttp.ClientPayloadError():
            return exceptions.ResponseDataLossError(str(error))
        case _:
            return exceptions.DownloadFailedError(str(error))


def classify_error(exception: BaseException) -> Error:
    """Return the error of an exception; ``internal`` if it is not an exception of the network.

    The handler raises exceptions of Scrapy: one of Python comes from a component of the project.
    """
    if isinstance(exception, OSError | ValueError) and not isinstance(exception, _OF_NETWORK):
        return Error.INTERNAL
    found = list(causes(exception))
    for types, error in _ERRORS:
        if any(isinstance(cause, types) for cause in found):
            return error
    return Error.INTERNAL


def describe_error(exception: BaseException, error: Error, timeout: float) -> str:
    """Describe the error of an exception; ``timeout`` is in seconds."""
    if error is Error.TIMEOUT:
        return f"{timeout:g} seconds"
    if error is Error.TLS:
        return _describe_tls(exception) or "the handshake failed"
    if error in ELSEWHERE:
        return str(exception)
    if error is Error.IGNORED:
        return f"a component of the project ignored it ({type(exception).__name__}: {exception})"
    text = _TLS_OPTION.sub("", str(exception))
    return _DESCRIPTIONS.get(error) or f"{type(exception).__name__}: {text}"


def _describe_tls(exception: BaseException) -> str | None:
    """Return what is wrong with a certificate or a handshake, in the words of OpenSSL."""
    for cause in causes(exception):
        # aiohttp's errors inherit from these classes too, but lack their attributes.
        if message := getattr(cause, "verify_message", None):
            return str(message)
        if isinstance(cause, ssl.SSLError) and (reason := getattr(cause, "reason", None)):
            return str(reason).replace("_", " ").lower()
    return None
