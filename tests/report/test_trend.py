"""The trend over the earlier runs of a site, from their manifests."""

from pathlib import Path

from sitemapaudit.report.charts.trend import MAX_RUNS, Moment, build_trend, read_trend
from sitemapaudit.runs.manifest import Manifest
from tests.report.fleet import make_run

SITE = "a.example"


def trend_of(run: Path) -> list[Moment]:
    return read_trend(run, Manifest.read(run))


def test_earlier_runs_are_read_the_oldest_first(tmp_path: Path) -> None:
    make_run(tmp_path, SITE, 50, 50, day=1)
    make_run(tmp_path, SITE, 60, 40, day=2, reason="the run was stopped")
    last = make_run(tmp_path, SITE, 75, 25, day=3)
    make_run(tmp_path, SITE, 1, 99, day=4)
    moments = trend_of(last)
    assert [(each.day, each.share.percent, each.complete) for each in moments] == [
        ("2026-11-01", 50, True),
        ("2026-11-02", 60, False),
        ("2026-11-03", 75, True),
    ]
    share, urls = build_trend(moments)
    assert share.label.replace("\N{NO-BREAK SPACE}", " ") == (
        "Share of indexable URLs in 3 runs: 50.0 % (2026-11-01), 75.0 % (2026-11-03)."
    )
    assert share.marks.count("<line") == 2 + 2
    assert share.marks.count('class="point partial"') == 1
    assert "2026-11-03 12:00:00 UTC: indexable 75, not-found 25" in urls.marks


def test_runs_that_say_nothing_about_the_site_are_skipped(tmp_path: Path) -> None:
    (make_run(tmp_path, SITE, 5, day=1) / "run.json").write_text("{")
    make_run(tmp_path, SITE, 0, day=2)
    shard = make_run(tmp_path, SITE, 5, day=3)
    manifest = Manifest.read(shard)
    manifest.arguments["shard"] = "1/2"
    manifest.write(shard)
    (tmp_path / SITE / "notes.txt").touch()
    moments = trend_of(make_run(tmp_path, SITE, 5, day=4))
    assert [each.day for each in moments] == ["2026-11-04"]
    assert build_trend(moments) == []


def test_of_many_runs_the_newest_are_read(tmp_path: Path) -> None:
    for month in range(1, 4):
        for day in range(1, 29):
            folder = tmp_path / SITE / f"2026-{month:02}-{day:02}T12-00-00Z"
            folder.mkdir(parents=True)
            started = f"2026-{month:02}-{day:02}T12:00:00Z"
            Manifest({}, {}, {}, started, verdicts={"indexable": 1}).write(folder)
    moments = trend_of(make_run(tmp_path, SITE, 5))
    assert len(moments) == MAX_RUNS
    assert [each.day for each in moments[-2:]] == ["2026-03-28", "2026-11-21"]
