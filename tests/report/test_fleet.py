"""The fleet: every site once, the worst first, and each incomplete audit with its reason."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.report.fleet import page as fleet_page
from sitemapaudit.report.fleet.page import write_fleet_page
from sitemapaudit.report.fleet.reading import Fleet, FleetSite, read_fleet
from sitemapaudit.report.fleet.tables import write_tables
from sitemapaudit.report.overview import build_overview
from sitemapaudit.runs.manifest import Manifest, ShardRun, Status
from tests.report.fleet import make_five_sites, make_hostile_fleet, make_run
from tests.report.markup import data_of, text_of
from tests.report.site import IMAGE, SCRIPT
from tests.support.commands import run_in_process, scrapy
from tests.support.runs import lock_as_another


def by_name(fleet: Fleet) -> dict[str, FleetSite]:
    return {site.site: site for site in fleet.sites}


def test_the_worst_site_is_first(tmp_path: Path) -> None:
    fleet = read_fleet(make_five_sites(tmp_path))
    assert [site.site for site in fleet.sites] == [
        "unreadable.example",
        "worse.example",
        "better.example",
        "interrupted.example",
        "new.example",
    ]
    assert (fleet.worse, fleet.better) == (1, 1)
    assert (fleet.counts.indexable, fleet.counts.judged) == (157, 227)


def test_with_equal_shares_the_site_with_more_errors_is_first(tmp_path: Path) -> None:
    make_run(tmp_path, "a.example", 1, 1)
    make_run(tmp_path, "b.example", 10, 10)
    assert [site.site for site in read_fleet(tmp_path).sites] == ["b.example", "a.example"]


def test_a_site_is_compared_with_its_previous_complete_run_with_the_same_arguments(
    tmp_path: Path,
) -> None:
    make_run(tmp_path, "worse.example", 1, 1, day=20, reason="the run was stopped")
    sites = by_name(read_fleet(make_five_sites(tmp_path)))
    worse, better, new = (sites[f"{name}.example"] for name in ("worse", "better", "new"))
    assert (worse.previous_share, worse.share, worse.new, worse.fixed) == (0.9, 0.5, 40, 0)
    assert worse.share_change == pytest.approx(-0.4)
    assert (better.previous_share, better.share, better.fixed) == (0.4, 0.8, 41)
    assert (new.previous_share, new.share_change, new.new) == (None, None, None)


def test_the_share_is_the_same_as_in_the_report(tmp_path: Path) -> None:
    run = make_run(tmp_path, "a.example", 5, 3)
    manifest = Manifest.read(run)
    manifest.verdicts |= {"blocked": 2, "unchecked": 9}
    manifest.write(run)
    (site,) = read_fleet(tmp_path).sites
    overview = build_overview(Manifest.read(run))
    assert (site.share, site.known, site.indexable) == (overview.share, 8, 5)


def test_each_incomplete_audit_has_a_reason(tmp_path: Path) -> None:
    make_five_sites(tmp_path)
    make_run(tmp_path, "killed.example", 1, status=Status.RUNNING)
    (make_run(tmp_path, "bare.example", 1) / "urls.parquet").unlink()
    with lock_as_another(make_run(tmp_path, "running.example", 1, status=Status.RUNNING)):
        reasons = {site.site: site.reason for site in read_fleet(tmp_path).incomplete}
    assert reasons == {
        "unreadable.example": "run.json cannot be read",
        "interrupted.example": "the run was stopped",
        "killed.example": "the run was interrupted",
        "running.example": "the run is still running",
        "bare.example": "its tables are missing: build them with sitemapaudit report",
    }


def test_a_site_has_the_figures_of_its_last_audit_while_the_next_one_runs(tmp_path: Path) -> None:
    ended = make_run(tmp_path, "a.example", 5, 5, day=20)
    running = make_run(tmp_path, "a.example", 1, day=21, status=Status.RUNNING)
    with lock_as_another(running):
        (site,) = read_fleet(tmp_path).sites
    assert (site.run, site.share) == (f"a.example/{ended.name}", 0.5)
    # It was killed.
    (site,) = read_fleet(tmp_path).sites
    assert (site.run, site.reason) == (f"a.example/{running.name}", "the run was interrupted")


def test_a_merged_run_replaces_its_shards(tmp_path: Path) -> None:
    for index, day in enumerate((19, 21), start=1):
        run = make_run(tmp_path, "a.example", 5, day=day)
        manifest = Manifest.read(run)
        manifest.arguments["shard"] = f"{index}/2"
        manifest.write(run)
    (site,) = read_fleet(tmp_path).incomplete
    assert site.reason == "it is only shard 2/2: merge the shards with sitemapaudit report"
    merged = make_run(tmp_path, "a.example", 10, 10, day=20)
    manifest = Manifest.read(merged)
    manifest.shards = [ShardRun("2/2", run.name, Status.FINISHED, None, {})]
    manifest.write(merged)
    (site,) = read_fleet(tmp_path).sites
    assert (site.run, site.share, site.complete) == (f"a.example/{merged.name}", 0.5, True)


def test_rules_that_most_sites_break_are_first(tmp_path: Path) -> None:
    rules = read_fleet(make_five_sites(tmp_path)).rules
    assert [(rule.rule, rule.severity, rule.sites, rule.findings) for rule in rules] == [
        ("page-not-found", "error", 2, 70),
        ("lastmod-missing", "notice", 2, 2),
    ]


def test_the_folder_of_a_single_site_is_a_fleet_too(tmp_path: Path) -> None:
    make_five_sites(tmp_path)
    (site,) = read_fleet(tmp_path / "worse.example").sites
    assert (site.site, site.report) == ("worse.example", "2026-11-21T12-00-00Z/report.html")


def test_both_tables_have_a_row_per_site(tmp_path: Path) -> None:
    fleet = read_fleet(make_five_sites(tmp_path))
    write_tables(fleet)
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == {
        "fleet.csv", "fleet.parquet",
    }  # fmt: skip
    with duckdb.connect() as connection:
        rows = connection.execute(
            "select site, share, errors, complete, typeof(started) from read_parquet($file)",
            {"file": str(tmp_path / "fleet.parquet")},
        ).fetchall()
    assert rows[1] == ("worse.example", 0.5, 50, True, "TIMESTAMP WITH TIME ZONE")
    with (tmp_path / "fleet.csv").open(encoding="utf-8-sig", newline="") as file:
        read = list(csv.DictReader(file))
    assert [row["site"] for row in read] == [site.site for site in fleet.sites]


def test_no_csv_cell_acts_as_a_formula(tmp_path: Path) -> None:
    write_tables(read_fleet(make_hostile_fleet(tmp_path)))
    with (tmp_path / "fleet.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if re.match(r"[=+@\t\r]", cell)]


def page_of(audits: Path) -> str:
    return write_fleet_page(read_fleet(audits)).read_text(encoding="utf-8")


def test_the_page_contains_the_same_sites(tmp_path: Path) -> None:
    markup = page_of(make_five_sites(tmp_path))
    text = text_of(markup)
    assert "Sitemap audits of 5 sites" in text
    assert "69.1 % of 227 judged URLs are indexable." in text
    assert "2 incomplete audits." in text
    assert "interrupted.example : the run was stopped" in text
    rows = data_of(markup)["sites"]
    assert [row["site"] for row in rows][:2] == ["unreadable.example", "worse.example"]
    assert rows[1]["report"] == "worse.example/2026-11-21T12-00-00Z/report.html"
    assert rows[0]["report"] is None


def test_names_are_never_markup(tmp_path: Path) -> None:
    markup = page_of(make_hostile_fleet(tmp_path))
    assert SCRIPT not in markup
    assert IMAGE not in re.sub(r"(?s)<script.*?</script>", "", markup)
    assert IMAGE in json.dumps(data_of(markup), ensure_ascii=False)


def test_the_page_contains_only_as_many_sites_as_its_budget_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_page, "BUDGET", 900)
    monkeypatch.setattr(fleet_page, "MAX_NAMED", 1)
    markup = page_of(make_five_sites(tmp_path))
    rows: list[Any] = data_of(markup)["sites"]
    assert 0 < len(rows) < 5
    assert f"This page contains {len(rows)} of 5 sites" in text_of(markup)
    assert "And 1 more site" in text_of(markup)


def test_the_command_writes_all_files_and_prints_the_worst_sites(tmp_path: Path) -> None:
    done = scrapy("report", "--fleet", str(make_five_sites(tmp_path)))
    assert done.returncode == 0
    names = {"fleet.html", "fleet.csv", "fleet.parquet"}
    assert {file.name for file in tmp_path.iterdir() if file.is_file()} == names
    lines = [line.split() for line in done.stdout.splitlines() if ".example" in line]
    assert lines[0] == ["unreadable.example", "unknown", "0", "0", "0"]
    assert lines[1] == ["worse.example", "50.0", "%", "-40.0", "100", "50", "1"]
    assert "interrupted.example: the run was stopped" in done.stdout
    assert "1 worse, 1 better" in done.stdout


def test_names_cannot_control_the_terminal(tmp_path: Path) -> None:
    done = run_in_process("report", "--fleet", str(make_hostile_fleet(tmp_path)))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("kind", ["nothing", "no runs", "a run"])
def test_a_folder_that_is_not_a_fleet_is_refused(tmp_path: Path, kind: str) -> None:
    run = make_run(tmp_path / "audits", "a.example", 1)
    (tmp_path / "no runs").mkdir()
    done = run_in_process("report", "--fleet", str(run if kind == "a run" else tmp_path / kind))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.endswith(".\n")
