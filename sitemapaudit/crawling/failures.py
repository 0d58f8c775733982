"""Why a request got no usable answer: an exception → one word and a sentence."""

from __future__ import annotations

import logging
from typing import Any, Final

from OpenSSL import SSL
from scrapy import exceptions
from scrapy.core.downloader.handlers.http11 import TunnelError
from service_identity.exceptions import CertificateError, VerificationError
from twisted.internet import error as net
from twisted.web.http import _MalformedChunkedDataError

from sitemapaudit.items import Error

_WORDS: Final[tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Error], ...]] = (
    ((SSL.Error, VerificationError, CertificateError), Error.TLS),
    (_MalformedChunkedDataError, Error.INVALID_HTTP),
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
"""What each exception means; the reasons within one are looked at in this order too."""

_SENTENCES: Final = {
    Error.DNS: "the host name cannot be resolved",
    Error.REFUSED: "the connection was refused",
    Error.RESET: "the connection was closed before an answer",
    Error.TRUNCATED: "the answer broke off before its end",
    Error.INVALID_HTTP: "what came back is not HTTP",
}


class CertificateFilter(logging.Filter):
    """Keeps Twisted from logging a traceback for each bad certificate: that is the site's fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return False for what is told as a finding already."""
        return not record.getMessage().startswith("while verifying certificate")


def error_of(exception: BaseException) -> Error:
    """Return the word for an exception; ``internal`` for one that the network does not raise."""
    reasons = list(_reasons(exception))
    for kinds, word in _WORDS:
        if any(isinstance(reason, kinds) for reason in reasons):
            return word
    return Error.INTERNAL


def detail_of(exception: BaseException, error: Error, timeout: float) -> str:
    """Return the same as a phrase."""
    if error is Error.TIMEOUT:
        return f"{timeout:g} seconds"
    if error is Error.TLS:
        return "; ".join(dict.fromkeys(_tls_phrases(exception))) or "the handshake failed"
    return _SENTENCES.get(error) or f"{type(exception).__name__}: {exception}"


def _reasons(exception: Any) -> list[Any]:
    """Return an exception with everything behind it: its cause, and Twisted's reasons."""
    found = [exception]
    for failure in getattr(exception, "reasons", None) or ():
        found += _reasons(getattr(failure, "value", failure))
    if exception.__cause__ is not None:
        found += _reasons(exception.__cause__)
    return found


def _tls_phrases(exception: BaseException) -> list[str]:
    phrases: list[str] = []
    for reason in _reasons(exception):
        if isinstance(reason, VerificationError | CertificateError):
            phrases.append("the certificate names another host")
        elif isinstance(reason, SSL.Error) and reason.args and isinstance(reason.args[0], list):
            phrases += [parts[-1] for parts in reason.args[0] if parts]
    return phrases
