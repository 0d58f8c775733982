"""The plugin of pytest: one server of interpreters for all processes of the tests, or none."""

import os

import pytest

from tests.plugins.interpreters import forks
from tests.plugins.interpreters.commands import COLD, WAY_BACK


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that change how commands run."""
    parser.addoption(
        "--cold", action="store_true", help="run each command in a new interpreter; takes long"
    )

    parser.addoption(
        "--way-back",
        action="store_true",
        help="let the requests of each command pass through Scrapy's engine",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes that pytest starts share the server, or start none."""
    if config.getoption("cold"):
        os.environ[COLD] = "1"
    if config.getoption("way_back"):
        os.environ[WAY_BACK] = "1"
    forks.shared_folder()
