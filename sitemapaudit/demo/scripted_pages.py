"""Pages of the demo shop that scripts change; only a browser shows their faults."""

from collections.abc import Iterator
from typing import Final

from sitemapaudit.demo.documents import page, prose
from sitemapaudit.demo.planted_pages import Origins, PlantedPage

_NOINDEX: Final = """
const tag = document.createElement('meta');
tag.name = 'robots';
tag.content = 'noindex';
document.head.append(tag);
"""
_CANONICAL: Final = "document.querySelector('link[rel=canonical]').href = '/product/10';"
_REDIRECT: Final = "setTimeout(() => { location = '/product/11'; }, 100);"


def scripted_pages(origins: Origins) -> Iterator[PlantedPage]:
    """Yield each page with the rules that must report it after its scripts ran."""
    yield _page(origins, "/hides-itself", _NOINDEX, "render-noindex-differs")
    yield _page(origins, "/renames-itself", _CANONICAL, "render-canonical-differs")
    yield _page(origins, "/runs-away", _REDIRECT, "render-js-redirect")
    fill = f"document.querySelector('main').innerHTML = `<h1>Filled</h1>{prose('Filled')}`;"
    yield _page(origins, "/fills-itself", fill, "render-content-differs", empty=True)
    yield _page(
        origins, "/locked-out", "", "render-failed", more="<script src='/private/app.js'></script>"
    )


def _page(
    origins: Origins, path: str, script: str, rule: str, *, empty: bool = False, more: str = ""
) -> PlantedPage:
    title = path.strip("/").replace("-", " ").capitalize()
    body = f"<script>{script}</script>{more}"
    reply = page(title, canonical=origins.shop + path, body=body, text="" if empty else None)
    return PlantedPage(path, reply, browser_rules=(rule,))
