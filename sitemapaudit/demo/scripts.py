"""The pages of the demo shop whose scripts change what they say: only a browser finds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemapaudit.demo.documents import page, prose
from sitemapaudit.demo.plants import Origins, Plant

_NOINDEX: Final = """
const tag = document.createElement('meta');
tag.name = 'robots';
tag.content = 'noindex';
document.head.append(tag);
"""
_CANONICAL: Final = "document.querySelector('link[rel=canonical]').href = '/product/10';"
_REDIRECT: Final = "setTimeout(() => { location = '/product/11'; }, 100);"


def scripted_plants(origins: Origins) -> Iterator[Plant]:
    """Yield them, each with the rules that find something once its scripts ran."""
    yield _plant(origins, "/hides-itself", _NOINDEX, "render-noindex-differs")
    yield _plant(origins, "/renames-itself", _CANONICAL, "render-canonical-differs")
    yield _plant(origins, "/runs-away", _REDIRECT, "render-js-redirect")
    shown = f"document.querySelector('main').innerHTML = `<h1>Filled</h1>{prose('Filled')}`;"
    yield _plant(origins, "/fills-itself", shown, "render-content-differs", empty=True)
    yield _plant(
        origins, "/locked-out", "", "render-failed", more="<script src='/private/app.js'></script>"
    )


def _plant(
    origins: Origins, path: str, script: str, rule: str, *, empty: bool = False, more: str = ""
) -> Plant:
    title = path.strip("/").replace("-", " ").capitalize()
    body = f"<script>{script}</script>{more}"
    reply = page(title, canonical=origins.shop + path, body=body, text="" if empty else None)
    return Plant(path, reply, rendered=(rule,))
