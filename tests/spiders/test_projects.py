"""An audit in a project of Scrapy's own template, whose other spiders stay Scrapy's."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

from sitemapaudit import open_run
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.sites.website import Website
from tests.support.commands import scrapy
from tests.support.paths import PROJECT

ADDON = '\nADDONS = {"sitemapaudit.Addon": 300}\nAUDIT_SPEED = "full"\n'

COMPONENTS = """
EXTENSIONS = {"scrapy.extensions.logstats.LogStats": None}
ITEM_PIPELINES = {"shop.pipelines.ShopPipeline": 300}
DOWNLOADER_MIDDLEWARES = {"shop.middlewares.ShopDownloaderMiddleware": 543}
DOWNLOAD_HANDLERS = {"ftp": None}
"""
"""Components of the project, among them those of Scrapy's template."""

PLAIN = '''
"""A spider that uses what an audit does without."""

import scrapy


class PlainSpider(scrapy.Spider):
    name = "plain"
    custom_settings = {"DOWNLOAD_DELAY": 0, "DEPTH_LIMIT": 1}

    async def start(self):
        for path in ("/moved", "/1", "/1"):
            yield scrapy.Request(self.site + path, callback=self.parse)

    def parse(self, response):
        yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a")
'''

OURS = '''
"""An audit under the name of the project."""

from sitemapaudit.spiders.sitemap import SitemapSpider


class OurSpider(SitemapSpider):
    name = "our"
'''

Make = Callable[[str], Path]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project of Scrapy's template, with two spiders."""
    folder = tmp_path_factory.mktemp("template")
    made = scrapy("startproject", "shop", cwd=folder)
    assert made.returncode == 0, made.stderr
    for name, text in (("plain", PLAIN), ("our", OURS)):
        file = folder / "shop" / "shop" / "spiders" / f"{name}.py"
        file.write_text(text, encoding="utf-8")
    return folder / "shop"


@pytest.fixture
def make(template: Path, tmp_path: Path) -> Make:
    """Return a function that copies the project, and adds settings."""

    def make_project(settings: str) -> Path:
        project = Path(copytree(template, tmp_path / "shop"))
        with (project / "shop" / "settings.py").open("a", encoding="utf-8") as file:
            file.write(settings)
        return project

    return make_project


@pytest.fixture
def website() -> Iterator[Website]:
    with Website("repeats") as website:
        yield website


@pytest.mark.parametrize(
    ("spider", "settings"),
    [("sitemap", ADDON), ("our", ADDON + COMPONENTS)],
    ids=["add-on", "components"],
)
def test_an_audit_and_its_feed_in_an_ordinary_project(
    make: Make, website: Website, spider: str, settings: str
) -> None:
    project = make(settings)
    done = scrapy("crawl", spider, "-a", f"site={website.origin}", "-O", "rows.jsonl", cwd=project)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    run = open_run(project / "audits")
    assert run.manifest.complete
    assert set(run.urls["verdict"]) == {"indexable"}
    lines = (project / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    urls = [row["url"] for row in map(json.loads, lines) if "verdict" in row and "listings" in row]
    assert urls == list(run.urls["url"])


IMPORTED = "\nfrom sitemapaudit.settings import *\n\nSPIDER_MODULES = ['shop.spiders']\n"


@pytest.fixture
def site() -> Iterator[Server]:
    """Serve pages that each link to the next one, and a redirect."""

    def reply(request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(status=404)
        if request.path == "/moved":
            return Reply(status=301, headers=[("Location", "/9")])
        number = int(request.path[1:])
        body = f"<title>{number}</title><a href=/{number + 1}>next</a>"
        return Reply(body, headers=[("Content-Type", "text/html")])

    with Server(reply) as server:
        yield server


@pytest.mark.parametrize("settings", [ADDON, IMPORTED], ids=["add-on", "imported"])
def test_another_spider_stays_scrapys(make: Make, site: Server, settings: str) -> None:
    project = make(settings)
    words = ["-a", f"site={site.origin}", "-O", "rows.jsonl", "-L", "INFO"]
    done = scrapy("crawl", "plain", *words, cwd=project)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    lines = (project / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    titles = sorted(json.loads(line)["title"] for line in lines)
    # The redirect is followed, no page is fetched twice, and links are followed once.
    assert titles == ["1", "10", "2", "9"]
    host = site.origin.removeprefix("http://")
    times = {place.removeprefix(host): number for place, number in site.requests.items()}
    assert times == {"/robots.txt": 1, "/moved": 1, "/9": 1, "/10": 1, "/1": 1, "/2": 1}
    assert "'downloader/response_status_count/301': 1" in done.stderr
    assert "'dupefilter/filtered': 1" in done.stderr
    assert not (project / "audits").exists()


@pytest.mark.parametrize("settings", [None, ADDON], ids=["checkout", "add-on"])
@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["shell", "{url}", "-c", "response.css('title::text').get()"], "1\n"),
        (["fetch", "--nolog", "{url}"], "<title>1</title><a href=/2>next</a>\n"),
        (["settings", "--getbool", "REDIRECT_ENABLED"], "True\n"),
        (["view", "{url}"], ""),
        pytest.param(
            *(["bench", "-s", "CLOSESPIDER_TIMEOUT=0.2"], ""),
            marks=pytest.mark.xdist_group("bench"),  # Its server has one port.
        ),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else None,
)
def test_commands_of_scrapy_work(
    make: Make, site: Server, settings: str | None, words: list[str], output: str
) -> None:
    project = PROJECT if settings is None else make(settings)
    url = f"{site.origin}/1"
    # No browser is opened.
    environment = {"BROWSER": "true"}
    done = scrapy(*(word.format(url=url) for word in words), cwd=project, environment=environment)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert done.stdout == output


def test_a_file_is_run_as_a_spider(website: Website, tmp_path: Path) -> None:
    (tmp_path / "our.py").write_text(OURS, encoding="utf-8")
    done = scrapy("runspider", "our.py", "-a", f"site={website.origin}", cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert open_run(tmp_path / "audits").manifest.complete


def test_the_spiders_of_add_ons_are_listed(make: Make) -> None:
    """Scrapyd runs this command, and schedules no other spider."""
    project = make(f'{ADDON}COMMANDS_MODULE = "sitemapaudit.commands"\n')
    done = scrapy("list", cwd=project)
    assert (done.stdout.split(), done.returncode) == (["our", "plain", "sitemap"], 0), done.stderr
