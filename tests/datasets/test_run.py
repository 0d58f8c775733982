"""open_run: the newest run below a folder, as DataFrames and through SQL."""

from pathlib import Path

import pandas as pd
import pytest

from sitemapaudit import open_run, open_runs
from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.items import Alternate, Entries, Kind, Sitemap
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import find_run, new_run_folder
from sitemapaudit.runs.manifest import Manifest
from tests.support.rows import NOW, SITEMAP, fetched_page, listed
from tests.support.runs import build_audited_run, build_run

URL = "https://www.example.com/"


def test_tables_are_dataframes(tmp_path: Path) -> None:
    run = build_audited_run(tmp_path, [listed(URL), fetched_page(URL, title="Home")])
    assert isinstance(run.urls, pd.DataFrame)
    assert run.urls.loc[0, "status"] == 200
    assert run.pages.loc[0, "title"] == "Home"
    assert run.pages["fetched_at"].dt.tz is not None
    for table in ("entries", "findings", "sitemaps", "robots"):
        assert isinstance(getattr(run, table), pd.DataFrame)


def test_a_missing_value_does_not_turn_integers_into_floats(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, f"{URL}2"), fetched_page(URL, 404)])
    assert run.urls["status"].astype("object").tolist() == [404, pd.NA]


def test_sql_queries_the_same_tables(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL, f"{URL}2"), fetched_page(URL)])
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


def test_a_folder_without_a_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no run folder"):
        open_run(tmp_path)


def test_runs_that_start_in_the_same_second_have_different_folders(tmp_path: Path) -> None:
    folders = {new_run_folder(tmp_path, "www.example.com", NOW) for _ in range(3)}
    assert len(folders) == 3


@pytest.mark.parametrize("name", ["../../etc", "a/b", "[::1]:8080", "con:8080", "..", "a b"])
def test_a_site_name_cannot_leave_the_folder(tmp_path: Path, name: str) -> None:
    folder = new_run_folder(tmp_path / "audits", name, NOW)
    assert folder.resolve().is_relative_to((tmp_path / "audits").resolve())
    assert folder.parent.parent == tmp_path / "audits"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("www.example.com", "www.example.com"),
        ("example.com:8080", "example.com-8080"),
        ("a.example+2", "a.example+2"),
        ("[::1]:8000", "ipv6-0--1-port-8000"),
        ("[2001:db8::]", "ipv6-2001-db8--0"),
        ("xn--bcher-kva.example", "bücher.example"),
        ("xn--bcher-kva.example:8080+2", "bücher.example-8080+2"),
        ("xn--ls8h.example", "xn--ls8h.example"),  # not a letter
        ("xn--zzzzz99999.example", "xn--zzzzz99999.example"),  # not valid
        (f"{'xn--fiqs8s.' * 32}example", f"{'xn--fiqs8s.' * 32}example"[:200]),
        ("con:8080", "con-8080"),
        ("aux.example", "aux-site.example"),
        ("example.com.", "example.com-"),
    ],
)
def test_the_folder_of_a_site_has_a_readable_name(name: str, folder: str) -> None:
    assert folder_name(name) == folder


def test_a_manifest_with_unknown_keys_can_be_read(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(URL)])
    text = (tmp_path / "run.json").read_text(encoding="utf-8")
    (tmp_path / "run.json").write_text(text.replace("{", '{"from_the_future": 1,', 1))
    assert Manifest.read(find_run(tmp_path)) == run.manifest


def test_open_runs_returns_every_run_below_a_folder_the_oldest_first(tmp_path: Path) -> None:
    folders = [tmp_path / site / f"2026-11-{day}T08-00-00Z" for site, day in (("b", 20), ("a", 21))]
    for folder in reversed(folders):
        build_run(folder, [listed(URL)])
    unbuilt = tmp_path / "a" / "2026-11-22T08-00-00Z"
    unbuilt.mkdir()
    (unbuilt / "run.json").write_bytes((folders[0] / "run.json").read_bytes())
    runs = open_runs(tmp_path)
    assert [run.path for run in runs] == [*folders, unbuilt]
    assert [run.site for run in runs] == ["b", "a", "a"]
    assert [run.built for run in runs] == [True, True, False]
    assert open_runs(tmp_path / "nothing") == []


def test_the_previous_run_and_the_comparison_with_it(tmp_path: Path) -> None:
    before, after = (tmp_path / f"2026-11-{day}T08-00-00Z" for day in (20, 21))
    first = build_run(before, [listed(URL), fetched_page(URL)])
    second = build_run(after, [listed(URL), fetched_page(URL, 404)])
    assert first.previous is None
    assert second.previous is not None
    assert second.previous.path == before
    with pytest.raises(FileNotFoundError, match="sitemapaudit compare"):
        _ = second.comparison
    compare(before, after, 256, Audit())
    assert "verdict-changed" in second.comparison["change"].tolist()
    rows = open_run(after).sql("select count(*) as number from comparison")
    assert rows.loc[0, "number"] == len(second.comparison)


def test_alternates_of_every_source_can_be_queried(tmp_path: Path) -> None:
    def alternates(source: str) -> list[Alternate]:
        return [Alternate(source, "alternate", " DE ", f"{URL}de", f"{URL}de")]

    (entry,) = listed(URL).rows
    entry.alternates = alternates("sitemap")
    run = build_run(
        tmp_path, [Entries(entry.sitemap, [entry]), fetched_page(URL, alternates=alternates("tag"))]
    )
    rows = run.sql("select source, code, target from alternates order by source")
    assert rows.to_numpy().tolist() == [["sitemap", "de", f"{URL}de"], ["tag", "de", f"{URL}de"]]


def test_a_run_says_whether_it_is_complete(tmp_path: Path) -> None:
    complete = build_run(
        tmp_path / "1", [Sitemap(SITEMAP, kind=Kind.URLSET), listed(URL), fetched_page(URL)]
    )
    incomplete = build_run(tmp_path / "2", [listed(URL)], reason="it was stopped")
    assert "(finished, complete)" in repr(complete)
    assert "(interrupted, incomplete: it was stopped)" in repr(incomplete)
