"""Whom the audit trusts."""

import os
import ssl
from pathlib import Path
from typing import Any

import certifi
import pytest

from sitemapaudit.crawling.certificates import name_authorities

NAMES = ("SSL_CERT_FILE", "SSL_CERT_DIR")


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of authorities, the only one of a system that has no bundle."""
    for name in NAMES:
        monkeypatch.setenv(name, "")  # What the test leaves there is undone behind it.
    _paths(monkeypatch, None, str(tmp_path))
    return tmp_path


def test_a_system_without_authorities_trusts_those_of_mozilla(system: Path) -> None:
    assert not any(system.iterdir())
    name_authorities()
    assert os.environ["SSL_CERT_FILE"] == certifi.where()


def test_the_folder_of_the_system_is_left_to_openssl(system: Path) -> None:
    (system / "0123abcd.0").touch()
    name_authorities()
    assert not os.environ["SSL_CERT_FILE"]


@pytest.mark.usefixtures("system")
def test_the_bundle_that_python_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _paths(monkeypatch, "/etc/authorities.pem", None)
    name_authorities()
    assert os.environ["SSL_CERT_FILE"] == "/etc/authorities.pem"


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("name", NAMES)
def test_what_the_user_names_is_left_alone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "/mine")
    name_authorities()
    assert [os.environ[name] for name in NAMES if os.environ[name]] == ["/mine"]


def _paths(monkeypatch: pytest.MonkeyPatch, file: str | None, folder: str | None) -> None:
    usual: Any = ssl.get_default_verify_paths()
    known = usual._replace(cafile=file, capath=folder)
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: known)
