"""The trusted certificate authorities."""

import os
import ssl
from pathlib import Path
from typing import Final

import certifi

_BUNDLE: Final = "SSL_CERT_FILE"


def configure_trusted_authorities() -> None:
    """Set the bundle of authorities where OpenSSL would not find one.

    That is the bundle of the system if Python knows it, otherwise Mozilla's: a slim container has
    no bundle, and OpenSSL does not find those of macOS and Windows.
    """
    if os.environ.get(_BUNDLE) or os.environ.get("SSL_CERT_DIR"):
        return
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        os.environ[_BUNDLE] = paths.cafile
    elif not paths.capath or not any(Path(paths.capath).glob("*.0")):
        os.environ[_BUNDLE] = certifi.where()
