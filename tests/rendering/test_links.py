"""Links that only scripts make are links too, where the browser opened their page."""

from pathlib import Path

import duckdb

from sitemapaudit.demo.server import Reply
from tests.rendering.site import HTML, PROSE, ScriptedSite, scripted
from tests.support.audits import crawl
from tests.support.settings import QUICK

MENU = "document.querySelector('nav').innerHTML = '<a href=/made>m</a><a href=/static>s</a>'"
WRITTEN = "document.write('<a href=/later>l</a>')"
REMOVED = "document.querySelector('main a').remove()"
PAGES = {
    "/": scripted(
        MENU,
        body=f"<nav></nav><footer><a href=/static>s</a></footer><p>{PROSE}</p>"
        f'<script>{WRITTEN}</script><button onclick="more()">Load more</button>'
        "<script>function more() { document.body.innerHTML += '<a href=/clicked>c</a>' }</script>",
    ),
    "/clicked": f"<title>C</title><main><p>{PROSE}</p><a href=/>home</a></main>",
    "/static": f"<title>S</title><main><p>{PROSE}</p><a href=/>home</a></main>",
    "/later": f"<title>L</title><main><p>{PROSE}</p><a href=/>home</a></main>",
    "/removed": scripted(REMOVED, body=f"<main><p>{PROSE}</p><a href=/static>s</a></main>"),
}
UNLISTED = {"/made": f"<title>M</title><h1>H</h1><p>{PROSE}</p><a href=/removed>r</a>"}


def test_rendered_links_are_recorded_and_followed(tmp_path: Path) -> None:
    replies = {path: Reply(source, headers=[HTML]) for path, source in UNLISTED.items()}
    with ScriptedSite(PAGES, replies) as site:
        arguments = {"site": site.origin, "links": "crawl", "render": "always"}
        run = crawl(tmp_path, arguments, QUICK).run
    query = f"select source, target, region, rendered from '{run.path}/links.parquet' order by all"
    with duckdb.connect() as connection:
        rows = connection.execute(query).fetchall()
    links = [
        (source.removeprefix(site.origin), target.removeprefix(site.origin), region, rendered)
        for source, target, region, rendered in rows
    ]
    assert links == [
        ("/", "/later", "other", True),
        ("/", "/made", "nav", True),
        ("/", "/static", "nav", False),
        ("/clicked", "/", "main", False),
        ("/later", "/", "main", False),
        ("/made", "/removed", "other", False),
        ("/removed", "/static", "main", False),
        ("/static", "/", "main", False),
    ]
    pages = run.pages.set_index("url")
    assert pages.loc[f"{site.origin}/made", "role"] == "link"
    assert run.urls.set_index("url").loc[f"{site.origin}/removed", "clicks"] == 2
    # The browser clicks no button, so an audit does not know where it leads.
    assert run.orphans[["url", "certain"]].to_dict("records") == [
        {"url": f"{site.origin}/clicked", "certain": False}
    ]
    assert run.manifest.links is not None
    assert run.manifest.links.gaps == {"pages with links or buttons of unknown target": 1}
