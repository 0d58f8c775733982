"""Builds of real generators, audited as a folder and through a server: both give the same."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urldefrag, urljoin

import lxml.html
import pandas as pd
import pytest

from sitemapaudit import Run
from sitemapaudit.builds.build import Build
from tests.builds.generators import GENERATORS, SITE
from tests.builds.server import HostedServer
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("building")

HOSTINGS: Final = {
    "mkdocs": ("github", "netlify"),
    "sphinx": ("cloudflare", "plain"),
    "pelican": ("vercel", "gitlab"),
    "eleventy": ("nginx", "cloudflare"),
}
"""Where each build is hosted: every kind of hosting once."""

FOUND: Final = {
    # The language of a page is no part of its address, unless html_baseurl says so.
    "sphinx": {"lastmod-missing", "page-not-found", "robots-missing"},
    "mkdocs": {"robots-missing"},
    "eleventy": {"lastmod-missing"},
}
"""The findings of a build in its usual configuration."""

ABOUT_LINKS: Final = {"links-inconclusive", "orphan-no-inlinks"}

_OF_THE_WAY: Final = {
    "robots": {"fetched_at", "headers"},
    "sitemaps": {"elapsed", "fetched_at", "headers"},
    "entries": set[str](),
    "pages": {"elapsed", "fetched_at", "date", "headers", "file", "etag", "last_modified"},
    "urls": {"response_seconds"},
}
"""Columns of each table that a folder and a server need not have alike."""


@pytest.fixture(scope="module", params=sorted(GENERATORS))
def build(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a build, named after its generator."""
    return GENERATORS[request.param](tmp_path_factory.mktemp(request.param))


def generator_of(build: Path) -> str:
    return next(name for name in GENERATORS if name in str(build))


def audit(audits: Path, **values: str) -> Audited:
    done = crawl(audits, {"site": SITE, **values})
    assert done.status == 0, done.log
    return done


def rows_of(run: Run, table: str) -> set[str]:
    """Return the rows of a table as text; a URL that a probe asks for is random."""
    frame: pd.DataFrame = getattr(run, table)
    if table == "pages":
        frame = frame[frame.role != "probe"]
    kept = frame.drop(columns=[*_OF_THE_WAY[table]])
    return set(kept.to_json(orient="records", lines=True, date_format="iso").splitlines())


@pytest.mark.parametrize("number", [0, 1])
def test_folder_and_server_are_equal(build: Path, number: int, tmp_path: Path) -> None:
    hosting = HOSTINGS[generator_of(build)][number]
    folder = audit(tmp_path / "folder", folder=str(build), hosting=hosting)
    with HostedServer(Build(build, hosting)) as server:
        staged = audit(tmp_path / "server", staging=server.origin)
    for table in _OF_THE_WAY:
        more = rows_of(folder.run, table) - rows_of(staged.run, table)
        assert not rows_of(staged.run, table) - rows_of(folder.run, table), table
        # Only a folder shows what nobody lists, and what that leads to.
        assert not more or (table == "pages" and not any('"role":"listed"' in row for row in more))
    found = {rule for rule, _ in folder.findings()} - {"built-not-listed"}
    assert found == {rule for rule, _ in staged.findings()}


@pytest.fixture(scope="module")
def crawled(build: Path, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Return an audit of a build as GitHub Pages serves it, with all links followed."""
    folder = tmp_path_factory.mktemp("crawled")
    return audit(folder, folder=str(build), hosting="github", links="crawl")


def test_findings_of_a_usual_build(build: Path, crawled: Audited) -> None:
    generator = generator_of(build)
    found = {rule for rule, _ in crawled.findings()} - ABOUT_LINKS
    if generator in FOUND:
        assert found == FOUND[generator]
    files = crawled.run.pages.set_index("url").file.dropna()
    assert all((build / file).is_file() for file in files)
    assert "index.html" in set(files)


def test_orphans_have_no_link_in_any_file_of_the_build(build: Path, crawled: Audited) -> None:
    run = crawled.run
    assert run.manifest.complete
    linked = set(links_in(build))
    listed = set(run.urls.url[run.urls.indexable])
    orphans = set(run.findings.url[run.findings.rule == "orphan-no-inlinks"])
    conclusive = "links-inconclusive" not in set(run.findings.rule)
    expected = listed - linked - {f"{SITE}/"} if conclusive else set()
    assert orphans == expected
    # No browser runs the scripts of their pages.
    assert conclusive == (generator_of(build) not in ("sphinx", "mkdocs"))
    assert set(run.urls.url[run.urls.inlinks > 0]) <= linked


def links_in(build: Path) -> Iterator[str]:
    """Yield what the anchors of the HTML files of a build lead to, as lxml reads them."""
    for file in build.rglob("*.html"):
        path = file.relative_to(build).as_posix().removesuffix("index.html")
        for anchor in lxml.html.fromstring(file.read_bytes()).iter("a"):
            target = urldefrag(urljoin(f"{SITE}/{path}", anchor.get("href"))).url
            if target != f"{SITE}/{path}":
                yield target
