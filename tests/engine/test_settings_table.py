"""The settings of Scrapy: each works, differs as is documented, or is named as ignored."""

import json
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from scrapy.settings import Settings, default_settings

from sitemapaudit.engine.settings_table import TABLE, Effect, ignored_settings, rows_of
from sitemapaudit.spiders.sitemap import SitemapSpider
from tests.sites.website import Website
from tests.support.audits import crawl
from tests.support.commands import check_crawl
from tests.support.paths import PROJECT

NAMES = sorted(filter(str.isupper, vars(default_settings)))
PATTERNS = [pattern for row in TABLE for pattern in row.names]
IGNORED = [
    name
    for name in NAMES
    if any(fnmatchcase(name, each) for row in rows_of(Effect.NONE) for each in row.names)
    and not name.endswith("_BASE")
]


def applied(settings: Settings) -> Settings:
    SitemapSpider.update_settings(settings)
    return settings


@pytest.mark.parametrize("pattern", [each for each in PATTERNS if "PLAYWRIGHT" not in each])
def test_each_row_is_about_settings_of_scrapy(pattern: str) -> None:
    assert [name for name in NAMES if fnmatchcase(name, pattern)]


def test_a_setting_is_in_one_row() -> None:
    rows = {
        name: [row for row in TABLE if any(fnmatchcase(name, each) for each in row.names)]
        for name in NAMES
    }
    assert [name for name, found in rows.items() if len(found) > 1] == []


def test_the_usual_settings_are_not_named() -> None:
    assert ignored_settings(applied(Settings())) == {}


def test_scrapys_template_for_projects_names_none(tmp_path: Path) -> None:
    template = next(Path(default_settings.TEMPLATES_DIR).rglob("settings.py.tmpl"))
    text = template.read_text(encoding="utf-8")
    values = dict(re.findall(r"^([A-Z_]+) = (.+)$", text, re.MULTILINE))
    assert values["ROBOTSTXT_OBEY"] == "True"
    assert not IGNORED or not set(values) & (set(IGNORED) - {"ROBOTSTXT_OBEY"})
    assert ignored_settings(applied(Settings({"ROBOTSTXT_OBEY": True}))) == {}


@pytest.mark.parametrize("name", IGNORED)
def test_a_setting_without_effect_is_named(name: str) -> None:
    settings = Settings()
    value = {"a.b": 1} if isinstance(getattr(default_settings, name), dict) else "7"
    settings.set(name, "0" if name == "ROBOTSTXT_OBEY" else value, "project")
    assert list(ignored_settings(applied(settings))) == [name]


def test_one_warning_names_all_of_them(tmp_path: Path) -> None:
    given = {"JOBDIR": str(tmp_path / "jobs"), "DEPTH_LIMIT": "3", "PLAYWRIGHT_CONTEXTS": "{}"}
    with Website("repeats") as website:
        audited = crawl(tmp_path, {"site": website.origin}, given)
    (line,) = re.findall("Without effect in an audit: (.*)", audited.log)
    assert re.findall(r"([A-Z_]+) \(", line) == sorted(given)
    text = (audited.run.path / "crawl.log").read_text(encoding="utf-8")
    assert line in text


def test_a_setting_that_works_or_differs_is_used_by_a_test() -> None:
    """A pattern stands for one of its settings."""
    folder = PROJECT / "tests"
    texts = "".join(file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
    untested = [
        pattern
        for row in TABLE
        if row.effect is Effect.DIFFERS
        for pattern in row.names
        if not re.search(pattern.replace("*", "[A-Z_]*"), texts)
    ]
    assert untested == []


def test_a_longer_body_than_download_maxsize_counts_as_truncated(tmp_path: Path) -> None:
    with Website("repeats") as website:
        audited = crawl(tmp_path, {"site": website.origin}, {"DOWNLOAD_MAXSIZE": "200"})
    assert audited.status == 3
    assert audited.run.manifest.limits == {"the length of a sitemap": 3}


def test_errors_of_an_audit_are_counted_by_closespider_errorcount(tmp_path: Path) -> None:
    settings = {
        "CLOSESPIDER_ERRORCOUNT": "1",
        "ITEM_PIPELINES": json.dumps({f"{__name__}.Failing": 1}),
        "SPIDER_MIDDLEWARES": "{}",
    }
    with Website("repeats") as website:
        audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert audited.status == 3


class Failing:
    """A pipeline that cannot process pages."""

    def process_item(self, item: object) -> object:
        if type(item).__name__ == "Page":
            raise RuntimeError("no pages")
        return item


@pytest.mark.parametrize("name", ["PLAYWRIGHT_CDP_URL", "PLAYWRIGHT_CONNECT_URL"])
def test_a_browser_that_is_not_known_to_be_guarded_is_refused(name: str) -> None:
    words = ["-a", "site=www.example.com", "-a", "render=auto", "-s", f"{name}=http://127.0.0.1:9"]
    done = check_crawl(*words)
    assert done.returncode == 2
    assert done.stderr == (
        f"{name}: pages could reach private networks from that browser; if something else prevents"
        " this, set AUDIT_GUARDED_BROWSER to true.\n"
    )
    with pytest.raises(AssertionError, match="the crawl would start"):
        check_crawl(*words, "-s", "AUDIT_GUARDED_BROWSER=true")


def test_rendering_without_a_reactor_is_refused() -> None:
    words = ["-a", "site=www.example.com", "-a", "render=auto", "-s", "TWISTED_REACTOR_ENABLED=0"]
    done = check_crawl(*words)
    assert (done.returncode, done.stderr) == (
        2,
        "render: it needs Twisted's reactor: set TWISTED_REACTOR_ENABLED to true.\n",
    )
