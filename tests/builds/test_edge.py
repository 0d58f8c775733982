"""Paths that only code of the site can answer."""

from pathlib import Path

import pytest

from tests.builds.builds import ask, open_build, write_build

PAGES = {"index.html": "", "page.html": "", "404.html": "", "api/a.html": ""}

# Each case: the host, files of the project, paths that are unknown, and paths that are not.
EDGE: list[tuple[str, dict[str, str], tuple[str, ...], tuple[str, ...]]] = [
    ("cloudflare", {}, ("/cdn-cgi/trace",), ("/page", "/api/a")),
    ("cloudflare", {"public/_worker.js": ""}, ("/page", "/"), ()),
    (
        "cloudflare",
        {
            "public/_worker.js": "",
            "public/_routes.json": '{"include": ["/api/*"], "exclude": ["/api/static/*"]}',
        },
        ("/api", "/api/a"),
        ("/page", "/api/static/a"),
    ),
    ("cloudflare", {"public/_routes.json": '{"include": ["/*"]}'}, (), ("/page",)),
    ("cloudflare", {"public/_worker.js": "", "public/_routes.json": "{"}, ("/page",), ()),
    ("cloudflare", {"functions/api/hello.ts": ""}, ("/api/hello",), ("/api/a", "/page")),
    ("cloudflare", {"functions/api/index.js": ""}, ("/api",), ("/api/a", "/page")),
    ("cloudflare", {"functions/index.js": ""}, ("/",), ("/page",)),
    ("cloudflare", {"functions/api/[id].js": ""}, ("/api/a", "/api/b"), ("/page",)),
    ("cloudflare", {"functions/[[all]].js": ""}, ("/", "/page"), ()),
    ("cloudflare", {"functions/_middleware.js": ""}, ("/", "/page"), ()),
    ("cloudflare", {"functions/readme.md": ""}, (), ("/readme", "/page")),
    ("cloudflare", {"public/functions/api/a.js": ""}, ("/api/a",), ("/page",)),
    ("netlify", {"netlify/edge-functions/geo.ts": ""}, ("/page", "/"), ()),
    (
        "netlify",
        {
            "netlify/edge-functions/geo.ts": "",
            "netlify.toml": '[[edge_functions]]\nfunction = "geo"\npath = "/api/*"',
        },
        ("/api", "/api/a"),
        ("/page",),
    ),
    ("netlify", {"netlify.toml": '[[edge_functions]]\nfunction = "geo"'}, ("/page",), ()),
    ("vercel", {"middleware.ts": ""}, ("/page.html", "/"), ()),
    ("vercel", {"api/a.js": "", "public/x.txt": ""}, ("/api", "/api/a"), ("/page.html",)),
    ("vercel", {}, ("/_vercel/insights/script.js",), ("/page.html",)),
    ("github", {"public/_next/a.js": ""}, ("/_next/a.js", "/a/.b"), ("/page", "/a_b")),
    ("github", {"public/_next/a.js": "", "public/.nojekyll": ""}, (), ("/_next/a.js",)),
    ("nginx", {"functions/page.js": "", "middleware.ts": ""}, (), ("/page",)),
]


@pytest.mark.parametrize(("hosting", "files", "unknown", "known"), EDGE)
def test_paths_of_code(
    tmp_path: Path,
    hosting: str,
    files: dict[str, str],
    unknown: tuple[str, ...],
    known: tuple[str, ...],
) -> None:
    pages = {**PAGES} if hosting != "vercel" else {"index.html": "", "page.html": ""}
    folder = write_build(tmp_path, pages)
    for name, text in files.items():
        file = folder.parent / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    build = open_build(tmp_path, hosting, {})
    assert [ask(build, folder, path) for path in unknown] == ["unknown"] * len(unknown)
    assert "unknown" not in [ask(build, folder, path) for path in known]
    for path in unknown:
        assert build.reply("example.com", path).headers == ()


HIDDEN = [
    ("cloudflare", ("_redirects", "_headers", "_routes.json", "functions/a.txt")),
    ("cloudflare", (".git/config", "a/.DS_Store", "node_modules/a.txt")),
    ("netlify", ("_redirects", "_headers")),
    ("vercel", ("vercel.json",)),
]


@pytest.mark.parametrize(("hosting", "names"), HIDDEN)
def test_files_for_the_host_are_not_served(
    tmp_path: Path, hosting: str, names: tuple[str, ...]
) -> None:
    folder = write_build(tmp_path, ("404.html", "page.txt", *names))
    build = open_build(tmp_path, hosting, ())
    assert ask(build, folder, "/page.txt") == "200 page.txt"
    assert {ask(build, folder, f"/{name}") for name in names} == {"404 404.html"}
