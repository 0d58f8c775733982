"""How tests are named, and the audit that several of them look at."""

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from sitemapaudit.datasets.database import share_database
from sitemapaudit.demo.website import Demo
from tests.support.audits import Audited
from tests.support.paths import PROJECT
from tests.support.runs import build_each_run
from tests.support.week import Week

pytest_plugins = ("tests.plugins.interpreters.plugin", "tests.plugins.scheduling")

# A busy machine is slow, which is no fault of what is tested.
settings.register_profile("untimed", parent=settings(), deadline=None)
settings.load_profile("untimed")

MAX_NAME = 100
"""The most characters of a value in the name of a test."""


def pytest_configure() -> None:
    """Let all processes of the tests share compiled JavaScript.

    Playwright's driver compiles itself at each start of a browser: a fifth of its processor time.

    Hypothesis writes no patches for tests that fail: it would look at all modules, some of which
    raise an exception then, and pytest would end without the example.
    """
    os.environ.setdefault("NODE_COMPILE_CACHE", str(PROJECT / ".pytest_cache" / "node"))
    sys.modules["hypothesis.extra._patching"] = None  # type: ignore[assignment]


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length, and long texts by their start and their length.

    A gzip file contains the time at which it was made, and the workers send the name of each test
    to the scheduler several times.
    """
    if isinstance(val, bytes):
        return f"{len(val)} bytes"
    if isinstance(val, str) and len(val) > MAX_NAME:
        start = val[:MAX_NAME].encode("unicode_escape").decode("ascii")[:MAX_NAME]
        return f"{start}... of {len(val)} characters"
    return None


@pytest.fixture(scope="session", autouse=True)
def shared_database() -> Iterator[None]:
    """Let the tests of a process share a database, as the parts of a run do."""
    with share_database():
        yield


@pytest.fixture
def monkeypatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let what a test changes have an effect on the tables that it builds."""
    with build_each_run():
        yield monkeypatch


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Week]:
    """Return two audits of the demo website; for the tests of the group ``demo``."""
    with Demo() as website:
        yield Week(website, tmp_path_factory.mktemp("week"))


@pytest.fixture(scope="session")
def demo(week: Week) -> Audited:
    """Return an audit of the demo website; for the tests of the group ``demo``."""
    return week.earlier
