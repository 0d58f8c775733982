"""Which certificate authorities an audit trusts."""

import os
import ssl
from pathlib import Path
from typing import Any

import certifi
import pytest

from sitemapaudit.fetching.certificates import configure_trusted_authorities

NAMES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of authorities of a system without a bundle."""
    for name in NAMES:
        monkeypatch.setenv(name, "")  # Undoes what the function sets.
    _paths(monkeypatch, None, str(tmp_path))
    return tmp_path


def test_without_authorities_of_the_system_those_of_mozilla_are_trusted(system: Path) -> None:
    assert not any(system.iterdir())
    configure_trusted_authorities()
    assert os.environ["SSL_CERT_FILE"] == certifi.where()


def test_openssl_uses_the_folder_of_the_system(system: Path) -> None:
    (system / "0123abcd.0").touch()
    configure_trusted_authorities()
    assert not os.environ["SSL_CERT_FILE"]


@pytest.mark.usefixtures("system")
def test_openssl_gets_the_bundle_that_python_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    _paths(monkeypatch, "/etc/authorities.pem", None)
    configure_trusted_authorities()
    assert os.environ["SSL_CERT_FILE"] == "/etc/authorities.pem"


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("name", NAMES)
def test_the_variables_of_the_user_take_precedence(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "/mine")
    configure_trusted_authorities()
    assert [os.environ[name] for name in NAMES if os.environ[name]] == ["/mine"]


def _paths(monkeypatch: pytest.MonkeyPatch, file: str | None, folder: str | None) -> None:
    usual: Any = ssl.get_default_verify_paths()
    known = usual._replace(cafile=file, capath=folder)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: known)
