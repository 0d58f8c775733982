"""``sitemapaudit sql`` and ``open``: the tables and the report of a run from the shell."""

import csv
import json
import subprocess
import sys
import webbrowser
from pathlib import Path

import pytest

from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.formats.csv_files import harmless, write_csv
from sitemapaudit.runs.folders import find_run
from tests.gating.runs import SITE, make_run
from tests.sites.website import Website
from tests.support.commands import run_in_process, sitemapaudit
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


def test_columns_with_one_name_are_all_in_the_json(run: Path) -> None:
    query = "select 1 as a, 2 as a, 3 as a_2, 4 as a"
    done = run_in_process("sql", str(run), query, "--as", "json")
    assert json.loads(done.stdout) == {"a": 1, "a_3": 2, "a_2": 3, "a_4": 4}


def test_no_cell_acts_as_a_formula(run: Path) -> None:
    texts = ["=1+1", "+1", "-1", "@a", "\N{FULLWIDTH EQUALS SIGN}1", "\t=1", "a;=1", 'a\n"=1']
    texts += ["a=1", "a-b", "", "1;2", "\N{HANGUL SYLLABLE GA}=1"]
    with connect() as connection:
        connection.execute("create table texts as select unnest($texts) as t", {"texts": texts})
        write_csv(connection, {"t": "VARCHAR"}, "texts", run / "texts.csv")
    with (run / "texts.csv").open(encoding="utf-8-sig", newline="") as file:
        written = [row[0] for row in csv.reader(file)][1:]
    assert list(map(harmless, texts)) == written
    query = "select '=1+1' as a, ['=2', 'b'] as b, -1 as c"
    done = run_in_process("sql", str(run), query, "--as", "csv")
    assert done.stdout.splitlines()[1:] == ["'=1+1,'=2 b,'-1"]


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


@pytest.mark.parametrize(
    "query", ["selec 1", "select x from urls", "from nothing", "select 1/'a'", "", "-- urls"]
)
def test_a_wrong_query_is_one_sentence(run: Path, query: str) -> None:
    done = run_in_process("sql", str(run), query)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("sql: ")


def test_a_query_changes_no_run(run: Path) -> None:
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    run_in_process("sql", str(run), "drop view urls")
    run_in_process("sql", str(run), "delete from urls")
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file in which a browser notes the address that it opened."""
    note, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {note}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    monkeypatch.setenv("CI", "")
    monkeypatch.setattr(webbrowser, "_tryorder", None)  # It is read once in a process.
    return note


def test_the_report_opens_in_the_browser(run: Path, opened: Path) -> None:
    (run / "report.html").touch()
    done = run_in_process("open", str(run.parent))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{run / 'report.html'}\n", "")
    assert opened.read_text().strip() == (run / "report.html").as_uri()
    (run / "report.html").unlink()
    assert run_in_process("open", str(run)).returncode == 2


def test_an_audit_opens_its_report_at_the_end(tmp_path: Path, opened: Path) -> None:
    with Website("nothing") as website:
        done = sitemapaudit("audit", website.origin, "--open", cwd=tmp_path)
    report = find_run(tmp_path / "audits") / "report.html"
    assert opened.read_text().split() == [report.as_uri()]
    assert done.stdout.splitlines()[-1] == str(report.relative_to(tmp_path))
    assert done.returncode == 3  # The site has no sitemap.


@pytest.mark.parametrize("variables", [{"CI": "true"}, {"BROWSER": ""}])
def test_no_browser_opens_where_nobody_sees_it(
    run: Path, opened: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in {"DISPLAY": "", "WAYLAND_DISPLAY": "", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    (run / "report.html").touch()
    done = run_in_process("open", str(run))
    assert (done.returncode, done.stdout) == (0, f"{run / 'report.html'}\n")
    assert done.stderr == "There is no browser here: open it elsewhere.\n"
    assert not opened.exists()


def test_a_list_of_sites_has_no_report_to_open() -> None:
    done = run_in_process("audit", "--sites", "sites.txt", "--open")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("audit: --open has no effect with --sites")
