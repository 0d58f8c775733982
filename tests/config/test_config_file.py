"""The configuration file: where it is looked for, what it may contain, and what overrides it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.config import Arguments, AuditSettings, ConfigError
from sitemapaudit.config.config_file import OF_ONE_RUN, VARIABLE, ConfigFile, read_config_file
from sitemapaudit.config.options import OptionDescription
from tests.plugins.interpreters.commands import own_environment
from tests.sites.website import Website
from tests.support.commands import scrapy, sitemapaudit

pytestmark = pytest.mark.xdist_group("config-file")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which nothing is configured, as the working directory."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(folder: Path, text: str, name: str = "sitemapaudit.toml") -> ConfigFile:
    (folder / name).write_text(text, encoding="utf-8")
    return read_config_file()


def refusal(folder: Path, text: str, name: str = "sitemapaudit.toml") -> str:
    with pytest.raises(ConfigError) as caught:
        read(folder, text, name)
    return str(caught.value)


def test_without_a_file_nothing_is_configured(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project]\nname = 'shop'\n", encoding="utf-8")
    assert read_config_file() == ConfigFile()


def test_a_file_has_arguments_settings_and_settings_of_scrapy(folder: Path) -> None:
    text = 'pages = 100\nspeed = "full"\n[scrapy]\nDOWNLOAD_TIMEOUT = 5\n'
    found = read(folder, text)
    assert found.name == "sitemapaudit.toml"
    assert found.arguments == {"pages": "100"}
    assert found.settings == {"AUDIT_SPEED": "full", "DOWNLOAD_TIMEOUT": 5}


def test_the_nearest_file_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = folder / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    section = "[tool.sitemapaudit]\npages = 1\n"
    (folder / "pyproject.toml").write_text(section, encoding="utf-8")
    assert read_config_file().arguments == {"pages": "1"}
    assert read_config_file().name == str(Path("..", "..", "pyproject.toml"))
    (folder / "a" / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    assert read_config_file().arguments == {"pages": "1"}
    (folder / "a" / "sitemapaudit.toml").write_text("pages = 2\n", encoding="utf-8")
    assert read_config_file().arguments == {"pages": "2"}
    (below / "pyproject.toml").write_text("[tool.sitemapaudit]\npages = 3\n", encoding="utf-8")
    assert read_config_file().arguments == {"pages": "3"}
    (below / "sitemapaudit.toml").write_text("pages = 4\n", encoding="utf-8")
    assert read_config_file().arguments == {"pages": "4"}


def test_another_file_can_be_named_and_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "sitemapaudit.toml").write_text("pages = 1\n", encoding="utf-8")
    (folder / "other.toml").write_text("pages = 2\n", encoding="utf-8")
    monkeypatch.setenv(VARIABLE, "other.toml")
    assert read_config_file().arguments == {"pages": "2"}
    monkeypatch.setenv(VARIABLE, "")
    assert read_config_file() == ConfigFile()
    monkeypatch.setenv(VARIABLE, "missing.toml")
    with pytest.raises(ConfigError, match=r"missing\.toml does not exist"):
        read_config_file()


def options() -> Iterator[OptionDescription]:
    yield from AuditSettings.describe()
    yield from (each for each in Arguments.describe() if each.name not in OF_ONE_RUN)


@pytest.mark.parametrize("option", list(options()), ids=lambda option: option.name)
def test_every_option_has_a_key(folder: Path, option: OptionDescription) -> None:
    value = option.default or {"RUN": "latest", "DIR": "", "ORIGIN": "http://a.example"}.get(
        option.metavar.partition("|")[0], ""
    )
    found = read(folder, f"{option.key} = {json.dumps(value)}\n")
    values = {**found.arguments, **found.settings}
    assert values.keys() == {option.name}
    assert str(values[option.name]).endswith(value)
    underscored = option.key.replace("-", "_")
    assert read(folder, f"{underscored} = {json.dumps(value)}\n") == found


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("recheck = false", "recheck", False),
        ("max-urls = 1_000", "max_urls", 1000),
        ('formats = ["xlsx", "jsonl"]', "formats", ("xlsx", "jsonl")),
        ("[rules]\nloc-duplicate = 'off'", "rules", {"loc-duplicate": "off"}),
        ("rules = ['google', 'loc-duplicate=off']", "rules", None),
        ("slow-seconds = 0.5", "slow_seconds", 0.5),
    ],
)
def test_types_of_toml(folder: Path, text: str, name: str, value: Any) -> None:
    settings = AuditSettings.from_scrapy(read(folder, text).settings)
    expected = {"profile": "google", "loc-duplicate": "off"} if value is None else value
    assert getattr(settings, name) == expected


@pytest.mark.parametrize("moment", ["2026-01-10", "2026-01-10T09:30:00+00:00"])
def test_moments_of_toml(folder: Path, moment: str) -> None:
    quoted = read(folder, f"since = '{moment}'")
    assert read(folder, f"since = {moment}") == quoted


def test_paths_are_relative_to_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "public").mkdir()
    monkeypatch.chdir(folder / "public")
    found = read(folder, 'folder = "public"\ndir = "audits"\nreuse = "latest"\n')
    assert found.arguments == {"folder": str(folder / "public"), "reuse": "latest"}
    assert found.settings == {"AUDIT_DIR": str(folder / "audits")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("paegs = 1", "paegs is unknown; did you mean pages?"),
        ("url = 'a.example'", "url is unknown; did you mean site?"),
        ("resume = 'audits'", "resume is unknown; "),
        ("pages = 'some'", "pages: 'some' is not all, none, "),
        ("speed = 'fast'", "speed: 'fast' is not one of polite, full."),
        ("speed = ['full']", "speed: polite|full is expected, not several values."),
        ("pages = [1, 2]", "pages: N|all|none|±P% is expected, not several values."),
        ("scrapy = 1", "scrapy is not a table with settings of Scrapy."),
        ("pages = ", " cannot be read: Invalid value (at end of document)."),
    ],
)
def test_a_mistake_is_one_sentence_with_the_name_of_the_file(
    folder: Path, text: str, sentence: str
) -> None:
    between = ": " if sentence[0] != " " else ""
    assert refusal(folder, text).startswith(f"sitemapaudit.toml{between}{sentence}")
    if between:
        section = f"[tool.sitemapaudit]\n{text}"
        (folder / "sitemapaudit.toml").unlink()
        assert refusal(folder, section, "pyproject.toml").startswith(f"pyproject.toml: {sentence}")


@pytest.mark.parametrize("command", ["audit www.example.com", "report audits", "rules"])
def test_a_mistake_ends_every_command(folder: Path, command: str) -> None:
    (folder / "sitemapaudit.toml").write_text("paegs = 1\n", encoding="utf-8")
    done = sitemapaudit(*command.split(), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sitemapaudit.toml: paegs is unknown; did you mean pages?\n"


FILE = """
site = "{origin}"
pages = "none"
seed = 3
slow-seconds = 9
dir = "audits"
rules = "*=off"
[scrapy]
DOWNLOAD_TIMEOUT = 7
"""


def manifest(folder: Path) -> dict[str, Any]:
    (run,) = (folder / "audits").glob("*/*/run.json")
    found: dict[str, Any] = json.loads(run.read_text())
    return found


@pytest.mark.parametrize("is_own", [True, False], ids=["sitemapaudit", "scrapy"])
def test_an_audit_says_what_applied_and_from_where(folder: Path, is_own: bool) -> None:
    with Website("listing") as website:
        (folder / "sitemapaudit.toml").write_text(FILE.format(origin=website.origin))
        if is_own:
            done = sitemapaudit("audit", "--deep-clicks", "2", cwd=folder)
        else:
            environment = own_environment() | {"SCRAPY_SETTINGS_MODULE": "sitemapaudit.settings"}
            words = ("crawl", "sitemap", "-s", "AUDIT_DEEP_CLICKS=2")
            done = scrapy(*words, cwd=folder, environment=environment)
    assert done.returncode == 0, done.stderr
    found = manifest(folder)
    assert found["arguments"]["pages"] == "none"
    assert found["settings"]["AUDIT_SEED"] == 3
    assert found["set_by"] == {
        "site": "sitemapaudit.toml",
        "pages": "sitemapaudit.toml",
        "AUDIT_DIR": "sitemapaudit.toml",
        "AUDIT_RULES": "sitemapaudit.toml",
        "AUDIT_SEED": "sitemapaudit.toml",
        "AUDIT_SLOW_SECONDS": "sitemapaudit.toml",
        "AUDIT_DEEP_CLICKS": "command line",
    }
    log = next((folder / "audits").glob("*/*/crawl.log")).read_text()
    assert "'DOWNLOAD_TIMEOUT': 7" in log


PLACES: Mapping[str, str] = {
    "project": "tests.config.house_settings",
    "file": "sitemapaudit.toml",
    "typed": "command line",
}
"""The places of a value, from the weakest to the strongest, with their names in run.json."""


@pytest.mark.parametrize("strongest", PLACES)
def test_the_command_line_overrides_the_file_which_overrides_the_project(
    folder: Path, strongest: str
) -> None:
    chosen = list(PLACES)[: list(PLACES).index(strongest) + 1]
    values = {place: str(number) for number, place in enumerate(PLACES, start=2)}
    if "file" in chosen:
        (folder / "sitemapaudit.toml").write_text(f"deep-clicks = {values['file']}\n")
    words = ["--deep-clicks", values["typed"]] if "typed" in chosen else []
    module = {"SCRAPY_SETTINGS_MODULE": "tests.config.house_settings"}
    with Website("listing") as website:
        command = ("audit", website.origin, "--pages", "none", "--results", "later", *words)
        done = sitemapaudit(*command, cwd=folder, environment=module)
    assert done.returncode == 0, done.stderr
    found = manifest(folder)
    assert found["settings"]["AUDIT_DEEP_CLICKS"] == int(values[strongest])
    assert found["set_by"]["AUDIT_DEEP_CLICKS"] == PLACES[strongest]


def test_a_site_on_the_command_line_replaces_what_the_file_audits(folder: Path) -> None:
    text = "site = 'a.example'\nsitemap = 'https://b.example/s.xml'\npages = 1\n"
    found = read(folder, text)
    assert found.arguments_below({"site": "c.example"}) == {"pages": "1"}
    assert found.arguments_below({"pages": "2"}).keys() == {"site", "sitemap"}
    assert found.arguments_below({"resume": "audits"}) == {}


def test_a_job_of_scrapyd_has_no_file(folder: Path) -> None:
    (folder / "sitemapaudit.toml").write_text("paegs = 1\n", encoding="utf-8")
    environment = own_environment() | {"SCRAPY_SETTINGS_MODULE": "sitemapaudit.settings"}
    words = ("crawl", "sitemap", "-a", "_job=1", "-a", "pages=some", "-a", "site=a.example")
    done = scrapy(*words, cwd=folder, environment=environment)
    assert done.stderr.startswith("pages: 'some' is not ")
