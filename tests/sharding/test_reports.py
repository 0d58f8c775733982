"""``scrapy report RUN RUN …``: which runs are one audit, where it goes, and what is told of it."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from sitemapaudit import open_run, open_runs
from sitemapaudit.datasets.folders import lock_run, run_before
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Kind, Sitemap
from sitemapaudit.sharding import Shard
from tests.sharding.worker import Item, held, merge, work
from tests.support import SITEMAP, answered, listed, scrapy

SHARDS = [Shard(index, 4) for index in (1, 2, 3, 4)]
FILE = Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=13)
URLS = [url for shard in SHARDS for url in held(shard, 3)]


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the run folders of four workers that are done."""
    site = tmp_path_factory.mktemp("audits") / "www.example.com"
    read: list[Item] = [FILE, listed(*URLS, "none")]
    pages = {shard: map(answered, filter(shard.holds, URLS)) for shard in SHARDS}
    return [work(site, shard, [*read, *pages[shard]], place) for place, shard in enumerate(SHARDS)]


@pytest.fixture
def own(shards: list[Path], tmp_path: Path) -> list[Path]:
    """Return the same, to be changed."""
    return [Path(shutil.copytree(run, tmp_path / "www" / run.name)) for run in shards]


def alter(run: Path, **values: object) -> None:
    """Change what stands in a manifest: what it says, or else an argument or a setting."""
    text = json.loads((run / "run.json").read_text())
    for name, value in values.items():
        where = text if name in text else text["settings" if name.isupper() else "arguments"]
        where[name] = value
    (run / "run.json").write_text(json.dumps(text))


def test_all_of_them_are_the_whole(own: list[Path]) -> None:
    before = {file: file.read_bytes() for run in own for file in run.rglob("*.json*")}
    run = merge(own[2], own[0], own[3], own[1])
    assert run.path.name == "2026-11-21T12-00-00Z-merged"
    assert run.manifest.complete
    assert (run.manifest.verdicts, run.manifest.started) == (
        {"indexable": 12},
        "2026-11-21T12:00:00Z",
    )
    assert [(each.shard, each.run) for each in run.manifest.shards] == [
        (str(shard), folder.name) for shard, folder in zip(SHARDS, own, strict=True)
    ]
    assert (run.path / "report.html").is_file()
    assert {file: file.read_bytes() for file in before} == before
    # The parts are no longer runs of their own, nor is one of them what was before.
    assert open_run(own[0].parent).path == run.path
    assert [each.path for each in open_runs(own[0].parent)] == [run.path]
    assert (run_before(run.path), run_before(own[3])) == (None, None)
    # Built again by itself, as any run, it tells the same.
    shutil.rmtree(own[0])
    done = scrapy("report", str(run.path))
    assert done.returncode == 0, done.stderr
    assert open_run(run.path).manifest.verdicts == {"indexable": 12}
    done = scrapy("crawl", "sitemap", "-a", f"resume={run.path}")
    assert done.stderr == f"resume: {run.path} was merged from shards; resume these.\n"
    assert done.returncode == 2


def test_what_was_merged_is_compared_and_repaired_as_any_run(tmp_path: Path) -> None:
    site = tmp_path / "www.example.com"
    gone = URLS[::4]
    pages = [answered(url, 404 if url in gone else 200) for url in URLS]
    for night, asked in enumerate((map(answered, URLS), pages)):
        rows = list(asked)
        parts = [
            work(
                site, shard,
                [FILE, listed(*URLS), *(row for row in rows if shard.holds(row.url))],
                4 * night + place,
            )
            for place, shard in enumerate(SHARDS)
        ]  # fmt: skip
        run = merge(*parts)
    assert run.manifest.compared_with == "2026-11-21T12-00-00Z-merged"
    assert run.manifest.changes is not None
    assert run.manifest.changes["verdict"] == len(gone)
    compared = scrapy("compare", str(site))
    assert compared.returncode == 0, compared.stderr
    assert f"{len(gone)} indexable → not-found" in " ".join(compared.stdout.split())
    repaired = scrapy("repair", str(site), "--into", str(tmp_path / "fixed"))
    assert repaired.returncode == 0, repaired.stderr
    with (tmp_path / "fixed" / "changes.csv").open(encoding="utf-8", newline="") as rows_of:
        assert {row["url"] for row in csv.DictReader(rows_of)} == set(gone)
    text = "".join(file.read_text() for file in (tmp_path / "fixed").rglob("*.xml"))
    assert text.count("<loc>") == len(URLS) - len(gone)


def test_one_that_is_missing_is_named_until_it_is_there(own: list[Path]) -> None:
    run = merge(own[0], own[1], own[3])
    reason = "shard 3 of 4 is missing: about 25% of the URLs were not asked for"
    assert run.manifest.reason == reason
    assert (run.manifest.complete, run.manifest.unchecked) == (False, 3)
    assert (run.urls["left_out"] == "shard").sum() == 3
    assert reason in run.findings.query("rule == 'audit-incomplete'")["message"].item()
    assert reason in (run.path / "report.html").read_text()
    # With a pattern of the shell, the merged run of before is among what is named.
    again = merge(*sorted(own[0].parent.iterdir()))
    assert (again.path, again.manifest.complete) == (run.path, True)


def test_the_summary_says_how_to_go_on(own: list[Path]) -> None:
    alter(own[1], status="running", finished=None)
    shutil.rmtree(own[2])
    done = scrapy("report", *map(str, (own[0], own[1])))
    assert done.returncode == 3, done.stderr
    text = " ".join(done.stdout.split())
    assert (
        "not complete: shards 3 and 4 of 4 are missing: about 50% of the URLs were not asked for;"
        " shard 2 of 4: the run was cut short." in text
    )
    assert f"scrapy crawl sitemap -a resume={own[1]}" in done.stdout
    assert "merge all shards again" in done.stdout


def refusal(*runs: Path, into: Path | None = None) -> str:
    with pytest.raises((ValueError, OSError)) as caught:
        merge(*runs, into=into)
    return str(caught.value)


def test_wrong_arguments_are_one_sentence(own: list[Path]) -> None:
    done = scrapy("report", str(own[0]), str(own[0]))
    assert done.stderr == f"{own[0]} and {own[0]} are both shard 1 of 4.\n"
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"shard": "2/3"}, "one is shard 1 of 4, the other shard 2 of 3"),
        ({"shard": "1/1"}, "is a whole run: only shards of one audit are merged"),
        ({"site": "other.example"}, "site is 'www.example.com' in one, 'other.example' in other"),
        ({"AUDIT_SEED": 7}, "AUDIT_SEED is 0 in one, 7 in other"),
    ],
)
def test_runs_that_are_not_of_one_audit_are_refused(
    own: list[Path], values: dict[str, object], reason: str
) -> None:
    alter(own[1], **values)
    assert reason in refusal(own[0], own[1])


def test_what_is_there_is_not_overwritten(own: list[Path], tmp_path: Path) -> None:
    assert f"{own[2]} is there already" in refusal(own[0], own[1], into=own[2])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note").touch()
    assert "is there already" in refusal(own[0], own[1], into=tmp_path / "mine")
    assert "no run folder" in refusal(own[0], tmp_path / "nowhere")


def test_one_that_is_under_way_is_waited_for(own: list[Path]) -> None:
    lock = lock_run(own[1])
    assert f"{own[1]} is under way in another process" in refusal(own[0], own[1])
    lock.release()


def test_settings_are_those_of_the_audit_unless_others_are_given(own: list[Path]) -> None:
    for run in own:
        manifest = Manifest.read(run)
        manifest.settings["AUDIT_RULES"] = {"loc-not-absolute": "warning"}
        manifest.write(run)
    words = ["report", *map(str, own), "--into", str(own[0].parent.parent / "new" / "run")]
    done = scrapy(*words, "-s", "AUDIT_FAIL_ON=warning")
    assert done.returncode == 1, done.stderr
    merged = open_run(own[0].parent.parent / "new")
    assert merged.findings.query("rule == 'loc-not-absolute'")["severity"].tolist() == ["warning"]
    assert merged.manifest.shards[0].run == str(own[0].resolve())
