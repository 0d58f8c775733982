"""A ledger that lost rows makes a run incomplete; rows that it has twice count once."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.manifest import Manifest
from tests.runs.killing import read_rows
from tests.runs.site import Site
from tests.support.audits import Audited, crawl
from tests.support.commands import run_in_process, scrapy
from tests.support.settings import NO_RULES, RULES_OFF

pytestmark = pytest.mark.xdist_group("resuming")

URLS = 24
TABLES = [
    table
    for table in LEDGER_TABLES
    if table not in ("renderings", "rechecks", "media", "agent_pages")
]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(URLS) as site:
        yield site


@pytest.fixture(scope="module")
def whole(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    done = crawl(tmp_path_factory.mktemp("whole"), {"site": site.origin})
    assert done.status == 0, done.log
    return done


@pytest.fixture
def own(whole: Audited, tmp_path: Path) -> Path:
    """Return a copy of the run folder, for a test that changes it."""
    run = whole.run.path
    return Path(shutil.copytree(run, tmp_path / run.parent.name / run.name))


def manifest(run: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((run / "run.json").read_text())
    return values


def halve(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[: len(lines) // 2]))


def forget_rows(run: Path) -> None:
    """Make the manifest say nothing about the rows of the ledger, as that of a killed run."""
    (run / "run.json").write_text(json.dumps(manifest(run) | {"ledger_rows": {}}))


def rebuild(run: Path) -> None:
    """Build the tables from the ledger, as ``report`` does before it writes the page."""
    values = Manifest.read(run)
    build_tables(TableBuild([run], run, 256), values, Audit(NO_RULES))
    values.write(run)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "empty": lambda file: file.write_bytes(b""),
    "halved": halve,
}


def check_lost(had: int, table: str, values: dict[str, Any]) -> None:
    lost = values["damage"][table]
    assert had // 2 <= lost <= had  # Rows differ in length: half of the bytes can have more.
    assert values["complete"] is False
    start, _, tables = values["reason"].partition(": ")
    assert start == "the ledger lost rows"
    assert f"{lost:,} of {table}" in tables.split(", ")
    assert values["ledger_rows"][table] == had


@dataclass(frozen=True)
class Damaged:
    """The rows that the tables of a run had, and its manifests after all lost some."""

    had: dict[str, int]
    manifests: list[dict[str, Any]]


@pytest.fixture(scope="module", params=DAMAGE)
def damaged(
    request: pytest.FixtureRequest, whole: Audited, tmp_path_factory: pytest.TempPathFactory
) -> Damaged:
    """Return a run whose tables were built twice after every file of its ledger was damaged."""
    run = shutil.copytree(whole.run.path, tmp_path_factory.mktemp("damaged") / "site" / "run")
    had = manifest(run)["ledger_rows"]
    for table in TABLES:
        DAMAGE[request.param](ledger_file(run, table))
    manifests = []
    for _ in range(2):
        rebuild(run)
        manifests.append(manifest(run))
    return Damaged(had, manifests)


@pytest.mark.parametrize("table", TABLES)
def test_lost_rows_are_counted(damaged: Damaged, table: str) -> None:
    for values in damaged.manifests:
        check_lost(damaged.had[table], table, values)


@pytest.mark.parametrize("table", TABLES)
def test_lost_rows_of_one_table_make_a_run_incomplete(own: Path, table: str) -> None:
    had = manifest(own)["ledger_rows"][table]
    halve(ledger_file(own, table))
    rebuild(own)
    check_lost(had, table, manifest(own))


@pytest.mark.parametrize(("table", "lost"), [("sitemaps", 9), ("entries", 40), ("pages", 24)])
def test_lost_rows_are_known_from_other_tables(own: Path, table: str, lost: int) -> None:
    forget_rows(own)
    ledger_file(own, table).write_bytes(b"")
    rebuild(own)
    assert manifest(own)["damage"] == {table: lost}


def test_a_missing_file_is_damage_of_unknown_size(own: Path) -> None:
    forget_rows(own)
    for table in ("findings", "renderings", "rechecks"):
        ledger_file(own, table).unlink()
    assert run_in_process("report", str(own), "-s", RULES_OFF).returncode == 3
    assert manifest(own)["damage"] == {"findings": None}
    assert manifest(own)["reason"] == "the ledger lost rows: all of findings"


def test_report_says_what_was_lost_and_it_is_fetched_again(
    site: Site, whole: Audited, own: Path
) -> None:
    for table in ("sitemaps", "entries", "pages", "findings"):
        halve(ledger_file(own, table))
    done = run_in_process("report", str(own))
    assert done.returncode == 3
    assert "The audit is incomplete: the ledger lost rows: " in done.stdout
    assert "20 of entries" in done.stdout
    lost = manifest(own)["damage"]
    assert lost.keys() == {"sitemaps", "entries", "pages", "findings"}
    done = scrapy("crawl", "sitemap", "-a", f"resume={own}", "-s", "AUDIT_SPEED=full")
    assert done.returncode == 0, done.stderr
    assert manifest(own)["repaired_damage"] == lost
    assert read_rows(own) == read_rows(whole.run.path)


def test_rows_that_stand_twice_count_once(whole: Audited, own: Path) -> None:
    for table in TABLES:
        file = ledger_file(own, table)
        file.write_bytes(file.read_bytes() * 2)
    done = run_in_process("report", str(own))
    assert done.returncode == 0, done.stderr
    assert manifest(own)["damage"] == {}
    assert read_rows(own) == read_rows(whole.run.path)


def test_rows_that_stand_twice_do_not_hide_lost_ones(own: Path) -> None:
    for table in ("entries", "pages"):
        file = ledger_file(own, table)
        halve(file)
        file.write_bytes(file.read_bytes() * 2)
    rebuild(own)
    damage = manifest(own)["damage"]
    rows = manifest(own)["ledger_rows"]
    assert damage == {table: -(-rows[table] // 2) for table in ("entries", "pages")}


def test_rows_that_stand_twice_are_resumed_once(site: Site, whole: Audited, own: Path) -> None:
    for table in ("entries", "pages", "findings"):
        file = ledger_file(own, table)
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines + lines[:9]))
    values = manifest(own) | {"status": "running", "finished": None}
    (own / "run.json").write_text(json.dumps(values))
    site.take_requests()
    done = scrapy("crawl", "sitemap", "-a", f"resume={own}", "-s", "AUDIT_SPEED=full")
    assert done.returncode == 0, done.stderr
    assert not [address for address in site.take_requests() if "/page/" in address]
    assert read_rows(own) == read_rows(whole.run.path)
