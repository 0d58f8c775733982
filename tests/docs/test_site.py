"""The website of the documentation: it builds without a warning; its links and search work."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from lxml import html
from playwright.sync_api import Page

from sitemapaudit import __version__
from sitemapaudit.rules.catalog import catalog
from tests.plugins.interpreters.commands import own_environment, run
from tests.report.browser import launch
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT

pytestmark = pytest.mark.xdist_group("docs-site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = ["-W", "--keep-going", "--quiet", "docs", str(folder)]
    done = run("sphinx", words, own_environment(), TIMEOUT, PROJECT)
    assert done.returncode == 0, done.stderr
    return folder


def read(site: Path, page: str) -> str:
    return (site / f"{page}.html").read_text(encoding="utf-8")


def test_each_link_leads_to_a_page_and_an_element(site: Path) -> None:
    documents = {file: html.parse(str(file)).getroot() for file in site.rglob("*.html")}
    anchors = {file: set(root.xpath("//@id")) for file, root in documents.items()}
    broken = [
        f"{file.relative_to(site)}: {link}"
        for file, root in documents.items()
        for link in root.xpath("//a/@href | //img/@src | //link/@href | //script/@src")
        if not re.match(r"[a-z]+:", link) and not leads_somewhere(file, link, anchors)
    ]
    assert broken == []
    assert len(documents) > len(catalog())


def leads_somewhere(file: Path, link: str, anchors: dict[Path, set[str]]) -> bool:
    path, _, anchor = link.partition("#")
    target = (file.parent / unquote(path.partition("?")[0])).resolve() if path else file
    return target.is_file() and (not anchor or anchor in anchors[target])


def test_the_sidebar_shows_where_the_reader_is(site: Path) -> None:
    page = read(site, "rules/page-not-found")
    assert "toctree-l1" in page
    assert "toctree-l2" not in page, "the sidebar lists all rules beside every page"
    for name, title in {
        "rules/page-not-found": "Rules",
        "how-to/compare": "Compare two runs",
    }.items():
        assert re.findall("toctree-l1 current[^>]*><a[^>]*>([^<]*)", read(site, name)) == [title]


def test_the_contents_of_the_list_of_rules_are_its_sections(site: Path) -> None:
    contents = read(site, "rules/index").partition("toc-tree-container")[2]
    assert "#listed-pages" in contents
    assert not [rule for rule in catalog() if f'"{rule}.html"' in contents]


def test_the_home_page_begins_with_the_first_audit_and_its_report(
    site: Path, browser_page: Page
) -> None:
    browser_page.goto((site / "index.html").as_uri())
    visible = "nodes => nodes.every(node => node.getBoundingClientRect().bottom < innerHeight)"
    for shown in ("pre:has-text('pip install')", "pre:has-text('sitemapaudit audit')", "img"):
        assert browser_page.eval_on_selector_all(f"article {shown}", visible), shown


@pytest.fixture(scope="module")
def browser_page() -> Iterator[Page]:
    with launch() as browser:
        yield browser.new_page(viewport={"width": 1280, "height": 800})


@pytest.fixture(scope="module")
def search_page(site: Path, browser_page: Page) -> Page:
    """Return a page with the results of a search; its index takes long to load."""
    browser_page.goto(f"{(site / 'search.html').as_uri()}?q={quote('not found')}")
    browser_page.wait_for_selector("ul.search li > a")
    return browser_page


@pytest.mark.parametrize(
    ("words", "expected"),
    {
        "404": "rules/page-not-found",
        "410": "rules/page-not-found",
        "301": "rules/page-redirect-permanent",
        "302": "rules/page-redirect-temporary",
        "503": "rules/page-server-error",
        "broken link": "rules/page-not-found",
        "soft 404": "rules/page-soft-404",
        "noindex": "rules/noindex-",
        "redirect": "rules/page-redirect-",
        "canonical": "rules/canonical-",
        "hreflang": "rules/hreflang-",
        "robots.txt": "rules/robots-",
        "orphan": "how-to/orphans",
        "PDF": "how-to/print-the-report",
        "Excel": "how-to/spreadsheets",
        "PowerShell": "install",
    }.items(),
)
def test_the_search_finds_what_users_type(search_page: Page, words: str, expected: str) -> None:
    search_page.eval_on_selector("#search-results", "results => results.replaceChildren()")
    search_page.evaluate("words => Search.performSearch(words)", words)
    search_page.wait_for_selector("#search-results h2:has-text('Search Results')")
    first = "links => links.slice(0, 3).map(link => link.getAttribute('href'))"
    found = search_page.eval_on_selector_all("ul.search li > a", first)
    assert [link for link in found if link.startswith(expected)], found


def test_each_page_has_its_markdown_and_a_list_of_them(site: Path) -> None:
    pages = {file.with_suffix("") for file in site.rglob("*.html")} - {
        site / name for name in ("genindex", "search")
    }
    assert {file.with_suffix("") for file in site.rglob("*.md")} == pages
    texts = {file: file.read_text(encoding="utf-8") for file in site.rglob("*.md")}
    assert all(text.startswith("# ") and "<!--" not in text for text in texts.values())
    lines = (site / "llms.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# sitemapaudit"
    assert lines[2].startswith("> sitemapaudit audits the XML sitemaps of a site.")
    listed = re.findall(r"\]\(([^)]+)\)", "\n".join(lines))
    assert len(listed) > 40
    assert [name for name in listed if not (site / name).is_file()] == []


def test_the_version_is_shown(site: Path) -> None:
    assert f"sitemapaudit {__version__}" in read(site, "how-to/compare")
