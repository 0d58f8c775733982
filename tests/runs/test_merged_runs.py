"""``sitemapaudit report RUN RUN …``: which runs can be merged, where to, and the result."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from sitemapaudit import open_run, open_runs
from sitemapaudit.items import Kind, Sitemap
from sitemapaudit.runs.folders import previous_run
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import Item, merge, owned_urls, work
from tests.support.commands import check_crawl, run_in_process
from tests.support.rows import SITEMAP, fetched_page, listed
from tests.support.runs import lock_as_another

pytestmark = pytest.mark.xdist_group("shard-reports")

SHARDS = [Shard(index, 4) for index in (1, 2, 3, 4)]
FILE = Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=13)
URLS = [url for shard in SHARDS for url in owned_urls(shard, 3)]


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the run folders of four workers that have finished."""
    site = tmp_path_factory.mktemp("audits") / "www.example.com"
    items: list[Item] = [FILE, listed(*URLS, "none")]
    pages = {shard: map(fetched_page, filter(shard.owns, URLS)) for shard in SHARDS}
    return [work(site, shard, [*items, *pages[shard]], place) for place, shard in enumerate(SHARDS)]


@pytest.fixture
def copies(shards: list[Path], tmp_path: Path) -> list[Path]:
    """Return copies of them, which a test can change."""
    return [Path(shutil.copytree(run, tmp_path / "www" / run.name)) for run in shards]


def alter(run: Path, **values: object) -> None:
    """Change values in a manifest: a key of it, or else a setting or an argument."""
    text = json.loads((run / "run.json").read_text())
    for name, value in values.items():
        values_of = text if name in text else text["settings" if name.isupper() else "arguments"]
        values_of[name] = value
    (run / "run.json").write_text(json.dumps(text))


def test_all_shards_make_up_the_whole_run(copies: list[Path]) -> None:
    before = {file: file.read_bytes() for run in copies for file in run.rglob("*.json*")}
    run = merge(copies[2], copies[0], copies[3], copies[1])
    assert run.path.name == "2026-11-21T12-00-00Z-merged"
    assert run.manifest.complete
    assert (run.manifest.verdicts, run.manifest.started) == (
        {"indexable": 12},
        "2026-11-21T12:00:00Z",
    )
    assert [(each.shard, each.run) for each in run.manifest.shards] == [
        (str(shard), folder.name) for shard, folder in zip(SHARDS, copies, strict=True)
    ]
    assert (run.path / "report.html").is_file()
    assert {file: file.read_bytes() for file in before} == before
    # The shards no longer count as runs of their copies, and none is the previous run.
    assert open_run(copies[0].parent).path == run.path
    assert [each.path for each in open_runs(copies[0].parent)] == [run.path]
    assert (previous_run(run.path), previous_run(copies[3])) == (None, None)
    # Rebuilt like any other run, it has the same results.
    shutil.rmtree(copies[0])
    done = run_in_process("report", str(run.path))
    assert done.returncode == 0, done.stderr
    assert open_run(run.path).manifest.verdicts == {"indexable": 12}
    done = check_crawl("-a", f"resume={run.path}")
    assert done.stderr == f"resume: {run.path} was merged from shards; resume the shards.\n"
    assert done.returncode == 2


def test_a_merged_run_is_compared_and_repaired_like_any_other(tmp_path: Path) -> None:
    site = tmp_path / "www.example.com"
    halves, missing = [Shard(1, 2), Shard(2, 2)], URLS[::4]
    pages = [fetched_page(url, 404 if url in missing else 200) for url in URLS]
    for night, pages_of_night in enumerate((map(fetched_page, URLS), pages)):
        rows = list(pages_of_night)
        parts = [
            work(
                site, shard,
                [FILE, listed(*URLS), *(row for row in rows if shard.owns(row.url))],
                2 * night + place,
            )
            for place, shard in enumerate(halves)
        ]  # fmt: skip
        run = merge(*parts)
    assert run.manifest.compared_with == "2026-11-21T12-00-00Z-merged"
    assert run.manifest.changes is not None
    assert run.manifest.changes["verdict-changed"] == len(missing)
    compared = run_in_process("compare", str(site))
    assert compared.returncode == 0, compared.stderr
    assert f"{len(missing)} indexable → not-found" in " ".join(compared.stdout.split())
    repaired = run_in_process("repair", str(site), "--into", str(tmp_path / "fixed"))
    assert repaired.returncode == 0, repaired.stderr
    with (tmp_path / "fixed" / "changes.csv").open(encoding="utf-8-sig", newline="") as rows_of:
        assert {row["url"] for row in csv.DictReader(rows_of)} == set(missing)
    text = "".join(file.read_text() for file in (tmp_path / "fixed").rglob("*.xml"))
    assert text.count("<loc>") == len(URLS) - len(missing)


def test_a_single_shard_is_not_the_audit(copies: list[Path]) -> None:
    for run in copies[1:]:
        shutil.rmtree(run)
    done = run_in_process("report", "--exit-zero", *map(str, copies[0].parent.iterdir()))
    assert done.returncode == 3
    sentence = "This run is shard 1 of 4: the URLs of the others are not in it."
    assert sentence in " ".join(done.stdout.split())
    assert sentence in (copies[0] / "report.html").read_text()


def test_a_missing_shard_is_reported_until_it_is_merged(copies: list[Path]) -> None:
    run = merge(copies[0], copies[1], copies[3])
    reason = "shard 3 of 4 is missing: about 25.0 % of the URLs were not fetched"
    assert run.manifest.reason == reason
    assert (run.manifest.complete, run.manifest.unchecked_urls) == (False, 3)
    assert (run.urls["skip_reason"] == "shard").sum() == 3
    assert reason in run.findings.query("rule == 'audit-incomplete'")["message"].item()
    assert reason in (run.path / "report.html").read_text()
    # The status says so each time, whatever it may forgive.
    for words in ([str(run.path)], ["--exit-zero", str(run.path)]):
        assert run_in_process("report", *words).returncode == 3
    # A pattern of the shell also matches the run that was merged before.
    again = merge(*sorted(copies[0].parent.iterdir()))
    assert (again.path, again.manifest.complete) == (run.path, True)


def test_the_summary_says_how_to_continue(copies: list[Path]) -> None:
    alter(copies[1], status="running", finished=None)
    shutil.rmtree(copies[2])
    done = run_in_process("report", *map(str, (copies[0], copies[1])))
    assert done.returncode == 3, done.stderr
    text = " ".join(done.stdout.split())
    assert (
        "The audit is incomplete: shards 3 and 4 of 4 are missing: about 50.0 % of the URLs were"
        " not fetched; shard 2 of 4: the run was interrupted." in text
    )
    assert f"sitemapaudit audit --resume {copies[1]}" in done.stdout
    assert "merge all shards again" in done.stdout


def error_of(*runs: Path, into: Path | None = None) -> str:
    with pytest.raises((ValueError, OSError)) as caught:
        merge(*runs, into=into)
    return str(caught.value)


def test_wrong_arguments_are_one_sentence(copies: list[Path]) -> None:
    done = run_in_process("report", str(copies[0]), str(copies[0]))
    assert done.stderr == f"{copies[0]} and {copies[0]} are both shard 1 of 4.\n"
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"shard": "2/3"}, "one is shard 1 of 4, the other shard 2 of 3"),
        ({"shard": "1/1"}, "is not a shard; only shards of one audit can be merged"),
        (
            {"site": "other.example"},
            "site is 'www.example.com' in one and 'other.example' in the other",
        ),
        ({"AUDIT_SEED": 7}, "AUDIT_SEED is 0 in one and 7 in the other"),
    ],
)
def test_runs_of_different_audits_cannot_be_merged(
    copies: list[Path], values: dict[str, object], reason: str
) -> None:
    alter(copies[1], **values)
    assert reason in error_of(copies[0], copies[1])


def test_other_folders_are_not_overwritten(copies: list[Path], tmp_path: Path) -> None:
    assert f"{copies[2]} already exists" in error_of(copies[0], copies[1], into=copies[2])
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "note").touch()
    assert "already exists" in error_of(copies[0], copies[1], into=tmp_path / "other")
    assert "no run folder" in error_of(copies[0], tmp_path / "nowhere")


def test_a_running_shard_cannot_be_merged(copies: list[Path]) -> None:
    with lock_as_another(copies[1]):
        assert f"{copies[1]} is in use by" in error_of(copies[0], copies[1])


def test_the_settings_are_those_of_the_audit_unless_others_are_given(copies: list[Path]) -> None:
    for run in copies:
        manifest = Manifest.read(run)
        manifest.settings["AUDIT_RULES"] = {"loc-not-absolute": "warning"}
        manifest.write(run)
    words = ["report", *map(str, copies), "--into", str(copies[0].parent.parent / "new" / "run")]
    done = run_in_process(*words, "-s", "AUDIT_FAIL_ON=warning")
    assert done.returncode == 1, done.stderr
    merged = open_run(copies[0].parent.parent / "new")
    assert merged.findings.query("rule == 'loc-not-absolute'")["severity"].tolist() == ["warning"]
    assert merged.manifest.shards[0].run == str(copies[0].resolve())
