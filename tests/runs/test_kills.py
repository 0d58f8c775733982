"""Audits that are killed with SIGKILL at random moments, and resumed, lose nothing.

``AUDIT_KILLS`` is their number; ``make kills`` kills a hundred audits of a site of 2,000 URLs.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.runs.killing import (
    CONCURRENCY,
    count_repeated,
    finish,
    kill,
    read_rows,
    start,
    wait_for_run,
)
from tests.runs.site import Site

pytestmark = pytest.mark.xdist_group("kills")

KILLS = int(os.environ.get("AUDIT_KILLS", "2"))
URLS = int(os.environ.get("AUDIT_KILLS_URLS", "240"))


@dataclass
class Whole:
    """An audit that was not interrupted, and its duration."""

    site: Site
    tables: dict[str, Counter[str]]
    requests: Counter[str]
    seconds: float


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    audits = tmp_path_factory.mktemp("whole")
    with Site(URLS) as site:
        process = start(audits, f"site={site.origin}")
        run = wait_for_run(audits, process)
        since = time.monotonic()
        finish(process)
        seconds = time.monotonic() - since
        yield Whole(site, read_rows(run), site.take_requests(), seconds)


def test_an_audit_fetches_each_page_once(whole: Whole) -> None:
    assert count_repeated(whole.requests, whole.site) == 0
    assert sum(whole.tables["urls"].values()) == URLS


@pytest.mark.parametrize("number", range(KILLS))
def test_a_killed_audit_is_resumed(whole: Whole, number: int, tmp_path: Path) -> None:
    moment = random.Random(number).uniform(0, whole.seconds)
    process = start(tmp_path, f"site={whole.site.origin}")
    run = wait_for_run(tmp_path, process)
    time.sleep(moment)
    kill(process)
    finish(start(tmp_path, f"resume={run}"))
    requests = whole.site.take_requests()
    repeated = count_repeated(requests, whole.site)
    print(f"killed after {moment:.2f} s: {repeated} of {URLS} URLs were fetched again")
    assert repeated <= CONCURRENCY
    assert requests.keys() - _probes(requests) == whole.requests.keys() - _probes(whole.requests)
    tables = read_rows(run)
    for table, rows in whole.tables.items():
        assert tables[table] == rows, table


def _probes(requests: Counter[str]) -> set[str]:
    return {address for address in requests if len(address.rpartition("/")[2]) == 24}
