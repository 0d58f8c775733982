"""``sitemapaudit sql`` and ``open``: the tables and the report of a run from the shell."""

import csv
import json
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest

from tests.gating.runs import SITE, make_run
from tests.support.commands import run_in_process
from tests.support.paths import PROJECT


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "audits")


def test_a_result_is_a_table_csv_or_json(run: Path) -> None:
    query = "select url, verdict, status, sitemaps, lastmod from urls order by url limit 2"
    text, lines = (
        run_in_process("sql", str(run), query, "--as", form).stdout for form in ("csv", "json")
    )
    first = [f"{SITE}/a", "indexable", "200", f"{SITE}/sitemap.xml"]
    table = run_in_process("sql", str(run), "select verdict, status from urls order by url").stdout
    assert [line.split() for line in table.splitlines()[:2]] == [["verdict", "status"], first[1:3]]
    assert [*csv.reader(text.splitlines())][1] == [*first, ""]
    assert json.loads(lines.splitlines()[1]) == {
        "url": f"{SITE}/b",
        "verdict": "not-found",
        "status": 404,
        "sitemaps": [f"{SITE}/sitemap.xml"],
        "lastmod": None,
    }


def test_no_text_of_a_site_controls_the_terminal(run: Path) -> None:
    for form in ("table", "csv", "json"):
        done = run_in_process("sql", str(run), "select chr(27) || '[2J' as title", "--as", form)
        assert (done.returncode, "\x1b" in done.stdout, "[2J" in done.stdout) == (0, False, True)


def test_a_reader_that_is_gone_is_no_error(run: Path) -> None:
    words = (sys.executable, "-m", "sitemapaudit", "sql", str(run), "from range(100_000)")
    with subprocess.Popen(
        [*words, "--as", "csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline() == b"range\n"
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 0


def test_a_long_table_says_what_it_omits(run: Path) -> None:
    done = run_in_process("sql", str(run), "from range(101)")
    assert len(done.stdout.splitlines()) == 101
    assert done.stderr == "These are the first 100 rows; --as csv prints all.\n"
    assert run_in_process("sql", str(run), "from range(100)").stderr == ""


@pytest.mark.parametrize("query", ["selec 1", "select x from urls", "from nothing", "select 1/'a'"])
def test_a_wrong_query_is_one_sentence(run: Path, query: str) -> None:
    done = run_in_process("sql", str(run), query)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("sql: ")


def test_a_query_changes_no_run(run: Path) -> None:
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    run_in_process("sql", str(run), "drop view urls")
    run_in_process("sql", str(run), "delete from urls")
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before


def test_the_report_opens_in_the_browser(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run / "report.html").touch()
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setattr(webbrowser, "_tryorder", None)  # It is read once in a process.
    done = run_in_process("open", str(run.parent))
    assert (done.returncode, done.stdout) == (0, f"{run / 'report.html'}\n")
    assert opened.read_text().strip() == (run / "report.html").as_uri()
    (run / "report.html").unlink()
    assert run_in_process("open", str(run)).returncode == 2
