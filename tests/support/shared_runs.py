"""Run folders for tests of what is done with a run: equal runs are built once per process.

Tests of the build itself, and those that change the program before it, use tests/support/runs.py.
"""

import atexit
import pickle
import shutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from sitemapaudit import Run, open_run
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap
from tests.support.runs import build_run

Row = Robots | Sitemap | Entries | Page | Rendering

_built: dict[bytes, Path] = {}


@cache
def _folder() -> Path:
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def shared_run(rows: Iterable[Row], **values: Any) -> Path:
    """Return the folder of a run with these rows and properties, which the test must not change.

    ``values`` are those of ``build_run``: without ``rules``, none is checked.
    """
    given = list(rows)
    key = pickle.dumps((given, values))
    if key not in _built:
        _built[key] = build_run(_folder() / str(len(_built)), given, **values).path
    return _built[key]


def copy_of_run(into: Path, rows: Iterable[Row], **values: Any) -> Run:
    """Return a copy of such a run, in a folder of its own."""
    shutil.copytree(shared_run(rows, **values), into)
    return open_run(into)
