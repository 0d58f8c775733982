"""The browser that reads reports and fleets."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.report.browser import launch


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return a browser; for the tests of the group ``browser``.

    It ends with this package: while it runs, no test can run an event loop of its own.
    """
    with launch() as browser:
        yield browser
