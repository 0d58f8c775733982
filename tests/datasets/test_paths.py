"""The names of the folders above a run have no influence on its tables."""

from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.items import Robots
from tests.rules.tables import Item
from tests.support.commands import check_crawl, run_in_process
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

A, B = (f"https://www.example.com/{name}" for name in "ab")
ROWS: list[Item] = [
    Robots("https://www.example.com/robots.txt", "https://www.example.com"),
    listed(A, B),
    fetched_page(A),
    fetched_page(B, 404),
]


@pytest.mark.parametrize(
    "name", ["site=www.example.com", "verdict=x", "status=1", "a*b", "a[b]c", "{a,b}", "it's", "ü"]
)
def test_any_name_of_a_folder(tmp_path: Path, name: str) -> None:
    run = build_run(tmp_path / name / "audits" / "www.example.com" / "1", ROWS)
    assert run.urls["verdict"].tolist() == ["indexable", "not-found"]
    assert run.urls["status"].tolist() == [200, 404]
    assert run.sql("select status from urls order by url")["status"].tolist() == [200, 404]
    assert run.manifest.verdicts == {"indexable": 1, "not-found": 1}


def test_a_comparison_in_a_folder_with_the_name_of_a_column(tmp_path: Path) -> None:
    runs = [build_run(tmp_path / "verdict=x" / "site" / date, ROWS) for date in ("1", "2")]
    done = run_in_process("compare", *(str(run.path) for run in runs))
    assert done.returncode == 0, done.stderr
    assert set(open_run(runs[1].path).manifest.changes.values()) == {0}


def test_a_pattern_matches_only_its_own_folder(tmp_path: Path) -> None:
    build_run(tmp_path / "aXb", [listed(A, B)])
    assert len(build_run(tmp_path / "a*b", [listed(A)]).urls) == 1


@pytest.mark.parametrize("name", ["a?b", "a\\b"])
def test_a_path_that_duckdb_cannot_open_is_one_sentence(tmp_path: Path, name: str) -> None:
    audits = tmp_path / name
    done = check_crawl("-a", "site=www.example.com", "-s", f"AUDIT_DIR={audits}")
    assert (done.returncode, done.stderr) == (
        2,
        f"AUDIT_DIR: {audits} cannot be written: DuckDB cannot open a path containing ? or \\.\n",
    )
    assert not audits.exists()
