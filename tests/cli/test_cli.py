"""The program ``sitemapaudit``: its commands, their help, and one sentence for each mistake."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import __version__, open_run
from sitemapaudit.cli import scrapy_commands, scrapy_crawl
from sitemapaudit.cli.commands import command_names, load_command, summary_of
from sitemapaudit.cli.options import settings_of
from sitemapaudit.cli.program import make_parser
from sitemapaudit.config import Arguments, AuditSettings
from sitemapaudit.runs.folders import find_run
from tests.plugins.interpreters.commands import own_environment
from tests.sites.website import Website
from tests.support.commands import check_crawl, run_in_process, scrapy, sitemapaudit
from tests.support.paths import PROJECT
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("cli")

A, B = "https://www.example.com/a", "https://www.example.com/b"


def one_line(text: str) -> str:
    """Return a text in one line, with the words that were broken at a hyphen."""
    return " ".join(re.sub(r"-\n\s+", "-", text).split())


def shown_in_help(text: str, output: str) -> bool:
    """Return whether a help text is in the output, however its lines were broken."""
    return "".join(text.split()) in "".join(output.split())


RUNS = {"2026-11-20T00-00-00Z": 200, "2026-11-21T00-00-00Z": 404}
"""Two runs of a site, by the status of the page B."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs of a site."""
    folder = tmp_path_factory.mktemp("runs")
    entries = listed(A, B)
    for name, status in RUNS.items():
        pages = fetched_page(A), fetched_page(B, status)
        build_audited_run(folder / name, [sitemap_of(entries), entries, *pages])
    return folder


@pytest.fixture
def places(tmp_path: Path, runs: Path) -> dict[str, str]:
    """Return what each command needs: a run, two runs of a site, and a list of sites."""
    site, sites = tmp_path / "www.example.com", tmp_path / "sites.txt"
    shutil.copytree(runs, site)
    sites.write_text("www.example.com\n", encoding="utf-8")
    return {"run": str(site / max(RUNS)), "list": str(sites), "folder": str(tmp_path)}


POSITIONALS = {
    "SITE": "www.example.com",
    "RUN": "{run}",
    "LIST": "{list}",
    "NAME": "run",
    "QUERY": "from urls",
    "FOLDER": "{folder}",
}
"""A word for each kind of argument without a name; what may be missing is."""


def words_for(command: str, places: dict[str, str]) -> list[str]:
    """Return words with which a command is complete."""
    positionals = make_parser(load_command(command))._get_positional_actions()
    words = [POSITIONALS[str(each.metavar)] for each in positionals if each.metavar != "ID"]
    return [command, *(word.format(**places) for word in words)]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]], ids=["none", "--help", "-h"])
def test_the_program_lists_its_commands(words: list[str]) -> None:
    done = run_in_process(*words)
    assert (done.returncode, done.stderr) == (0, "")
    for name in command_names():
        assert f"  {name:<10} {summary_of(name)}\n" in done.stdout


def test_the_version_is_printed() -> None:
    assert run_in_process("--version").stdout == f"sitemapaudit {__version__}\n"


@pytest.mark.parametrize("command", command_names())
def test_help_lists_every_argument_with_what_it_takes_and_means(command: str) -> None:
    done = run_in_process(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: sitemapaudit {command} [options]")
    assert f"\n{summary_of(command)}.\n" in done.stdout
    for action in make_parser(load_command(command))._actions:
        assert action.help, action
        names = action.option_strings or [str(action.metavar)]
        assert all(f"  {name}" in done.stdout or f", {name}" in done.stdout for name in names)
        if action.nargs != 0:
            assert action.metavar, action
            assert action.metavar != "VALUE"


@pytest.mark.parametrize("command", command_names())
def test_every_setting_that_a_command_uses_is_an_option(command: str) -> None:
    used = settings_of(load_command(command))
    output = run_in_process(command, "--help").stdout
    for setting in used:
        assert f"  {setting.usage}" in output
        assert shown_in_help(setting.help_text, output), setting.name
    assert f"  {AuditSettings.describe()[0].flag} " in output or len(used) < len(_all_settings())


@pytest.mark.parametrize("command", ["audit", "demo"])
def test_help_of_an_audit_lists_the_same_arguments_as_scrapy(command: str) -> None:
    output = run_in_process(command, "--help").stdout
    for option in Arguments.describe():
        if option.name != "site":
            assert f"\n  {option.usage}" in output
        if option.name != "site" or command == "audit":
            assert shown_in_help(option.meaning, output), option.name


def _all_settings() -> list[Any]:
    return list(AuditSettings.describe())


def test_no_argument_and_no_setting_have_the_same_option() -> None:
    flags = [option.flag for option in (*Arguments.describe(), *AuditSettings.describe())]
    assert len(flags) == len(set(flags))


@pytest.mark.parametrize("command", sorted({*command_names()} - {"audit", "demo"}))
def test_scrapy_has_the_same_commands(command: str) -> None:
    done = scrapy(command, "--help")
    assert done.returncode == 0
    for action in make_parser(load_command(command))._actions:
        for name in action.option_strings or [str(action.metavar)]:
            assert name in one_line(done.stdout) or name == "--config", action


def test_scrapy_is_told_of_every_command() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    named = project["entry-points"]["scrapy.commands"]
    expected = {*command_names()} - {"audit", "demo"}  # For Scrapy, these are `crawl sitemap`.
    assert named == {name: f"{scrapy_commands.__name__}:{name}" for name in expected}


@pytest.mark.parametrize("command", command_names())
def test_an_unknown_argument_is_one_sentence(command: str, places: dict[str, str]) -> None:
    done = run_in_process(*words_for(command, places), "--xyzzy")
    assert (done.returncode, done.stdout) == (2, "")
    prefix = f"sitemapaudit {command}"
    assert done.stderr == f"{prefix}: --xyzzy is unknown; see {prefix} --help.\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["audit", "--paegs=all"], "audit: --paegs is unknown; did you mean --pages?"),
        (["report", "--flet", "x"], "report: --flet is unknown; did you mean --fleet?"),
        (["repair", "x", "--gzp"], "repair: --gzp is unknown; did you mean --gzip?"),
        (["audit", "--pages"], "audit: argument --pages: expected one argument."),
        (
            ["changed", "one", "two"],
            "changed: two is one argument too many; see sitemapaudit changed --help.",
        ),
        (
            ["audit", "--url=x"],
            "audit: --url is unknown; did you mean the site itself, without an option?",
        ),
        (
            ["audit", "--site=x"],
            "audit: --site is unknown; did you mean the site itself, without an option?",
        ),
        (
            ["compare", "x", "--fail-on", "errors"],
            (
                "compare: argument --fail-on: 'errors' is not one of"
                " never, new, notice, warning, error."
            ),
        ),
        (["compare"], "compare: the following arguments are required: RUN."),
        (
            ["schedule", "x", "--jobs", "two"],
            "schedule: argument --jobs: invalid int value: 'two'.",
        ),
    ],
)
def test_a_misspelled_argument_is_one_sentence(words: list[str], sentence: str) -> None:
    done = run_in_process(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"sitemapaudit {sentence}\n"


@pytest.mark.parametrize("command", command_names())
def test_an_unknown_setting_is_one_sentence(command: str, places: dict[str, str]) -> None:
    done = run_in_process(*words_for(command, places), "-s", "AUDIT_DRI=x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "AUDIT_DRI is unknown; did you mean AUDIT_DIR?\n" in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_unknown_setting_is_one_sentence_for_a_fleet_too(places: dict[str, str]) -> None:
    done = run_in_process("report", "--fleet", places["folder"], "-s", "AUDIT_DRI=x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "AUDIT_DRI is unknown; did you mean AUDIT_DIR?\n"


@pytest.mark.parametrize("command", command_names())
def test_a_setting_without_a_value_is_one_sentence(command: str, places: dict[str, str]) -> None:
    done = run_in_process(*words_for(command, places), "-s", "AUDIT_DIR")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "-s: 'AUDIT_DIR' is not NAME=VALUE.\n"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("adit", "There is no command 'adit'; did you mean audit?"),
        ("frobnicate", "There is no command 'frobnicate'; see sitemapaudit --help."),
    ],
)
def test_an_unknown_command_is_one_sentence(name: str, sentence: str) -> None:
    done = run_in_process(name)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


def test_a_feed_of_an_unknown_format_is_one_sentence() -> None:
    done = run_in_process("audit", "www.example.com", "-o", "pages.xyz")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Unrecognized output format 'xyz'")
    assert done.stderr.count("\n") == 1


def started_with(monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """Return the command of Scrapy that a command starts."""
    started: list[list[str]] = []

    def crawl(words: list[str]) -> int:
        started.append(words)
        return 0

    monkeypatch.setattr(scrapy_crawl, "crawl", crawl)
    assert run_in_process(*words).returncode == 0
    return started[0]


GIVEN = {
    "sitemap": "https://www.example.com/s.xml",
    "urls": "-",
    "staging": "http://127.0.0.1:8000",
    "ignore_staging_block": "true",
    "staging_names_itself": "true",
    "folder": ".",
    "hosting": "netlify",
    "pages": "none",
    "follow": "hreflang",
    "links": "record",
    "media": "check",
    "render": "auto",
    "reuse": "latest",
    "include": "/a=b",
    "exclude": "x y",
    "since": "2026-06-01",
    "agent": "bingbot",
    "agents": "bingbot,GPTBot",
    "workers": "4",
    "shard": "2/8",
    "entries_from": "read",
    "found": "merged",
    "resume": "audits",
}


def test_audit_starts_a_crawl_with_the_same_arguments(
    monkeypatch: pytest.MonkeyPatch, runs: Path
) -> None:
    assert GIVEN.keys() | {"site"} == {option.name for option in Arguments.describe()}
    given = GIVEN | {"entries_from": str(runs), "found": str(runs), "resume": str(runs)}
    flags = {name: f"--{name.replace('_', '-')}" for name in given}
    words = [word for name, value in given.items() for word in (flags[name], value)]
    words = [word for word in words if word != "true"]  # A switch has no value.
    settings = ["-s", "AUDIT_DIR=a=b", "-s", "DOWNLOAD_TIMEOUT=5"]
    feeds = ["-o", "pages.jsonl", "-o", "urls.jsonl", "-O", "findings.csv"]
    log = ["--logfile", "log", "-L", "DEBUG"]
    started = started_with(
        monkeypatch, "audit", "a.example", "b.example", *words, *settings, *feeds, *log
    )
    arguments = {"site": "a.example,b.example", **given}
    assert started == [
        "sitemap",
        *(word for name, value in arguments.items() for word in ("-a", f"{name}={value}")),
        *feeds,
        *("--logfile", "log", "--loglevel", "DEBUG"),
        *settings,
    ]


@pytest.mark.parametrize(
    ("words", "site"), [(["demo"], "demo"), (["demo", "--later"], "demo-later")]
)
def test_demo_audits_the_demo_website(
    monkeypatch: pytest.MonkeyPatch, words: list[str], site: str
) -> None:
    started = started_with(monkeypatch, *words, "--pages", "none")
    assert started == ["sitemap", "-a", f"site={site}", "-a", "pages=none"]


def without_times(folder: Path) -> dict[str, Any]:
    """Return run.json without the times of the run and the folder for runs."""
    manifest: dict[str, Any] = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    del manifest["started"], manifest["finished"], manifest["settings"]["AUDIT_DIR"]
    return manifest


def test_audit_and_scrapy_crawl_mean_the_same(tmp_path: Path) -> None:
    given = {"pages": "4", "follow": "none", "exclude": "/a/1$", "agent": "bingbot"}
    settings = {"AUDIT_SEED": "3", "AUDIT_SPEED": "full", "AUDIT_RULES": '{"loc-duplicate": "off"}'}
    shared = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    done = {}
    with Website("listing") as website:
        done["own"] = sitemapaudit(
            *("audit", website.origin),
            *(word for name, value in given.items() for word in (f"--{name}", value)),
            *(*shared, "-s", f"AUDIT_DIR={tmp_path / 'own'}", "-o", str(tmp_path / "own.jsonl")),
        )
        done["scrapy"] = scrapy(
            *("crawl", "sitemap", "-a", f"site={website.origin}"),
            *(word for name, value in given.items() for word in ("-a", f"{name}={value}")),
            *(*shared, "-s", f"AUDIT_DIR={tmp_path / 'scrapy'}"),
            *("-o", str(tmp_path / "scrapy.jsonl")),
        )
    assert [each.returncode for each in done.values()] == [0, 0], done
    own, other = (without_times(find_run(tmp_path / name)) for name in done)
    assert own == other
    assert own["arguments"]["exclude"] == "/a/1$"
    assert own["settings"]["AUDIT_SEED"] == 3
    sizes = [len((tmp_path / f"{name}.jsonl").read_text().splitlines()) for name in done]
    assert sizes[0] == sizes[1] > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["example.com", "--pages", "some"], "pages: 'some' is not all, none, a whole number"),
        (["example.com", "-s", "AUDIT_FAIL_ON=often"], "AUDIT_FAIL_ON: 'often' is not one of"),
    ],
)
def test_a_wrong_argument_in_a_process_of_its_own(words: list[str], sentence: str) -> None:
    done = sitemapaudit("audit", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_rules_imports_neither_scrapy_nor_pandas_nor_duckdb() -> None:
    script = (
        "import sys, time\n"
        "from sitemapaudit.cli.main import main\n"
        "status = main(['rules'])\n"
        "print(sorted({'scrapy', 'pandas', 'duckdb'} & sys.modules.keys()), file=sys.stderr)\n"
        "own = time.process_time()\n"
        "import duckdb, pandas, scrapy.cmdline\n"
        "print(own, time.process_time() - own, file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "page-not-found" in done.stdout
    imported, times = done.stderr.splitlines()
    assert imported == "[]"
    own, avoided = map(float, times.split())
    assert own < avoided  # Seconds of the processor; how many, depends on the machine.


def test_rules_lists_the_catalog_and_explains_rules() -> None:
    listing = run_in_process("rules")
    assert listing.returncode == 0
    assert "page-not-found" in listing.stdout
    explained = run_in_process("rules", "page-not-found", "loc-missing")
    assert all(word in explained.stdout for word in ("When", "Why", "Fix", "References"))
    assert "loc-missing" in explained.stdout


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("page-not-foun", "There is no rule 'page-not-foun'; did you mean page-not-found?"),
        ("qqq", "There is no rule 'qqq'; sitemapaudit rules lists them."),
        ("", "There is no rule ''; sitemapaudit rules lists them."),
    ],
)
def test_an_unknown_rule_is_one_sentence(name: str, sentence: str) -> None:
    done = run_in_process("rules", name)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("404", {"page-not-found", "page-soft-404"}),
        ("Redirects", {"page-redirect-chain", "page-meta-refresh", "sitemap-redirected"}),
        ("orphan", {"orphan-no-inlinks", "orphan-unreachable"}),
    ],
)
def test_rules_lists_those_with_a_word(word: str, some: set[str]) -> None:
    done = run_in_process("rules", word)
    found = {line.split()[0] for line in done.stdout.splitlines() if line.startswith(" ")} - {""}
    assert (done.returncode, done.stderr) == (0, "")
    assert some <= found
    assert len(found) < 40


def test_report_rebuilds_the_results_of_a_run(places: dict[str, str]) -> None:
    run = Path(places["run"])
    (run / "urls.parquet").unlink()
    done = run_in_process("report", places["run"], "-s", "AUDIT_FORMATS=jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 listed URLs" in done.stdout
    assert open_run(run).manifest.verdicts == {"indexable": 1, "not-found": 1}
    assert (run / "urls.jsonl").is_file()


def test_report_writes_the_page_of_a_fleet(places: dict[str, str]) -> None:
    done = run_in_process("report", "--fleet", places["folder"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "www.example.com" in done.stdout


@pytest.mark.parametrize(
    "words", [[], ["{run}", "--fleet", "{folder}"], ["--fleet", "{folder}", "--into", "x"]]
)
def test_report_needs_runs_or_a_fleet(places: dict[str, str], words: list[str]) -> None:
    done = run_in_process("report", *(word.format(**places) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "report: give run folders (and --into DIR), or --fleet DIR.\n"


def test_compare_reports_new_findings(places: dict[str, str]) -> None:
    done = run_in_process("compare", places["run"], "--fail-on", "error")
    assert (done.returncode, done.stderr) == (1, "")
    assert "indexable → not-found" in done.stdout


def test_repair_writes_sitemaps(places: dict[str, str], tmp_path: Path) -> None:
    done = run_in_process("repair", places["run"], "--into", str(tmp_path / "fixed"))
    assert (done.returncode, done.stderr) == (0, "")
    text = "".join(file.read_text() for file in (tmp_path / "fixed").rglob("*.xml"))
    assert (A in text, B in text) == (True, False)


@pytest.mark.parametrize("command", ["report", "compare", "repair"])
def test_a_folder_without_a_run_is_one_sentence(tmp_path: Path, command: str) -> None:
    done = run_in_process(command, str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"There is no run folder (with run.json) at or below {tmp_path}.\n"


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["nowhere.txt"], 2, "nowhere.txt cannot be read: No such file or directory."),
        (["{list}", "--jobs", "0"], 2, "--jobs: at least 1 job is needed."),
        (["{list}", "-a", "pages"], 2, "-a: 'pages' is not NAME=VALUE."),
        (["{list}", "-a", "pages=x"], 2, "www.example.com: pages: 'x' is not all, none"),
        (["{list}", "--at", "http://127.0.0.1:9"], 3, "0 sites of 1 ended."),
    ],
)
def test_a_mistake_of_schedule_is_one_sentence(
    places: dict[str, str], words: list[str], status: int, sentence: str
) -> None:
    done = run_in_process("schedule", *(word.format(**places) for word in words))
    assert (done.returncode, done.stdout) == (status, "")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.fixture
def _without_xlsxwriter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)


@pytest.mark.usefixtures("_without_xlsxwriter")
def test_a_missing_extra_is_one_sentence(places: dict[str, str]) -> None:
    wanted = ["-s", "AUDIT_FORMATS=jsonl,xlsx"]
    done = [
        run_in_process("audit", "www.example.com", *wanted),
        check_crawl("-a", "site=www.example.com", *wanted),
        run_in_process("report", places["run"], *wanted),
        run_in_process("report", places["run"], "--into", places["folder"] + "/copy", *wanted),
    ]
    sentence = "AUDIT_FORMATS: to write xlsx, install sitemapaudit[xlsx].\n"
    for each in done:
        assert (each.returncode, each.stdout, each.stderr) == (2, "", sentence)


@pytest.mark.usefixtures("_without_xlsxwriter")
def test_a_missing_extra_matters_only_to_its_format(places: dict[str, str]) -> None:
    done = run_in_process("report", places["run"], "-s", "AUDIT_FORMATS=jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert (Path(places["run"]) / "urls.jsonl").is_file()
