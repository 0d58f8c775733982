"""Which certificate authorities are trusted."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Final

import certifi

_BUNDLE: Final = "SSL_CERT_FILE"


@contextmanager
def loaded_by_a_thread() -> Iterator[None]:
    """Let a thread load the certificates of contexts that are made meanwhile.

    aiohttp makes two when it is imported, which takes 4 % of an audit of ten URLs. No audit uses
    them.
    """
    made: list[ssl.SSLContext] = []

    def load() -> None:
        for context in made:
            context.set_default_verify_paths()

    def note(context: ssl.SSLContext) -> None:
        made.append(context)

    # The method belongs to a base class, and is found there again once this one is removed.
    ssl.SSLContext.set_default_verify_paths = note  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        del ssl.SSLContext.set_default_verify_paths
    Thread(target=load, daemon=True).start()


def configure_trusted_authorities() -> None:
    """Set the bundle of authorities where OpenSSL would not find one.

    That is the bundle of the system if Python knows it, else Mozilla's: a slim container has
    none, and macOS and Windows keep theirs where OpenSSL does not look.
    """
    if os.environ.get(_BUNDLE) or os.environ.get("SSL_CERT_DIR"):
        return
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        os.environ[_BUNDLE] = paths.cafile
    elif not paths.capath or not any(Path(paths.capath).glob("*.0")):
        os.environ[_BUNDLE] = certifi.where()
