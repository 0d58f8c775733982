"""A browser renders pages of staging and of builds: what they load comes from there too."""

from pathlib import Path

import pytest

from sitemapaudit.demo.documents import TEXT, entry, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.support.audits import crawl

pytestmark = pytest.mark.xdist_group("staging-rendering")

SITE = "https://www.example.com"
SITEMAP = urlset([entry(f"{SITE}/")])
PAGE = (
    '<!doctype html><html lang="en"><title>Source</title><h1>Home</h1><p>'
    + "Enough words for a page. " * 60
    + '</p><script src="/scripts/app.js"></script>'
)
SCRIPT = "fetch('/data.json').then(r => r.json()).then(data => { document.title = data.title })"
FILES = {
    "robots.txt": f"Sitemap: {SITE}/sitemap.xml\n",
    "sitemap.xml": SITEMAP,
    "index.html": PAGE,
    "scripts/app.js": SCRIPT,
    "data.json": '{"title": "Rendered"}',
}


class Staging(Server):
    """Serves the files, with a redirect to the script."""

    def __init__(self) -> None:
        super().__init__(self._reply)

    def _reply(self, request: ServerRequest) -> Reply:
        match request.path:
            case "/robots.txt":
                return Reply(FILES["robots.txt"], headers=[TEXT])
            case "/sitemap.xml":
                return xml(SITEMAP)
            case "/":
                return Reply(PAGE, headers=[("Content-Type", "text/html; charset=utf-8")])
            case "/scripts/app.js":
                return Reply(status=302, headers=[("Location", f"http://{request.host}/app.js")])
            case "/app.js":
                return Reply(SCRIPT, headers=[("Content-Type", "text/javascript")])
            case "/data.json":
                return Reply(FILES["data.json"], headers=[("Content-Type", "application/json")])
        return Reply(status=404)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Return the folder of a build."""
    folder = tmp_path / "public"
    for name, content in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return folder


def check(audits: Path, **values: str) -> None:
    """Fail if the page was not rendered with what its script loads."""
    audited = crawl(audits, {"site": SITE, "render": "always", **values})
    assert audited.status == 0, audited.log
    pages = audited.run.pages.set_index("url")
    row = pages.loc[f"{SITE}/"]
    assert (row.title, row.rendered_title) == ("Source", "Rendered")
    assert row.rendered_failed_requests == 0


def test_staging(tmp_path: Path) -> None:
    with Staging() as staging:
        check(tmp_path, staging=staging.origin)


def test_a_build(tmp_path: Path, build: Path) -> None:
    check(tmp_path / "audits", folder=str(build))
