"""Files of a build, and the files of the repository from which a generator made them."""

from pathlib import Path

import pytest

from sitemapaudit.builds.sources import find_source

# Each case: the build, the files of the project, a file of the build, and its source.
SOURCES = [
    ("site", {"mkdocs.yml": "", "docs/a/b.md": ""}, "a/b/index.html", "docs/a/b.md"),
    ("site", {"mkdocs.yml": "docs_dir: 'x'", "x/README.md": ""}, "index.html", "x/README.md"),
    ("site", {"mkdocs.yml": "docs_dir: x", "x/index.md": ""}, "index.html", "x/index.md"),
    ("docs/_build/html", {"docs/conf.py": "", "docs/a.rst": ""}, "a.html", "docs/a.rst"),
    ("public", {"hugo.toml": "", "content/p/_index.md": ""}, "p/index.html", "content/p/_index.md"),
    ("public", {"hugo.toml": "", "content/p/index.md": ""}, "p/index.html", "content/p/index.md"),
    (
        "_site",
        {"_config.yml": "", "_posts/2026-11-01-a.md": ""},
        "2026/11/01/a.html",
        "_posts/2026-11-01-a.md",
    ),
    (
        "_site",
        {"_config.yml": "", "x.md": "---\ntitle: X\npermalink: /about/\n---\n", "about.md": ""},
        "about/index.html",
        "x.md",
    ),
    ("_site", {"_config.yml": "", "x.md": "url: /about/\n"}, "about/index.html", None),
    (
        "dist",
        {"astro.config.mjs": "", "src/pages/a.astro": ""},
        "a/index.html",
        "src/pages/a.astro",
    ),
    *(
        ("_site", {f"eleventy.config.{suffix}": "", "src/a.md": ""}, "a/index.html", "src/a.md")
        for suffix in ("js", "mjs", "cjs")
    ),
    ("build", {"docusaurus.config.ts": "", "docs/a.md": ""}, "docs/a/index.html", "docs/a.md"),
    ("public", {"hugo.json": "", "content/a.md": ""}, "a/index.html", "content/a.md"),
    ("dist", {"docs/.vitepress/x": "", "docs/a.md": ""}, "a.html", "docs/a.md"),
    ("dist", {"a.md": ""}, "a.html", None),
]


@pytest.mark.parametrize(("folder", "files", "name", "source"), SOURCES)
def test_the_source_of_a_file(
    tmp_path: Path, folder: str, files: dict[str, str], name: str, source: str | None
) -> None:
    for file, text in {**files, f"{folder}/{name}": "", ".git/HEAD": ""}.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    expected = None if source is None else tmp_path / source
    assert find_source(tmp_path / folder, name) == expected
