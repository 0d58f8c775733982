"""open_run: the newest run below a folder, as DataFrames and through SQL."""

from pathlib import Path

import pandas as pd
import pytest

from sitemapaudit import open_run
from sitemapaudit.datasets.folders import find_run, new_run_folder
from sitemapaudit.datasets.manifest import Manifest
from tests.support import NOW, answered, build_run, listed

URL = "https://www.example.com/"


def test_tables_are_dataframes(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL), answered(URL, title="Home")])
    assert isinstance(run.urls, pd.DataFrame)
    assert run.urls.loc[0, "status"] == 200
    assert run.pages.loc[0, "title"] == "Home"
    assert run.pages["fetched_at"].dt.tz is not None
    for table in ("entries", "findings", "sitemaps", "robots"):
        assert isinstance(getattr(run, table), pd.DataFrame)


def test_a_missing_value_does_not_turn_numbers_into_fractions(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, f"{URL}2"), answered(URL, 404)])
    assert run.urls["status"].astype("object").tolist() == [404, pd.NA]


def test_sql_asks_over_the_same_tables(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, f"{URL}2"), answered(URL)])
    counts = run.sql("select verdict, count(*) as number from urls group by all order by 1")
    assert counts.to_dict("records") == [
        {"verdict": "indexable", "number": 1},
        {"verdict": "unchecked", "number": 1},
    ]
    assert run.sql("select url from urls where verdict = ?", ["indexable"])["url"].tolist() == [URL]


def test_the_newest_run_is_found(tmp_path: Path) -> None:
    for name in ("2026-11-20T08-00-00Z", "2026-11-21T08-00-00Z", "2026-11-19T08-00-00Z"):
        folder = tmp_path / "audits" / "www.example.com" / name
        folder.mkdir(parents=True)
        build_run(folder, [listed(URL)])
    newest = tmp_path / "audits" / "www.example.com" / "2026-11-21T08-00-00Z"
    for path in (tmp_path / "audits", newest.parent, newest, str(newest)):
        assert open_run(path).path == newest


def test_no_run_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no run folder"):
        open_run(tmp_path)


def test_run_folders_of_the_same_second_differ(tmp_path: Path) -> None:
    folders = {new_run_folder(tmp_path, "www.example.com", NOW) for _ in range(3)}
    assert len(folders) == 3


@pytest.mark.parametrize("name", ["../../etc", "a/b", "[::1]:8080", "con:8080", "..", "a b"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    folder = new_run_folder(tmp_path / "audits", name, NOW)
    assert folder.resolve().is_relative_to((tmp_path / "audits").resolve())
    assert folder.parent.parent == tmp_path / "audits"


def test_a_manifest_with_more_than_is_known_can_be_read(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL)])
    text = (tmp_path / "run.json").read_text(encoding="utf-8")
    (tmp_path / "run.json").write_text(text.replace("{", '{"from_the_future": 1,', 1))
    assert Manifest.read(find_run(tmp_path)) == run.manifest
