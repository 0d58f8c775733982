"""Cloudflare Pages."""

from pathlib import Path

import pytest

from sitemapaudit.builds.cloudflare_headers import MAX_RULES
from sitemapaudit.builds.cloudflare_redirects import MAX_DYNAMIC, MAX_STATIC
from tests.builds.builds import (
    NOT_FOUND,
    PAGES,
    TWINS,
    Files,
    guide_row,
    only_problem,
    open_build,
    replies_to,
    reply_to,
    robots_tag,
    write_build,
)

REPLIES = {
    "/both": "200 both.html",
    "/both/": "200 both/index.html",
    "/empty": "200 index.html",
    "/gone": "200 index.html",
    "/index": "308 /",
    "/index.html": "308 /",
    "/folder/index": "308 /folder/",
    "/folder/index/": "308 /folder/",
    "/twin.html": "200 twin.html",
    "/twin": "200 twin",
}
HIDDEN = ("_redirects", "_headers", "_routes.json", "functions/a.txt")
HIDDEN_ANYWHERE = (".git/config", "a/.DS_Store", "node_modules/a.txt")

# Each case: the files of the project, paths that are unknown, and paths that are not.
ROUTES = '{"include": ["/api/*"], "exclude": ["/api/static/*"]}'
EDGE: list[tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]] = [
    ({}, ("/cdn-cgi/trace",), ("/page", "/api/a")),
    ({"_worker.js": ""}, ("/page", "/"), ()),
    (
        {"_worker.js": "", "_routes.json": ROUTES},
        ("/api", "/api/a"),
        ("/page", "/api/static/a"),
    ),
    ({"_routes.json": '{"include": ["/*"]}'}, (), ("/page",)),
    ({"_worker.js": "", "_routes.json": "{"}, ("/page",), ()),
    ({"_worker.js": "", "_routes.json": '{"include": 5}'}, ("/page",), ()),
    ({"../functions/api/hello.ts": ""}, ("/api/hello",), ("/api/a", "/page")),
    ({"../functions/api/index.js": ""}, ("/api",), ("/api/a", "/page")),
    ({"../functions/index.js": ""}, ("/",), ("/page",)),
    ({"../functions/api/[id].js": ""}, ("/api/a", "/api/b"), ("/page",)),
    ({"../functions/[[all]].js": ""}, ("/", "/page"), ()),
    ({"../functions/_middleware.js": ""}, ("/", "/page"), ()),
    ({"../functions/readme.md": ""}, (), ("/readme", "/page")),
    ({"functions/api/a.js": ""}, ("/api/a",), ("/page",)),
]

# Each case: the lines, the target of a request, and the reply.
REDIRECTS = [
    ("/old /new", "/old", "302 /new"),
    ("/old /new 301", "/old?a=1", "301 /new?a=1"),
    ("/old /new?b=2 301", "/old?a=1", "301 /new?b=2"),
    ("/old /new#top 301", "/old?a=1", "301 /new?a=1#top"),
    ("/old https://other.example/x 308", "/old?a=1", "308 https://other.example/x?a=1"),
    ("/old /first\n/o* /second", "/old", "302 /first"),
    ("/o* /first\n/old /second", "/old", "302 /first"),
    # Redirects apply where a file exists, and match letter by letter.
    ("/page /new 301", "/page", "301 /new"),
    ("/old /new", "/old/", "404 404.html"),
    ("/old /new", "/OLD", "404 404.html"),
    ("/news/* /blog/:splat 301", "/news/2026/a", "301 /blog/2026/a"),
    ("/news/* /blog/:splat 301", "/news", "404 404.html"),
    ("/news* /blog:splat 301", "/newsroom", "301 /blogroom"),
    ("/p/:year/:name /b/:name-:year 301", "/p/2026/a", "301 /b/a-2026"),
    ("/p/:name /b/:name", "/p/a/b", "404 404.html"),
    ("/p/:name /b/:other", "/p/a", "302 /b/:other"),
    ("/caf%c3%a9 /tea", "/caf%C3%A9", "302 /tea"),
    ("/café /tea", "/caf%C3%A9", "302 /tea"),
    # A rewrite serves another file; a redirect of the file server stays one.
    ("/a /page 200", "/a", "200 page.html"),
    ("/a /page.html 200", "/a", "308 /page"),
    ("/a /app 200", "/a", "308 /app/"),
    ("/a /gone 200", "/a", "404 404.html"),
    ("/a /b 200\n/b /page 200", "/a", "404 404.html"),
    ("# a comment\n\n/old /new 301 # another", "/old", "301 /new"),
]
IGNORED_REDIRECTS = [
    ("/old", "has 1 parts, not 2 or 3"),
    ("/old a=1 /new 301", "has 4 parts, not 2 or 3"),
    ("/old /new 404", "'404' is not a supported status"),
    ("/old /new 301!", "'301!' is not a supported status"),
    ("https://a.example/old /new", "the path is an absolute URL"),
    ("/old http://a.example/", "the target begins with neither a slash nor https://"),
    ("/old https://a.example/ 200", "a rewrite to another host is not supported"),
    ("/* /index.html 200", "would redirect in a loop"),
    ("/a/*/b/* /c", "a splat or a placeholder is repeated"),
    ("/a/:b/:b /c", "a splat or a placeholder is repeated"),
    ("/" + "a" * 2_000 + " /b", "is longer than 2,000 characters"),
    ("/x /z", "an earlier line has the same path"),
]

# Each case: the lines, the target, and the value of X-Robots-Tag.
HEADERS = [
    ("/page\n  X-Robots-Tag: noindex", "/page", "noindex"),
    ("/page\n  X-Robots-Tag: noindex", "/", None),
    ("/page\n  X-Robots-Tag: noindex\n  x-robots-tag: nofollow", "/page", "noindex, nofollow"),
    ("/*\n X-Robots-Tag: a\n/page\n X-Robots-Tag: b", "/page", "a, b"),
    ("/*\n X-Robots-Tag: a\n/page\n ! X-Robots-Tag", "/page", None),
    ("/*\n X-Robots-Tag: a\n/page\n ! x-robots-tag\n X-Robots-Tag: b", "/page", "b"),
    ("/static/*\n X-Robots-Tag: :splat", "/static/a.css", "a.css"),
    ("/:name\n X-Robots-Tag: :name", "/page", "page"),
    ("/PAGE\n X-Robots-Tag: noindex", "/page", None),
    ("https://example.com/*\n X-Robots-Tag: noindex", "/page", "noindex"),
    ("https://:name.com/*\n X-Robots-Tag: :name", "/page", "example"),
    ("https://:name/*\n X-Robots-Tag: noindex", "/page", None),
    ("https://other.example/*\n X-Robots-Tag: noindex", "/page", None),
    ("/gone\n X-Robots-Tag: noindex", "/gone", "noindex"),
    ("# /page\n/page\n  # none\n  X-Robots-Tag: noindex: all", "/page", "noindex: all"),
    # Headers belong to the path of the request, and redirects have them too.
    ("/page.html\n X-Robots-Tag: noindex", "/page.html", "noindex"),
]
IGNORED_HEADERS = [
    ("X-Robots-Tag: a\n/page\n b: c", 1, "comes before the first path"),
    ("/page", 1, "has no headers"),
    ("/page\n a: b\n noindex", 3, "is not a valid header"),
    ("/page\n a: b\n X Robots: c", 3, "is not a valid header"),
    ("/page\n a: b\n : c", 3, "is not a valid header"),
    ("/page\n a: b\n c:", 3, "is not a valid header"),
    ("/page\n a: b\x00c\n d: e", 2, "is not a valid header"),
    ("http://a.example/\n a: b", 1, "the path begins with neither a slash nor https://"),
    ("https://a.example:80/\n a: b", 1, "ports are not supported"),
    ("/*/*\n a: b", 1, "a splat or a placeholder is repeated"),
    ("/page\n a: " + "b" * 2_000 + "\n c: d", 2, "is longer than 2,000 characters"),
]


def test_the_guide(tmp_path: Path) -> None:
    row = guide_row(tmp_path, "cloudflare", 308)
    assert row == "ok /file /file /folder/ ok /folder/ ok ok /both /both/"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "cloudflare", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 blog/404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "cloudflare", NOT_FOUND, expected) == expected


@pytest.mark.parametrize("names", [HIDDEN, HIDDEN_ANYWHERE])
def test_files_for_the_hosting_are_not_served(tmp_path: Path, names: tuple[str, ...]) -> None:
    expected = {f"/{name}": "404 404.html" for name in names} | {"/page.txt": "200 page.txt"}
    files = ("404.html", "page.txt", *names)
    assert replies_to(tmp_path, "cloudflare", files, expected) == expected


@pytest.mark.parametrize(("files", "unknown", "known"), EDGE)
def test_paths_of_code(
    tmp_path: Path, files: Files, unknown: tuple[str, ...], known: tuple[str, ...]
) -> None:
    write_build(tmp_path, {**PAGES, "api/a.html": ""})
    replies = replies_to(tmp_path, "cloudflare", files, (*unknown, *known))
    assert [path for path, reply in replies.items() if reply == "unknown"] == [*unknown]


@pytest.mark.parametrize(("lines", "target", "expected"), REDIRECTS)
def test_redirects(tmp_path: Path, lines: str, target: str, expected: str) -> None:
    assert reply_to(tmp_path, "cloudflare", {**PAGES, "_redirects": lines}, target) == expected


@pytest.mark.parametrize(("line", "reason"), IGNORED_REDIRECTS)
def test_redirects_that_are_ignored(tmp_path: Path, line: str, reason: str) -> None:
    files = {"_redirects": f"/x /y\n{line}\n"}
    assert only_problem(tmp_path, "cloudflare", files) == ("_redirects", 2, reason)
    assert reply_to(tmp_path, "cloudflare", files, "/x") == "302 /y"


def test_the_limits_of_redirects(tmp_path: Path) -> None:
    lines = [f"/a{number} /b" for number in range(MAX_STATIC + 1)]
    lines += [f"/c{number}/* /d" for number in range(MAX_DYNAMIC)]
    files = {**PAGES, "_redirects": "\n".join(lines)}
    assert only_problem(tmp_path, "cloudflare", files)[1] == MAX_STATIC + 1
    expected = {
        f"/a{MAX_STATIC - 1}": "302 /b",
        f"/a{MAX_STATIC}": "404 404.html",
        f"/c{MAX_DYNAMIC - 1}/x": "302 /d",
    }
    assert replies_to(tmp_path, "cloudflare", files, expected) == expected


def test_redirects_below_a_dynamic_one_count_as_dynamic(tmp_path: Path) -> None:
    lines = ["/a/* /b", *(f"/c{number} /d" for number in range(MAX_DYNAMIC))]
    files = {"_redirects": "\n".join(lines)}
    assert only_problem(tmp_path, "cloudflare", files)[1] == len(lines)


@pytest.mark.parametrize(("lines", "target", "expected"), HEADERS)
def test_headers(tmp_path: Path, lines: str, target: str, expected: str | None) -> None:
    build = open_build(tmp_path, "cloudflare", {**PAGES, "_headers": lines})
    assert robots_tag(build.reply("example.com", target)) == expected


@pytest.mark.parametrize(("lines", "line", "reason"), IGNORED_HEADERS)
def test_headers_that_are_ignored(tmp_path: Path, lines: str, line: int, reason: str) -> None:
    files = {"_headers": lines}
    assert only_problem(tmp_path, "cloudflare", files) == ("_headers", line, reason)


def test_the_limit_of_headers(tmp_path: Path) -> None:
    lines = "".join(f"/a{number}\n b: c\n" for number in range(MAX_RULES + 1))
    build = open_build(tmp_path, "cloudflare", {**PAGES, "_headers": lines})
    assert [problem.line for problem in build.problems()] == [2 * MAX_RULES + 1]
    assert ("b", "c") in build.reply("example.com", f"/a{MAX_RULES - 1}").headers
    assert ("b", "c") not in build.reply("example.com", f"/a{MAX_RULES}").headers


def test_previews_are_noindex(tmp_path: Path) -> None:
    build = open_build(tmp_path, "cloudflare", PAGES)
    assert robots_tag(build.reply("Branch.shop.pages.dev:443", "/")) == "noindex"
    assert robots_tag(build.reply("shop.pages.dev:443", "/")) is None
