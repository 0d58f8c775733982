"""Markdown next to each page of the site, and ``llms.txt``, which lists the pages for assistants.

The format of the list is that of https://llmstxt.org.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from docs.site.pages import OF_THE_PROJECT

LIST: Final = "llms.txt"
_LINK: Final = re.compile(r"\]\(([\w/.-]+\.md)\)")
_HIDDEN: Final = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)


def setup(app: Sphinx) -> None:
    """Write the files when the site is built."""
    app.connect("build-finished", _write)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.name != "html":
        return
    folder, source = Path(app.outdir), Path(app.srcdir)
    for page in app.env.found_docs:
        file = folder / f"{page}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(readable(source_of(source, page)), encoding="utf-8")
    index = readable((source / "index.md").read_text(encoding="utf-8"))
    (folder / LIST).write_text(listing(index), encoding="utf-8")


def source_of(docs: Path, page: str) -> str:
    """Return the Markdown of a page; some stand for a file at the top of the project."""
    return (_project_file(docs, page) or docs / f"{page}.md").read_text(encoding="utf-8")


def _project_file(docs: Path, page: str) -> Path | None:
    file = OF_THE_PROJECT.get(page)
    return None if file is None else docs / file


def readable(text: str) -> str:
    """Return Markdown without the comments of its authors."""
    return _HIDDEN.sub("", text).lstrip()


def listing(index: str) -> str:
    """Return ``llms.txt`` from the first page: its title, its first sentences, and its lists."""
    title, _, rest = index.partition("\n")
    summary = " ".join(rest.strip().split("\n\n")[0].split())
    _, *sections = re.split(r"^## ", rest, flags=re.MULTILINE)
    lists = [section.strip() for section in sections if _LINK.search(section)]
    return "\n\n".join([title, f"> {summary}", *(f"## {each}" for each in lists)]) + "\n"
