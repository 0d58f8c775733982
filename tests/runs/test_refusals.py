"""A run that cannot be used, a wrong setting, a full disk: one sentence, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.runs.folders import find_runs
from tests.support.commands import check_crawl, run_in_process
from tests.support.paths import PROJECT
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_run, lock_as_another

pytestmark = pytest.mark.xdist_group("refusals")

PAGE = "https://www.example.com/"
COMMANDS = {
    "report": ["report", "{later}"],
    "compare": ["compare", "{earlier}", "{later}"],
    "repair": ["repair", "{later}"],
    "resume": ["-a", "resume={later}"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs of a site."""
    audits = tmp_path_factory.mktemp("audits")
    for name in ("1", "2"):
        build_run(
            audits / name,
            [sitemap_of(listed(PAGE)), listed(PAGE), fetched_page(PAGE)],
            site="https://www.example.com",
        )
    return audits


@pytest.fixture
def runs(made: Path, tmp_path: Path) -> dict[str, Path]:
    """Return the earlier and the later run, for a test that changes them."""
    shutil.copytree(made, tmp_path / "audits")
    return {"earlier": tmp_path / "audits" / "1", "later": tmp_path / "audits" / "2"}


def change_manifest(run: Path, **values: Any) -> None:
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | values))


def said_by(command: str, runs: dict[str, Path], status: int = 2) -> str:
    """Run a command that must fail, and return its only sentence."""
    words = [word.format(**runs) for word in COMMANDS[command]]
    done = check_crawl(*words) if command == "resume" else run_in_process(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1), done
    return done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "\0",
        "[" * 5_000,
        '{"status": "x"}',
        '{"arguments": 5, "settings": {}, "versions": {}, "started": "", "status": "running"}',
        '{"arguments": {}, "settings": {}, "versions": {}, "started": "", "rows": 5}',
        '{"arguments": {}, "settings": {}, "versions": {}, "started": "", "shards": [1]}',
    ],
)
def test_an_odd_manifest_is_refused(command: str, text: str, runs: dict[str, Path]) -> None:
    (runs["later"] / "run.json").write_text(text)
    assert f"{runs['later'] / 'run.json'} cannot be read: " in said_by(command, runs)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-40])


def garble(file: Path) -> None:
    """Change the content of a table, and leave its description."""
    content = file.read_bytes()
    file.write_bytes(content[:8] + bytes(64) + content[72:])


def replace_rows(file: Path) -> None:
    duckdb.sql(f"copy (select 1 as a) to '{file}' (format parquet)")


def change_types(file: Path) -> None:
    rows = duckdb.execute(f"describe from '{file}'").fetchall()
    numbers = ", ".join(f'1 as "{column}"' for column, *_ in rows)
    duckdb.sql(f"copy (select {numbers}) to '{file}' (format parquet)")


def remove(file: Path) -> None:
    file.unlink()


DAMAGES: dict[Callable[[Path], None], str] = {
    cut: "cannot be read: it is damaged",
    remove: "is missing",
    garble: "cannot be read: it is damaged",
    replace_rows: "is not a table of this version: it has no column url",
    change_types: "is not a table of this version: its column url is INTEGER",
}
READERS = {
    "compare": ["compare", "{earlier}", "{later}"],
    "changed": ["changed", "{later}"],
    "repair": ["repair", "{earlier}"],
    "gate": ["gate", "--run", "{earlier}"],
    "baseline": ["baseline", "{earlier}"],
}


@pytest.mark.parametrize(
    ("command", "damage"),
    [*zip(READERS, DAMAGES, strict=True), *zip(READERS, [*DAMAGES][::-1], strict=True)],
)
def test_a_table_that_cannot_be_used_is_refused(
    command: str, damage: Callable[[Path], None], runs: dict[str, Path]
) -> None:
    table = runs["earlier"] / "pages.parquet"
    damage(table)
    done = run_in_process(*(word.format(**runs) for word in READERS[command]))
    assert (done.returncode, done.stdout) == (2, "")
    remedy = f"sitemapaudit report {runs['earlier']} builds it again"
    assert done.stderr == f"{table} {DAMAGES[damage]}; {remedy}.\n"


@pytest.mark.parametrize("command", [*COMMANDS, *READERS])
@pytest.mark.parametrize("place", ["pages.parquet", "report.html", "log/pages.jsonl"])
def test_what_is_not_a_file_is_never_opened(
    command: str, place: str, runs: dict[str, Path]
) -> None:
    run = runs["earlier" if "{earlier}" in (READERS | COMMANDS)[command] else "later"]
    (run / place).unlink(missing_ok=True)
    os.mkfifo(run / place)
    words = [word.format(**runs) for word in (READERS | COMMANDS)[command]]
    done = check_crawl(*words) if command == "resume" else run_in_process(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{run / place} is a named pipe, and not a file.\n" in done.stderr


def test_a_pipe_is_no_manifest(runs: dict[str, Path]) -> None:
    audits = runs["later"].parent
    (runs["later"] / "run.json").unlink()
    os.mkfifo(runs["later"] / "run.json")
    assert find_runs(audits.parent) == [runs["earlier"]]
    done = run_in_process("report", "--fleet", str(audits.parent))
    assert done.returncode == 0, done


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_in_use_is_refused(command: str, runs: dict[str, Path]) -> None:
    change_manifest(runs["later"], status="interrupted")
    with lock_as_another(runs["later"]):
        assert f"{runs['later']} is in use by process 4321.\n" in said_by(command, runs, 75)


@pytest.mark.parametrize("command", ["report", "compare", "resume"])
def test_a_run_that_cannot_be_written_is_refused(command: str, runs: dict[str, Path]) -> None:
    change_manifest(runs["later"], status="interrupted")
    shutil.rmtree(runs["later"] / "log")
    (runs["later"] / "log").touch()
    assert "File exists" in said_by(command, runs)


def test_a_run_that_cannot_be_written_is_repaired_elsewhere(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    shutil.rmtree(runs["later"] / "log")
    (runs["later"] / "log").touch()
    done = run_in_process("repair", str(runs["later"]), "--into", str(tmp_path / "repaired"))
    assert done.returncode == 0, done.stderr


def test_a_comparison_on_a_full_disk_is_incomplete(runs: dict[str, Path]) -> None:
    before = (runs["later"] / "run.json").read_bytes()
    start = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000));"
        "from sitemapaudit.cli.main import main; raise SystemExit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, "compare", str(runs["earlier"]), str(runs["later"])],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done
    assert done.stderr.startswith(f"{runs['later']} cannot be written: ")
    assert (runs["later"] / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ("DOWNLOAD_TIMEOUT=abc", "a number"),
        ("DOWNLOAD_TIMEOUT=nan", "a number"),
        ("DOWNLOAD_DELAY=", "a number"),
        ("CONCURRENT_REQUESTS=2.5", "a whole number"),
        ("RETRY_TIMES=x", "a whole number"),
        ("AUTOTHROTTLE_ENABLED=maybe", "true or false"),
        ("LOG_LEVEL=LOUD", "a level such as INFO"),
        ("LOG_FILE=/dev", "a file that can be written: Is a directory"),
        ("LOG_FILE=/dev/null/a", "a file that can be written: Not a directory"),
    ],
)
def test_a_setting_of_scrapy_has_a_type(setting: str, expected: str, tmp_path: Path) -> None:
    name, _, value = setting.partition("=")
    words = ["-a", "site=www.example.com", "-s", f"AUDIT_DIR={tmp_path}", "-s", setting]
    done = check_crawl(*words)
    assert (done.returncode, done.stderr) == (2, f"{name}: {value!r} is not {expected}.\n")
    assert not [*tmp_path.iterdir()]


def test_a_feed_is_not_a_folder(tmp_path: Path) -> None:
    words = ["-a", "site=www.example.com", "-s", f"AUDIT_DIR={tmp_path}", "-o", f"{tmp_path}:csv"]
    done = check_crawl(*words)
    assert (done.returncode, done.stderr) == (2, f"FEEDS: {tmp_path} is a folder.\n")


@pytest.mark.parametrize("setting", ["DOWNLOAD_TIMEOUT=0.5", "CLOSESPIDER_TIMEOUT=2.5"])
def test_a_number_of_seconds_can_have_a_fraction(setting: str, tmp_path: Path) -> None:
    words = ["-a", "site=www.example.com", "-s", f"AUDIT_DIR={tmp_path}", "-s", setting]
    with pytest.raises(AssertionError, match="the crawl would start"):
        check_crawl(*words)


def test_a_setting_that_was_dropped_does_not_block_a_resume(
    runs: dict[str, Path], caplog: pytest.LogCaptureFixture
) -> None:
    manifest = json.loads((runs["later"] / "run.json").read_text())
    change_manifest(
        runs["later"],
        status="interrupted",
        settings=manifest["settings"] | {"AUDIT_OLD": "1"},
        arguments=manifest["arguments"] | {"older": "2"},
    )
    with pytest.raises(AssertionError, match="the crawl would start"):
        check_crawl("-a", f"resume={runs['later']}")
    for what in ("the setting AUDIT_OLD", "the argument older"):
        assert f"The run has {what}, which this version does not have; it is ignored" in caplog.text
