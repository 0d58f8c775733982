"""Mistakes that would go unnoticed: misspelled settings of Scrapy, and options without effect."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings, default_settings

from sitemapaudit.config import ConfigError
from sitemapaudit.config.components import check_components
from sitemapaudit.config.effects import NEEDS
from sitemapaudit.config.scrapy_settings import check_names
from tests.support.commands import check_crawl, run_in_process, sitemapaudit

ADD_ONS = ("spidermon", "scrapy_playwright", "scrapyd")
_READ = re.compile(
    r"""(?:get(?:bool|int|float|list|dict)?\(|settings\[)\s*["']([A-Z][A-Z0-9_]+)["']"""
)


def settings_of(package: str) -> set[str]:
    """Return the names of the settings that a package reads."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    files = Path(spec.origin).parent.rglob("*.py")
    return {name for file in files for name in _READ.findall(file.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("DOWNLOAD_DELY", "DOWNLOAD_DELAY"),
        ("CONCURENT_REQUESTS", "CONCURRENT_REQUESTS"),
        ("USERAGENT", "USER_AGENT"),
        ("RETRY_TIME", "RETRY_TIMES"),
        ("LOG_LEVLE", "LOG_LEVEL"),
    ],
)
def test_a_misspelled_setting_of_scrapy_is_one_sentence(name: str, meant: str) -> None:
    done = check_crawl("-a", "site=www.example.com", "-s", f"{name}=1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{name} is unknown; did you mean {meant}?\n"


@pytest.mark.parametrize("package", ADD_ONS)
def test_settings_of_add_ons_are_accepted(package: str) -> None:
    names = settings_of(package)
    assert len(names) > 3
    check_names(names, Settings())


def test_every_setting_of_scrapy_is_known() -> None:
    names = [name for name in vars(default_settings) if name.isupper()]
    check_names(names, Settings())
    with pytest.raises(ConfigError):
        check_names([f"{names[0]}S"], Settings())


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("ITEM_PIPELINES", {"nope.parts.X": 1}, "there is no module nope, for nope.parts.X"),
        ("EXTENSIONS", {"json.nope.X": 1}, "there is no module json.nope, for json.nope.X"),
        ("DOWNLOADER_MIDDLEWARES", {"json.X": 1}, "Module 'json' doesn't define any object named"),
        ("ADDONS", {"X": 1}, "Error loading object 'X': not a full path"),
        ("STATS_CLASS", "json.X", "Module 'json' doesn't define any object named 'X'"),
        ("SCHEDULER", "nope.X", "there is no module nope, for nope.X"),
        ("HTTPCACHE_POLICY", "nope.X", "there is no module nope, for nope.X"),
        ("DOWNLOAD_HANDLERS", {"http": "nope.X"}, "there is no module nope, for nope.X"),
        ("DOWNLOAD_HANDLERS", {"http": None}, "an audit needs a handler of http"),
        ("FEED_EXPORTERS", {"x": "nope.X"}, "there is no module nope, for nope.X"),
        ("RETRY_EXCEPTIONS", ["nope.X"], "there is no module nope, for nope.X"),
        ("ASYNCIO_EVENT_LOOP", "nope.X", "there is no module nope, for nope.X"),
        ("STATS_CLASS", "json.encoder.ESCAPE_DCT", "json.encoder.ESCAPE_DCT is not a class"),
        ("ITEM_PIPELINES", {"json.encoder.ESCAPE_DCT": 1}, "json.encoder.ESCAPE_DCT is not a"),
        ("EXTENSIONS", {"json.JSONDecoder": "x"}, "the order of json.JSONDecoder is not a number"),
    ],
)
def test_a_class_that_does_not_exist_is_one_sentence(name: str, value: Any, reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_components(Settings({name: value}))
    assert str(caught.value).startswith(f"{name}: {reason}")
    assert str(caught.value).endswith(".")


def test_classes_that_are_off_or_whose_module_is_faulty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_components(Settings({"EXTENSIONS": {"nope.X": None, Settings: 1}}))
    (tmp_path / "faulty_module.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        check_components(Settings({"EXTENSIONS": {"faulty_module.X": 1}}))


def test_wrong_settings_of_components_end_an_audit_before_it_begins(tmp_path: Path) -> None:
    site = ("-a", "site=www.example.com")
    added = check_crawl(*site, "-s", 'ADDONS={"nope.X": 1}')
    assert (added.returncode, added.stderr) == (2, "ADDONS: there is no module nope, for nope.X.\n")
    stats = check_crawl(*site, "-s", "STATS_CLASS=scrapy.statscollectors.DummyStatsCollector")
    assert (stats.returncode, stats.stderr) == (
        2,
        "STATS_CLASS: an audit needs its stats, and DummyStatsCollector keeps none.\n",
    )
    without = 'ITEM_PIPELINES={"sitemapaudit.extensions.pipeline.AuditPipeline": null}'
    pipeline = check_crawl(*site, "-s", without)
    name = "sitemapaudit.extensions.pipeline.AuditPipeline"
    reason = f"ITEM_PIPELINES: without {name}, an audit writes nothing.\n"
    assert (pipeline.returncode, pipeline.stderr) == (2, reason)
    table = check_crawl(*site, "-s", "DOWNLOAD_SLOTS=5")
    assert (table.returncode, table.stderr) == (2, "DOWNLOAD_SLOTS: '5' is not a table.\n")
    pipelines = check_crawl(*site, "-s", "ITEM_PIPELINES=x")
    assert (pipelines.returncode, pipelines.stderr) == (2, "ITEM_PIPELINES: 'x' is not a table.\n")
    timeout = check_crawl(*site, "-s", "DOWNLOAD_TIMEOUT=-5")
    assert timeout.stderr == "DOWNLOAD_TIMEOUT: '-5' is not a number of at least 0.\n"
    codes = check_crawl(*site, "-s", "RETRY_HTTP_CODES=a")
    assert (codes.returncode, codes.stderr[-31:]) == (2, "is not a list of status codes.\n")
    (tmp_path / "sitemapaudit.toml").write_text("[scrapy]\nITEM_PIPELINES = 'x'\n")
    done = sitemapaudit("audit", "www.example.com", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "sitemapaudit.toml: ITEM_PIPELINES: 'x' is not a table.\n",
    )


WITHOUT = {
    "hosting": ["--hosting", "netlify"],
    "ignore_staging_block": ["--ignore-staging-block"],
    "staging_names_itself": ["--staging-names-itself"],
    "AUDIT_STAGING_HOST": ["--staging-host", "site"],
    "AUDIT_STAGING_HEADERS": ["--staging-headers", "Cookie=a"],
    "AUDIT_MAX_LINKED": ["--max-linked", "5"],
    "AUDIT_MAX_SIMILAR": ["--max-similar", "5"],
    "AUDIT_CONTROL_SHARE": ["--control-share", "5"],
    "AUDIT_SEED": ["--seed", "5"],
    "AUDIT_RENDER_CONCURRENCY": ["--render-concurrency", "5"],
    "AUDIT_RENDER_IDLE": ["--render-idle", "5"],
    "AUDIT_GUARDED_BROWSER": ["--guarded-browser"],
}


@pytest.mark.parametrize("name", sorted(NEEDS.keys() - {"found"}))
def test_an_option_without_effect_is_one_sentence(name: str) -> None:
    done = run_in_process("audit", "www.example.com", *WITHOUT[name])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{name}: it has no effect without {NEEDS[name][0]}.\n"


def test_a_job_of_scrapyd_may_have_the_settings_of_all_sites() -> None:
    words = ("-a", "site=www.example.com", "-s", "AUDIT_SEED=1")
    assert "no effect" in check_crawl(*words).stderr
    done = check_crawl(*words, "-a", "_job=1", "-s", "AUDIT_DIR=/dev/null/x")
    assert "no effect" not in done.stderr
