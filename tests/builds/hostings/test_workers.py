"""Static assets of Cloudflare Workers."""

import json
from pathlib import Path

import pytest

from tests.builds.builds import (
    NOT_FOUND,
    PAGES,
    guide_row,
    only_problem,
    open_build,
    replies_to,
    robots_tag,
)

# Compared with ``wrangler dev``: the rows of the guide, by html_handling. Where both.html and
# both/index.html have one URL, the page that is not served there keeps its own name.
GUIDE = {
    "auto-trailing-slash": "ok /file /file /folder/ ok /folder/ ok ok /both /both/",
    "force-trailing-slash": "/file/ ok /file/ /folder/ ok /folder/ /both/ ok ok /both/",
    "drop-trailing-slash": "ok /file /file ok /folder /folder ok /both /both ok",
    "none": "404 404 ok 404 404 ok 404 404 ok ok",
}
FILES = ("index.html", "file.html", "twin", "twin.html", "deep/index/index.html", "é/[x].html")
FILES_BY_MODE = {
    "auto-trailing-slash": {
        "/": "200 index.html",
        "/index": "307 /",
        "/index.html?a=1": "307 /?a=1",
        "/file/index.html": "307 /file",
        "/twin": "200 twin",
        "/twin.html": "200 twin.html",
        "/twin/": "404",
        "/deep/index": "307 /deep/index/",
        "//file": "307 /file",
        "/%C3%A9/[x]": "307 /%C3%A9/%5Bx%5D",
        "/%C3%A9/%5Bx%5D": "200 é/[x].html",
        "/%C3%A9/%5Bx%5D.html": "307 /%C3%A9/%5Bx%5D",
    },
    "force-trailing-slash": {
        "/": "200 index.html",
        "/index.html": "307 /",
        "/file/index": "307 /file/",
        "/twin.html": "307 /twin/",
        "/deep/index": "307 /deep/index/",
    },
    "drop-trailing-slash": {
        "/": "200 index.html",
        "/index": "307 /",
        "/file/index": "307 /file",
        "/twin/": "404",
        "/deep/index/": "307 /deep/index",
        "/deep/index": "200 deep/index/index.html",
    },
    "none": {
        "/": "404",
        "/index.html": "200 index.html",
        "/%C3%A9/[x].html": "307 /%C3%A9/%5Bx%5D.html",
    },
}
MISSING = {
    "none": ("404", "404", "404"),
    "404-page": ("404 404.html", "404 blog/404.html", "307 /blog/%5Bx%5D"),
    "single-page-application": ("200 index.html", "200 index.html", "307 /blog/%5Bx%5D"),
}

# Each case: the html_handling, the lines, the target of a request, and the reply.
REDIRECTS = [
    ("none", "/ /index.html 200", "/", "200 index.html"),
    ("none", "/old /page.html 200", "/old", "200 page.html"),
    ("auto-trailing-slash", "/old /page.html 200", "/old", "307 /page"),
    ("auto-trailing-slash", "/old /gone 200", "/old", "404"),
    ("auto-trailing-slash", "/page /new", "/page?a=1", "302 /new?a=1"),
    ("auto-trailing-slash", "/o/* /n/:splat 301", "/o//a", "301 /n/a"),
    ("auto-trailing-slash", "/a /c//d", "/a", "302 /c//d"),
    ("auto-trailing-slash", "/p/:id /x\n/a /c//d", "/a", "302 /c/d"),
    ("auto-trailing-slash", "/a https://o.example//x//y", "/a", "302 https://o.example/x//y"),
    ("auto-trailing-slash", "/o/* https://o.example/:splat", "/o/a", "302 https://o.example/a"),
]


def config(main: str = "", **assets: object) -> dict[str, str]:
    settings = {"assets": {"directory": "public", **assets}} | ({"main": main} if main else {})
    return {"../wrangler.json": json.dumps(settings)}


@pytest.mark.parametrize("mode", GUIDE)
def test_the_guide(tmp_path: Path, mode: str) -> None:
    assert guide_row(tmp_path, "workers", 307, config(html_handling=mode)) == GUIDE[mode]


@pytest.mark.parametrize("mode", FILES_BY_MODE)
def test_files(tmp_path: Path, mode: str) -> None:
    files = dict.fromkeys(FILES, "") | config(html_handling=mode)
    expected = FILES_BY_MODE[mode]
    assert replies_to(tmp_path, "workers", files, expected) == expected


@pytest.mark.parametrize("mode", MISSING)
def test_missing_pages(tmp_path: Path, mode: str) -> None:
    files = dict.fromkeys(NOT_FOUND, "") | config(not_found_handling=mode)
    targets = ("/gone", "/blog/gone", "/blog/[x]")
    replies = replies_to(tmp_path, "workers", files, targets)
    assert tuple(replies.values()) == MISSING[mode]


@pytest.mark.parametrize(("mode", "lines", "target", "expected"), REDIRECTS)
def test_redirects(tmp_path: Path, mode: str, lines: str, target: str, expected: str) -> None:
    files = {**PAGES, "_redirects": lines, **config(html_handling=mode)}
    assert replies_to(tmp_path, "workers", files, [target]) == {target: expected}


def test_headers_of_several_blocks_are_joined(tmp_path: Path) -> None:
    lines = "/*\n X-Robots-Tag: a\n/page\n X-Robots-Tag: b"
    build = open_build(tmp_path, "workers", {**PAGES, "_headers": lines})
    assert robots_tag(build.reply("example.com", "/page")) == "a, b"
    assert robots_tag(build.reply("example.com", "/page.html")) == "a"


# Each case: the settings, and the paths of these that the script answers.
TARGETS = ("/page", "/gone", "/api/a", "/api/docs/a")
SCRIPTS: list[tuple[dict[str, str], tuple[str, ...]]] = [
    (config(), ()),
    (config("main.js"), ("/gone", "/api/a", "/api/docs/a")),
    (config("main.js", run_worker_first=True), TARGETS),
    (config("main.js", run_worker_first=["/page", "!/api/*"]), ("/page", "/gone")),
]


@pytest.mark.parametrize(("settings", "unknown"), SCRIPTS)
def test_paths_of_the_script(
    tmp_path: Path, settings: dict[str, str], unknown: tuple[str, ...]
) -> None:
    replies = replies_to(tmp_path, "workers", {**PAGES, **settings}, TARGETS)
    assert tuple(path for path, reply in replies.items() if reply == "unknown") == unknown


TOML = 'name = "a"\n[assets]\nhtml_handling = "drop-trailing-slash"\n'
JSONC = '{/* , */ "assets": {"html_handling": "drop-trailing-slash", // "//"\n "a": "//,}",},}'


@pytest.mark.parametrize(
    "files",
    [
        {"../wrangler.toml": TOML},
        {"../../wrangler.toml": TOML, "../../.git/config": ""},
        {"wrangler.toml": TOML},
        {"../wrangler.jsonc": JSONC},
        {"../../wrangler.jsonc": JSONC, "../../.git/config": "", "../wrangler.toml": ""},
    ],
)
def test_the_places_of_the_settings(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "site").mkdir()
    replies = replies_to(tmp_path / "site", "workers", {**PAGES, **files}, ["/app/"])
    assert replies == {"/app/": "307 /app"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("wrangler.toml", "["),
        ("wrangler.json", "["),
        ("wrangler.json", "[]"),
        ("wrangler.jsonc", '{"assets": {"html_handling": "drop"}}'),
    ],
)
def test_settings_that_are_not_valid(tmp_path: Path, name: str, text: str) -> None:
    file, line, reason = only_problem(tmp_path, "workers", {f"../{name}": text})
    assert (file, line) == (name, None)
    assert reason.startswith("cannot be read: ")


def test_ignored_files_are_not_served(tmp_path: Path) -> None:
    files = {".assetsignore": "# a\n_worker.js\n/own/\n*.map\n", "_headers": "", "_redirects": ""}
    build = open_build(tmp_path, "workers", {**PAGES, **files})
    (problem,) = build.problems()
    assert (problem.file.name, problem.line) == (".assetsignore", 4)
    hidden = dict.fromkeys([*files, "_worker.js", "a/_worker.js/b", "own/a.txt"], "")
    replies = replies_to(
        tmp_path, "workers", {**hidden, **files, "a/own/a.txt": ""}, map("/".__add__, hidden)
    )
    assert set(replies.values()) == {"404"}
    assert replies_to(tmp_path, "workers", {}, ["/a/own/a.txt"]) == {
        "/a/own/a.txt": "200 a/own/a.txt"
    }


def test_a_file_of_an_unknown_type_has_no_content_type(tmp_path: Path) -> None:
    build = open_build(tmp_path, "workers", ("a", "a.txt"))
    assert build.reply("example.com", "/a").headers == ()
    assert build.reply("example.com", "/a.txt").headers != ()
