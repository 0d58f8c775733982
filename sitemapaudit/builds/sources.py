"""The file of a repository from which a generator made a file of its build."""

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final

from sitemapaudit.given_files import read_parts

_SUFFIXES: Final = (
    *(".md", ".rst", ".mdx", ".markdown", ".adoc", ".ipynb"),
    *(".njk", ".astro", ".html"),
)


def _scripts(name: str, suffixes: str) -> list[str]:
    """Return the names of a configuration in JavaScript or TypeScript."""
    return [f"{name}.{suffix}" for suffix in suffixes.split()]


_CONTENT: Final = {
    "mkdocs.yml": ("docs",),
    "mkdocs.yaml": ("docs",),
    "conf.py": (".",),
    "docs/conf.py": ("docs",),
    "source/conf.py": ("source",),
    "docs/source/conf.py": ("docs/source",),
    "hugo.toml": ("content",),
    "hugo.yaml": ("content",),
    "hugo.json": ("content",),
    "config.toml": ("content",),
    "_config.yml": (".",),
    "_config.yaml": (".",),
    "_config.toml": (".",),
    **dict.fromkeys((".eleventy.js", *_scripts("eleventy.config", "js mjs cjs")), (".", "src")),
    **dict.fromkeys(
        _scripts("astro.config", "mjs js ts mts cjs cts"), ("src/pages", "src/content/docs")
    ),
    **dict.fromkeys(_scripts("docusaurus.config", "js mjs cjs ts mts cts"), (".", "src/pages")),
    ".vitepress": (".",),
    "docs/.vitepress": ("docs",),
}
"""The folders with content next to the configuration of a generator.

Sources: MkDocs ``docs_dir``, Sphinx "source directory", Hugo ``contentDir``, Jekyll "Directory
Structure", Eleventy ``dir.input``, Astro "Project Structure", Docusaurus "Project structure",
VitePress "File-Based Routing".
"""

_DOCS_DIR: Final = re.compile(rb"^docs_dir:[ \t]*['\"]?([^'\"\r\n]+)", re.MULTILINE)
_PERMALINK: Final = re.compile(rb"^(?:permalink|url):[ \t]*['\"]?(/[^'\"\s]*)", re.MULTILINE)
_POST: Final = re.compile(r"(?:.*/)?(\d{4})/(\d\d)/(\d\d)/([^/]+)")
_MAX_ANCESTORS: Final = 4
_MAX_FILES: Final = 5_000
"""Files with content in which a permalink is searched."""


def find_source(folder: Path, name: str) -> Path | None:
    """Return the source of a file, by its name relative to a build; None if it is not known.

    A permalink in the front matter of a source counts more than its path.
    """
    path = _page_path(name)
    contents = _contents(folder.resolve())
    for content in contents:
        if (source := _permalinks(content, folder.resolve()).get(path)) is not None:
            return source
    files = (content / each for content in contents for each in _candidates(path))
    return next((file for file in files if file.is_file()), None)


def _page_path(name: str) -> str:
    """Return what ``a/index.html``, ``a.html`` and ``/a/`` have in common: ``a``."""
    stem = re.sub(r"\.html?$", "", name.strip("/"))
    return re.sub(r"(?:^|/)index$", "", stem)


def _candidates(path: str) -> Iterator[str]:
    inside = (PurePosixPath(path, each).as_posix() for each in ("index", "_index", "README"))
    for name in filter(None, (path, *inside)):
        yield from (name + suffix for suffix in _SUFFIXES)
    if post := _POST.fullmatch(path):
        yield from (f"_posts/{'-'.join(post.groups())}{suffix}" for suffix in _SUFFIXES)


@cache
def _contents(folder: Path) -> tuple[Path, ...]:
    """Return the folders with content for a build, from the nearest project that has any."""
    for project in islice(folder.parents, _MAX_ANCESTORS):
        found = [
            project / each
            for marker, names in _CONTENT.items()
            if (project / marker).exists()
            for each in (_docs_dir(project / marker) or names)
        ]
        if found:
            return tuple(dict.fromkeys(each for each in found if each.is_dir()))
        if (project / ".git").exists():
            break
    return ()


def _docs_dir(configuration: Path) -> tuple[str, ...]:
    found = _DOCS_DIR.search(_beginning(configuration)) if configuration.suffix else None
    return (found[1].decode(errors="replace").strip(),) if found else ()


@cache
def _permalinks(content: Path, build: Path) -> dict[str, Path]:
    """Return the sources with a permalink in their front matter, by its path."""
    found: dict[str, Path] = {}
    files = (file for file in content.rglob("*.m*") if not file.is_relative_to(build))
    for file in islice(files, _MAX_FILES):
        text = _beginning(file) if file.suffix in _SUFFIXES else b""
        front = text.split(b"\n---", 1)[0] if text.startswith(b"---") else b""
        if link := _PERMALINK.search(front):
            found.setdefault(_page_path(link[1].decode(errors="replace")), file)
    return found


def _beginning(file: Path) -> bytes:
    with suppress(OSError):
        return next(read_parts(file), b"")
    return b""
