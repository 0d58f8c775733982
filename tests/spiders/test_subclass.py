"""A subclass of the spider in a project of a user behaves as the spider itself does."""

import subprocess
import sys
from pathlib import Path

import pytest

from sitemapaudit import open_run
from tests.plugins.interpreters.commands import own_environment
from tests.sites.website import Website
from tests.support.commands import TIMEOUT, scrapy
from tests.support.paths import PROJECT

FILES = {
    "scrapy.cfg": "[settings]\ndefault = shop.settings\n",
    "shop/__init__.py": "",
    "shop/settings.py": """
from sitemapaudit.settings import *

BOT_NAME = "shop"
SPIDER_MODULES = ["shop.spiders"]
USER_AGENT = "shop-audit/1.0"
AUDIT_SPEED = "full"
""",
    "shop/spiders/__init__.py": "",
    "shop/spiders/shop.py": """
from sitemapaudit.spiders.sitemap import SitemapSpider


class ShopSpider(SitemapSpider):
    name = "shop"
    custom_settings = {"AUDIT_FAIL_ON": "warning"}
""",
    "shop/spiders/other.py": """
from scrapy import Spider


class OtherSpider(Spider):
    name = "other"

    def __init__(self, *args, pages=None, **kwargs):
        super().__init__(*args, **kwargs)
        print("pages is", pages)

    async def start(self):
        for request in ():
            yield request
""",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the folder of a project that imports the settings and subclasses the spider."""
    for name, text in FILES.items():
        file = tmp_path / "project" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "project"


def crawl(project: Path, spider: str, *words: str) -> "subprocess.CompletedProcess[str]":
    return scrapy("crawl", spider, *words, cwd=project)


def crawl_in_new_interpreter(
    project: Path, spider: str, *words: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", spider, *words],
        cwd=project,
        env=own_environment() | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def test_a_subclass_keeps_exit_status_and_run_folder(project: Path) -> None:
    with Website("repeats") as website:  # It has a warning and a notice, and no error.
        words = ["-a", f"site={website.origin}"]
        failed = crawl_in_new_interpreter(project, "shop", *words, "-L", "INFO")
        passed = crawl(project, "shop", *words, "-s", "AUDIT_FAIL_ON=error")
    assert failed.returncode == 1, failed.stderr
    assert passed.returncode == 0, passed.stderr
    assert failed.stderr.endswith("Exit status 1\n")
    run = open_run(project / "audits")
    assert run.manifest.complete
    assert run.manifest.settings["AUDIT_FAIL_ON"] == "error"
    assert run.manifest.severities == {"notice": 1, "warning": 2}
    assert set(run.urls["verdict"]) == {"indexable"}


def test_a_subclass_reports_an_incomplete_audit(project: Path) -> None:
    words = ["-a", "site=http://127.0.0.1:9", "-s", "RETRY_TIMES=0"]
    done = crawl(project, "shop", *words)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-a", "stie=www.example.com"], "stie is unknown; did you mean site?\n"),
        (
            ["-a", "site=www.example.com", "-s", "AUDIT_SPEED=mad"],
            "AUDIT_SPEED: 'mad' is not one of polite, full.\n",
        ),
    ],
    ids=["argument", "setting"],
)
def test_a_wrong_argument_of_a_subclass_is_one_sentence_and_status_2(
    project: Path, words: list[str], sentence: str
) -> None:
    done = crawl(project, "shop", *words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert not (project / "audits").exists()


def test_a_spider_that_is_not_an_audit_has_its_own_arguments(project: Path) -> None:
    done = crawl(project, "other", "-a", "pages=some")
    assert (done.returncode, done.stdout) == (0, "pages is some\n"), done.stderr
    assert "Exit status" not in done.stderr


@pytest.mark.parametrize(
    ("name", "offer"),
    [("shpo", "did you mean shop?"), ("sitemap", "use one of other, shop.")],
)
def test_an_unknown_spider_in_a_project_of_a_user(project: Path, name: str, offer: str) -> None:
    done = crawl(project, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"There is no spider {name!r}; {offer}\n"


@pytest.mark.parametrize(
    ("name", "offer"),
    [("sitemaq", "did you mean sitemap?"), ("robots", "use one of sitemap.")],
)
def test_an_unknown_spider_is_one_sentence_and_status_2(name: str, offer: str) -> None:
    done = scrapy("crawl", name, "-a", "site=www.example.com")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"There is no spider {name!r}; {offer}\n"


def test_attributes_that_have_no_effect_are_named(project: Path) -> None:
    file = project / "shop" / "spiders" / "shop.py"
    attributes = ("user_agent = 'other/1.0'", "http_user = 'a'", "sitemap_urls = ['x']")
    lines = "".join(f"    {line}\n" for line in attributes)
    file.write_text(file.read_text(encoding="utf-8") + lines, encoding="utf-8")
    with Website("repeats") as website:
        done = crawl_in_new_interpreter(project, "shop", "-a", f"site={website.origin}")
    warning = (
        "Without effect in an audit: user_agent (set USER_AGENT in custom_settings), http_user"
    )
    assert warning in done.stderr
    assert "sitemap_urls (give the argument sitemap)" in done.stderr
    assert "start_urls" not in done.stderr
