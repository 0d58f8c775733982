"""How tests are named, how many run at once, and the audit that several of them look at."""

import atexit
import gc
import os
from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import settings

from sitemapaudit.datasets.database import share_database
from sitemapaudit.demo.website import Demo
from tests import warm
from tests.support import PROJECT, Audited
from tests.week import Week

# A busy machine is slow, which is no fault of what is tested.
settings.register_profile("untimed", parent=settings(), deadline=None)
settings.load_profile("untimed")

MAX_NAME = 100
"""The most characters of a value in the name of a test."""


def pytest_configure() -> None:
    """Let all processes of the tests share the one that forks commands, and compiled JavaScript.

    Playwright's driver compiles itself at each start of a browser: a fifth of its processor time.
    """
    os.environ.setdefault("NODE_COMPILE_CACHE", str(PROJECT / ".pytest_cache" / "node"))
    warm.shared_folder()


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


_QUICK = {PROJECT / "tests" / name for name in ("pages", "rules", "sitemaps")}
_LONGEST = PROJECT / "tests" / "workers"
_MANY = 20
"""A file with more tests has quick ones."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give quick tests to the workers by file and at the end, and the longest group first.

    Each part costs the scheduler time, which grows with the square of their number. A long part
    that begins last would keep one process busy while the others have nothing to do.
    """
    quick = set()
    for path, tests in groupby(items, lambda item: item.path):
        alone = [test for test in tests if test.get_closest_marker("xdist_group") is None]
        if len(alone) > _MANY or not _QUICK.isdisjoint(path.parents):
            quick.update(alone)
            for test in alone:
                test.add_marker(pytest.mark.xdist_group(path.stem))
    items.sort(key=lambda item: (item in quick, item.path.parent != _LONGEST))


def pytest_collection() -> None:
    """Collect no garbage while tests are: it would take a fifth of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave thousands of tests to the garbage collector only once, and collect less often."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)
    # Otherwise DuckDB's library complains at the end about objects that nobody collected.
    atexit.register(gc.unfreeze)


def pytest_xdist_auto_num_workers() -> int:
    """Use four workers for two cores: many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) * 2


@pytest.fixture(scope="session", autouse=True)
def shared_database() -> Iterator[None]:
    """Let the tests of a process share a database, as the parts of a run do."""
    with share_database():
        yield


@pytest.fixture(scope="session")
def week(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Week]:
    """Return two audits of the demo website; for the tests of the group ``demo``."""
    with Demo() as website:
        yield Week(website, tmp_path_factory.mktemp("week"))


@pytest.fixture(scope="session")
def demo(week: Week) -> Audited:
    """Return an audit of the demo website; for the tests of the group ``demo``."""
    return week.earlier
