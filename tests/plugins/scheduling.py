"""The plugin of pytest that says which process runs which test, and when garbage is collected."""

import atexit
import gc
import os
from importlib import import_module
from itertools import groupby
from pathlib import Path
from zlib import crc32

import pytest

TESTS = Path(__file__).parents[1]

_CORE = {
    TESTS / name for name in ("bounds", "http", "pages", "robots", "rules", "sitemaps", "urls")
}
"""The rooms of the core, whose tests are quick and need no other process."""

_LONGEST = TESTS / "workers"
_WAITING = {
    TESTS / name
    for name in (
        *("distribution", "docs", "engine", "extensions", "fetching", "hostile", "rendering"),
        *("report", "scheduling", "serving", "workers"),
    )
}
"""The rooms whose tests wait for a server, a browser or a clock for two thirds of their time."""

_MANY = 20
"""A file with more tests has quick ones."""


def _is_core(path: Path) -> bool:
    return not _CORE.isdisjoint((path, *path.parents))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that divides the tests between two runs of pytest."""
    parser.addoption(
        "--rooms", choices=("core", "others"), help="run the tests of the core, or only others"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the rooms that were not asked for."""
    rooms, is_room = config.getoption("rooms"), collection_path.parent == TESTS
    skipped = is_room and rooms is not None and _is_core(collection_path) == (rooms == "others")
    return skipped or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give quick tests to the workers by file and at the end, and the longest group first.

    Each part costs the scheduler time, which grows with the square of their number. A long part
    that begins last would keep one process busy while the others have nothing to do. What waits
    comes first: meanwhile, the tests of the core and the type checker have the processors.
    """
    quick = set()
    for path, tests in groupby(items, lambda item: item.path):
        alone = [test for test in tests if test.get_closest_marker("xdist_group") is None]
        if len(alone) > _MANY or _is_core(path):
            quick.update(alone)
            for test in alone:
                test.add_marker(pytest.mark.xdist_group(path.stem))

    def place(item: pytest.Item) -> tuple[bool, bool, bool, int]:
        mixed = crc32(str(item.path.relative_to(TESTS)).encode())
        works = _WAITING.isdisjoint(item.path.parents)
        return item in quick, item.path.parent != _LONGEST, works, mixed

    items.sort(key=place)


def pytest_configure(config: pytest.Config) -> None:
    """Keep the order of the parts, and let a worker end without freeing what it imported.

    Freeing takes long, and DuckDB's library reports what the tests still refer to as leaks.
    """
    config.option.loadscopereorder = False  # Otherwise xdist begins with those of most tests.
    if "PYTEST_XDIST_WORKER" in os.environ:
        atexit.register(os._exit, 0)  # What is registered first is called last.


def pytest_collection(session: pytest.Session) -> None:
    """Collect no garbage while tests are: it would take a fifth of the time.

    A module of Scrapy looks at all modules for each of its callers when it is imported: that takes
    a tenth of the time if a test imports it, and nothing here.
    """
    gc.disable()
    if session.config.getoption("rooms") == "others":
        import_module("scrapy.core.downloader.contextfactory")


def pytest_collection_finish() -> None:
    """Leave thousands of tests to the garbage collector only once, and collect less often."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 20)
    # Otherwise DuckDB's library reports what is frozen at the end as leaks.
    atexit.register(gc.unfreeze)


def pytest_xdist_auto_num_workers() -> int:
    """Use four workers for two cores: many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) * 2
