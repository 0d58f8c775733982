"""The fleet: every site once, the worst first, and what is not complete by name."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.datasets.folders import lock_run
from sitemapaudit.datasets.manifest import Manifest, ShardRun, Status
from sitemapaudit.report import fleet_page
from sitemapaudit.report.fleet import Fleet, SiteRow, read_fleet
from sitemapaudit.report.fleet_page import write_fleet_page
from sitemapaudit.report.fleet_tables import write_tables
from sitemapaudit.report.overview import overview
from tests.report.fleet import five_sites, hostile_fleet, run_of
from tests.report.site import IMAGE, SCRIPT
from tests.report.test_page import data_of, text_of
from tests.support import scrapy


def by_name(fleet: Fleet) -> dict[str, SiteRow]:
    return {site.site: site for site in fleet.sites}


def test_the_worst_site_stands_first(tmp_path: Path) -> None:
    fleet = read_fleet(five_sites(tmp_path))
    assert [site.site for site in fleet.sites] == [
        "torn.example", "fell.example", "rose.example", "halted.example", "new.example",
    ]  # fmt: skip
    assert (fleet.worse, fleet.better) == (1, 1)
    assert (fleet.indexable, fleet.known) == (157, 227)


def test_of_sites_alike_that_with_most_errors_stands_first(tmp_path: Path) -> None:
    run_of(tmp_path, "a.example", 1, 1)
    run_of(tmp_path, "b.example", 10, 10)
    assert [site.site for site in read_fleet(tmp_path).sites] == ["b.example", "a.example"]


def test_a_site_is_compared_with_its_last_complete_run_that_was_asked_for_the_same(
    tmp_path: Path,
) -> None:
    run_of(tmp_path, "fell.example", 1, 1, day=20, reason="the run was stopped")
    sites = by_name(read_fleet(five_sites(tmp_path)))
    fell, rose, new = (sites[f"{name}.example"] for name in ("fell", "rose", "new"))
    assert (fell.before, fell.share, fell.new, fell.mended) == (0.9, 0.5, 40, 0)
    assert fell.change == pytest.approx(-0.4)
    assert (rose.before, rose.share, rose.mended) == (0.4, 0.8, 41)
    assert (new.before, new.change, new.new) == (None, None, None)


def test_the_share_is_that_of_the_report(tmp_path: Path) -> None:
    run = run_of(tmp_path, "a.example", 5, 3)
    manifest = Manifest.read(run)
    manifest.verdicts |= {"blocked": 2, "unchecked": 9}
    manifest.write(run)
    (site,) = read_fleet(tmp_path).sites
    answer = overview(Manifest.read(run))
    assert (site.share, site.known, site.indexable) == (answer.share, 8, 5)


def test_what_is_not_complete_says_why(tmp_path: Path) -> None:
    five_sites(tmp_path)
    run_of(tmp_path, "killed.example", 1, status=Status.RUNNING)
    (run_of(tmp_path, "bare.example", 1) / "urls.parquet").unlink()
    lock = lock_run(run_of(tmp_path, "going.example", 1, status=Status.RUNNING))
    reasons = {site.site: site.reason for site in read_fleet(tmp_path).incomplete}
    lock.release()
    assert reasons == {
        "torn.example": "run.json cannot be read",
        "halted.example": "the run was stopped",
        "killed.example": "the run was cut short",
        "going.example": "it is under way",
        "bare.example": "its tables are missing: build them with scrapy report",
    }


def test_of_shards_the_run_that_they_were_merged_into_counts(tmp_path: Path) -> None:
    for index, day in enumerate((19, 21), start=1):
        run = run_of(tmp_path, "a.example", 5, day=day)
        manifest = Manifest.read(run)
        manifest.arguments["shard"] = f"{index}/2"
        manifest.write(run)
    (site,) = read_fleet(tmp_path).incomplete
    assert site.reason == "it is shard 2/2 alone: merge the shards with scrapy report"
    merged = run_of(tmp_path, "a.example", 10, 10, day=20)
    manifest = Manifest.read(merged)
    manifest.shards = [ShardRun("2/2", run.name, Status.FINISHED, None, {})]
    manifest.write(merged)
    (site,) = read_fleet(tmp_path).sites
    assert (site.run, site.share, site.complete) == (f"a.example/{merged.name}", 0.5, True)


def test_rules_that_most_sites_share_stand_first(tmp_path: Path) -> None:
    rules = read_fleet(five_sites(tmp_path)).rules
    assert [(rule.rule, rule.severity, rule.sites, rule.findings) for rule in rules] == [
        ("page-not-found", "error", 2, 70),
        ("lastmod-missing", "notice", 2, 2),
    ]


def test_the_runs_of_one_site_will_do(tmp_path: Path) -> None:
    five_sites(tmp_path)
    (site,) = read_fleet(tmp_path / "fell.example").sites
    assert (site.site, site.report) == ("fell.example", "2026-11-21T12-00-00Z/report.html")


def test_both_tables_have_a_row_for_each_site(tmp_path: Path) -> None:
    fleet = read_fleet(five_sites(tmp_path))
    write_tables(fleet)
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {
        "fleet.csv", "fleet.parquet",
    }  # fmt: skip
    with duckdb.connect() as connection:
        rows = connection.execute(
            "select site, share, errors, complete, typeof(started) from read_parquet($file)",
            {"file": str(tmp_path / "fleet.parquet")},
        ).fetchall()
    assert rows[1] == ("fell.example", 0.5, 50, True, "TIMESTAMP WITH TIME ZONE")
    with (tmp_path / "fleet.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["site"] for row in read] == [site.site for site in fleet.sites]


def test_no_cell_acts_as_a_formula(tmp_path: Path) -> None:
    write_tables(read_fleet(hostile_fleet(tmp_path)))
    with (tmp_path / "fleet.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if re.match(r"[=+@\t\r]", cell)]


def page_of(audits: Path) -> str:
    return write_fleet_page(read_fleet(audits)).read_text(encoding="utf-8")


def test_the_page_tells_the_same(tmp_path: Path) -> None:
    markup = page_of(five_sites(tmp_path))
    text = text_of(markup)
    assert "Sitemap audits of 5 sites" in text
    assert "157 of the 227 URLs" in text
    assert "2 sites are not complete:" in text
    assert "halted.example : the run was stopped" in text
    rows = data_of(markup)["sites"]
    assert [row["site"] for row in rows][:2] == ["torn.example", "fell.example"]
    assert rows[1]["report"] == "fell.example/2026-11-21T12-00-00Z/report.html"
    assert rows[0]["report"] is None


def test_what_names_say_is_never_markup(tmp_path: Path) -> None:
    markup = page_of(hostile_fleet(tmp_path))
    assert SCRIPT not in markup
    assert IMAGE not in re.sub(r"(?s)<script.*?</script>", "", markup)
    assert IMAGE in json.dumps(data_of(markup), ensure_ascii=False)


def test_of_ten_thousand_sites_the_page_holds_what_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_page, "BUDGET", 900)
    monkeypatch.setattr(fleet_page, "NAMED", 1)
    markup = page_of(five_sites(tmp_path))
    rows: list[Any] = data_of(markup)["sites"]
    assert 0 < len(rows) < 5
    assert f"This page holds {len(rows)} of 5" in text_of(markup)
    assert "And 1 other" in text_of(markup)


def test_the_command_writes_all_three_and_names_the_worst(tmp_path: Path) -> None:
    done = scrapy("report", "--fleet", str(five_sites(tmp_path)))
    assert done.returncode == 0
    names = {"fleet.html", "fleet.csv", "fleet.parquet"}
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == names
    lines = [line.split() for line in done.stdout.splitlines() if ".example" in line]
    assert lines[0] == ["torn.example", "not", "known", "0", "0", "0"]
    assert lines[1] == ["fell.example", "50", "%", "-40.0", "100", "50", "1"]
    assert "halted.example: the run was stopped" in done.stdout
    assert "1 got worse, 1 better" in done.stdout


def test_names_do_nothing_to_the_terminal(tmp_path: Path) -> None:
    done = scrapy("report", "--fleet", str(hostile_fleet(tmp_path)))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("kind", ["nothing", "no runs", "a run"])
def test_what_is_no_fleet_is_one_sentence_and_status_2(tmp_path: Path, kind: str) -> None:
    run = run_of(tmp_path / "audits", "a.example", 1)
    (tmp_path / "no runs").mkdir()
    done = scrapy("report", "--fleet", str(run if kind == "a run" else tmp_path / kind))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith(".\n")
