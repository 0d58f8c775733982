"""A browser renders pages of staging and of builds: all that they load comes from there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.demo.documents import TEXT, entry, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.support.audits import crawl
from tests.support.untouched import UntouchedServer

pytestmark = pytest.mark.xdist_group("staging-rendering")

PAGE = (
    '<!doctype html><html lang="en"><title>Source</title><h1>Home</h1><p>'
    + "Enough words for a page. " * 60
    + '</p><script src="/scripts/app.js"></script>'
)
SCRIPT = """
const post = {method: 'POST', mode: 'no-cors'}
const other = location.origin.replace('127.0.0.1', 'localhost')
navigator.sendBeacon('/posted')
for (const [url, how] of [['/posted', post], [other + '/', {}], [other + '/posted', post]]) {
    fetch(url, how).catch(() => {})
}
fetch('/data.json').then(r => r.json()).then(data => { document.title = data.title })
"""


def files_of(site: str) -> dict[str, str]:
    """Return the files of a site."""
    return {
        "robots.txt": f"Sitemap: {site}/sitemap.xml\n",
        "sitemap.xml": urlset([entry(f"{site}/")]),
        "index.html": PAGE,
        "scripts/app.js": SCRIPT,
        "data.json": '{"title": "Rendered"}',
    }


class Staging(Server):
    """Serves the files of a site, with a redirect to the script."""

    def __init__(self, site: str) -> None:
        super().__init__(self._reply)
        self._files = files_of(site)

    def _reply(self, request: ServerRequest) -> Reply:
        files = self._files
        match request.path:
            case "/robots.txt":
                return Reply(files["robots.txt"], headers=[TEXT])
            case "/sitemap.xml":
                return xml(files["sitemap.xml"])
            case "/":
                return Reply(PAGE, headers=[("Content-Type", "text/html; charset=utf-8")])
            case "/scripts/app.js":
                return Reply(status=302, headers=[("Location", f"http://{request.host}/app.js")])
            case "/app.js":
                return Reply(SCRIPT, headers=[("Content-Type", "text/javascript")])
            case "/data.json":
                return Reply(files["data.json"], headers=[("Content-Type", "application/json")])
        return Reply(status=404)


@pytest.fixture
def live() -> Iterator[UntouchedServer]:
    """Return the live server of the site."""
    with UntouchedServer() as server:
        yield server


def check(audits: Path, live: UntouchedServer, **values: str) -> None:
    """Fail if the page was not rendered with what its script loads, or the site was contacted."""
    given = {"site": live.origin, "render": "always", **values}
    audited = crawl(audits, given, {"AUDIT_PRIVATE_HOSTS": "127.0.0.1,localhost"})
    assert audited.status == 0, audited.log
    assert not live.connections
    pages = audited.run.pages.set_index("url")
    row = pages.loc[f"{live.origin}/"]
    assert (row.title, row.rendered_title) == ("Source", "Rendered")
    assert row.rendered_failed_requests == 4


def test_staging(tmp_path: Path, live: UntouchedServer) -> None:
    with Staging(live.origin) as staging:
        check(tmp_path, live, staging=staging.origin)


def test_a_build(tmp_path: Path, live: UntouchedServer) -> None:
    folder = tmp_path / "public"
    for name, content in files_of(live.origin).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    check(tmp_path / "audits", live, folder=str(folder))
