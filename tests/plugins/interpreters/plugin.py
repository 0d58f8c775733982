"""The plugin of pytest: one server of interpreters for all processes of the tests, or none."""

import os

import pytest

from tests.plugins.interpreters import forks
from tests.plugins.interpreters.commands import COLD


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option to run each command in a new interpreter."""
    parser.addoption(
        "--cold", action="store_true", help="run each command in a new interpreter; takes long"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes that pytest starts share the server, or start none."""
    if config.getoption("cold"):
        os.environ[COLD] = "1"
    forks.shared_folder()
