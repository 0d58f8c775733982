"""Audits that are killed with -9 at random moments go on where they were, and lose nothing.

``AUDIT_KILLS`` says how many; ``make kills`` asks for a hundred, of a site of 2,000 URLs.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.resuming.killing import CONCURRENCY, begun, datasets, finish, kill, repeated, start
from tests.resuming.site import Site

pytestmark = pytest.mark.xdist_group("kills")

KILLS = int(os.environ.get("AUDIT_KILLS", "2"))
URLS = int(os.environ.get("AUDIT_KILLS_URLS", "400"))


@dataclass
class Whole:
    """An audit that nobody disturbed, and how long it was at work."""

    site: Site
    tables: dict[str, Counter[str]]
    asked: Counter[str]
    seconds: float


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    audits = tmp_path_factory.mktemp("whole")
    with Site(URLS) as site:
        process = start(audits, f"site={site.origin}")
        run = begun(audits, process)
        since = time.monotonic()
        finish(process)
        seconds = time.monotonic() - since
        yield Whole(site, datasets(run), site.take_asked(), seconds)


def test_a_whole_audit_asks_for_each_page_once(whole: Whole) -> None:
    assert repeated(whole.asked, whole.site) == 0
    assert sum(whole.tables["urls"].values()) == URLS


@pytest.mark.parametrize("number", range(KILLS))
def test_killed_anywhere_it_goes_on(whole: Whole, number: int, tmp_path: Path) -> None:
    moment = random.Random(number).uniform(0, whole.seconds)
    process = start(tmp_path, f"site={whole.site.origin}")
    run = begun(tmp_path, process)
    time.sleep(moment)
    kill(process)
    finish(start(tmp_path, f"resume={run}"))
    asked = whole.site.take_asked()
    again = repeated(asked, whole.site)
    print(f"killed after {moment:.2f} s: {again} of {URLS} URLs asked for again")
    assert again <= CONCURRENCY
    assert asked.keys() - _probes(asked) == whole.asked.keys() - _probes(whole.asked)
    tables = datasets(run)
    for table, rows in whole.tables.items():
        assert tables[table] == rows, table


def _probes(asked: Counter[str]) -> set[str]:
    return {address for address in asked if len(address.rpartition("/")[2]) == 24}
