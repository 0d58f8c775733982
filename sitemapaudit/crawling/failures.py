"""Why a request has no usable response: an exception → an error and a description."""

from __future__ import annotations

import logging
from typing import Any, Final

from OpenSSL import SSL
from scrapy import exceptions
from service_identity.exceptions import CertificateError, VerificationError
from twisted.internet import error as net

from sitemapaudit.crawling.private_api import MalformedChunkError, TunnelError
from sitemapaudit.items import Error

_ERRORS: Final[tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Error], ...]] = (
    ((SSL.Error, VerificationError, CertificateError), Error.TLS),
    (MalformedChunkError, Error.INVALID_HTTP),
    (exceptions.CannotResolveHostError, Error.DNS),
    (net.DNSLookupError, Error.DNS),
    (exceptions.DownloadTimeoutError, Error.TIMEOUT),
    (net.TimeoutError, Error.TIMEOUT),
    (exceptions.ResponseDataLossError, Error.TRUNCATED),
    (exceptions.DownloadConnectionRefusedError, Error.REFUSED),
    ((net.ConnectError, TunnelError), Error.REFUSED),
    ((net.ConnectionLost, net.ConnectionDone, net.ConnectionAborted), Error.RESET),
    (ValueError, Error.INVALID_HTTP),
    (exceptions.DownloadFailedError, Error.INVALID_HTTP),
)
"""The error of each exception; the first match among an exception and its causes wins."""

_DESCRIPTIONS: Final = {
    Error.DNS: "the host name cannot be resolved",
    Error.REFUSED: "the connection was refused",
    Error.RESET: "the connection was closed before a response",
    Error.TRUNCATED: "the response ended early",
    Error.INVALID_HTTP: "the response is not valid HTTP",
}


class CertificateFilter(logging.Filter):
    """Drops Twisted's traceback for each bad certificate: it is reported as a finding."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for a record about verifying a certificate."""
        return not record.getMessage().startswith("while verifying certificate")


def classify_error(exception: BaseException) -> Error:
    """Return the error of an exception; ``internal`` if the network does not raise it."""
    causes = list(_causes(exception))
    for types, error in _ERRORS:
        if any(isinstance(cause, types) for cause in causes):
            return error
    return Error.INTERNAL


def describe_error(exception: BaseException, error: Error, timeout: float) -> str:
    """Describe the error of an exception; ``timeout`` is in seconds."""
    if error is Error.TIMEOUT:
        return f"{timeout:g} seconds"
    if error is Error.TLS:
        return "; ".join(dict.fromkeys(_describe_tls(exception))) or "the handshake failed"
    return _DESCRIPTIONS.get(error) or f"{type(exception).__name__}: {exception}"


def _causes(exception: Any) -> list[Any]:
    """Return an exception and all causes of it, Twisted's ``reasons`` included."""
    found = [exception]
    for failure in getattr(exception, "reasons", None) or ():
        found += _causes(getattr(failure, "value", failure))
    if exception.__cause__ is not None:
        found += _causes(exception.__cause__)
    return found


def _describe_tls(exception: BaseException) -> list[str]:
    phrases: list[str] = []
    for cause in _causes(exception):
        if isinstance(cause, VerificationError | CertificateError):
            phrases.append("the certificate is for another host")
        elif isinstance(cause, SSL.Error) and cause.args and isinstance(cause.args[0], list):
            phrases += [parts[-1] for parts in cause.args[0] if parts]
    return phrases
