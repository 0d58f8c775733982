"""The kinds of hosting of a build folder."""

from __future__ import annotations

import inspect
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.generated.markdown import as_markdown, contents, table
from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names

_FILES: Final = ("page.html", "folder/index.html")
_PATHS: Final = ("/page", "/page/", "/page.html", "/folder", "/folder/", "/folder/index.html")


def hostings_table() -> str:
    """Return the kinds of hosting, with the first line of their documentation."""
    rows = [(f"`{name}`", _document(name).partition("\n")[0]) for name in hosting_names()]
    return table(("hosting", "rules"), rows)


def hostings() -> str:
    """Return which URLs each kind of hosting serves, and a section with its documentation."""
    names = hosting_names()
    with TemporaryDirectory() as folder:
        for name in _FILES:
            file = Path(folder, name)
            file.parent.mkdir(exist_ok=True)
            file.touch()
        rows = [(f"`{name}`", *_replies(Build(Path(folder), name))) for name in names]
    head = ("hosting", *(f"`{path}`" for path in _PATHS))
    sections = [f"## {name}\n\n{_document(name)}" for name in names]
    return "\n\n".join([contents(names), table(head, rows), *sections])


def _replies(build: Build) -> list[str]:
    replies = [build.reply("www.example.com", path) for path in _PATHS]
    return [
        " ".join([str(reply.status), *(f"`{v}`" for k, v in reply.headers if k == "Location")])
        for reply in replies
    ]


def _document(name: str) -> str:
    return as_markdown(inspect.getdoc(load_hosting(name)) or "")
