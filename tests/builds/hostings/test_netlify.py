"""Netlify."""

from pathlib import Path

import pytest

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

PLAIN_URLS = "[build.processing.html]\npretty_urls = false\n"
REPLIES = {
    "/both": "200 both.html",
    "/empty": "404",
    "/gone": "404",
    "/caf%c3%a9?a=%c3%a9": "301 /caf%C3%A9/?a=%c3%a9",
}
DECLARED = '[[edge_functions]]\nfunction = "geo"'
EDGE_FUNCTION = {"../netlify/edge-functions/geo.ts": ""}

# Each case: the files of the project, paths that are unknown, and paths that are not.
EDGE: list[tuple[dict[str, str], tuple[str, ...], tuple[str, ...]]] = [
    ({}, ("/.netlify/functions/a",), ("/page",)),
    (EDGE_FUNCTION, ("/page", "/"), ()),
    (
        {**EDGE_FUNCTION, "../netlify.toml": DECLARED + '\npath = "/api/*"'},
        ("/api", "/api/a"),
        ("/page",),
    ),
    ({"netlify.toml": DECLARED}, ("/page",), ()),
]

# Each case: the lines, the target of a request, and the reply.
REDIRECTS = [
    ("/old /new", "/old?a=1", "301 /new?a=1"),
    ("/old /new 302", "/old", "302 /new"),
    # A slash at the end makes no difference; the case does.
    ("/old /new", "/old/", "301 /new"),
    ("/old/ /new", "/old", "301 /new"),
    ("/a/:b/:b /c/:b", "/a/1/2", "301 /c/1"),
    ("/ /new 301!", "/", "301 /new"),
    ("/o/* /first\n/o/a /second", "/o/a", "301 /first"),
    ("/o/a /first\n/o/* /second", "/o/a", "301 /first"),
    ("/old /new", "/OLD", "404 404.html"),
    # An existing file wins, except for a status with an exclamation mark.
    ("/page /new", "/page", "200 page.html"),
    ("/page /new 301!", "/page", "301 /new"),
    ("/* /index.html 200", "/page", "200 page.html"),
    ("/* /index.html 200", "/any/thing", "200 index.html"),
    ("/news/* /blog/:splat", "/news/2026/a", "301 /blog/2026/a"),
    ("/news/* /blog/:splat", "/news", "301 /blog/"),
    ("/p/:year/:name /b/:name-:year", "/p/2026/a", "301 /b/a-2026"),
    ("/p/:name /b/:other", "/p/a", "301 /b/:other"),
    # Parameters must all be there, and no others; then they do not pass on.
    ("/shop id=:id /item/:id", "/shop?id=7", "301 /item/7"),
    ("/shop id=:id /item/:id", "/shop?id=7&b=1", "301 /item/7"),
    ("/shop id=:id /item/:id", "/shop", "404 404.html"),
    ("/shop id=7 /seven", "/shop?id=8", "404 404.html"),
    ("/shop id=:id /item/:id", "/shop?id=%2Fa%20b", "301 /item/%2Fa+b"),
    ("http://example.com/* https://example.com/:splat", "/old", "404 404.html"),
    # Rewrites.
    ("/a /page 200", "/a", "200 page.html"),
    ("/a /app 200", "/a", "200 app/index.html"),
    ("/a /gone 200", "/a", "404 404.html"),
    ("/en/* /en/404.html 404", "/en/gone", "404 en/404.html"),
    ("/api/* 200", "/api/a", "404 404.html"),
    # Replies that only the running site knows.
    ("/api/* https://api.example/:splat 200", "/api/a", "unknown"),
    ("/api/* https://[x 200", "/api/a", "unknown"),
    ("/api/* /.netlify/functions/:splat 200", "/api/a", "unknown"),
    ("/old /fr 302 Country=fr", "/old", "unknown"),
    ("/old /fr 302 Language=fr\n/old /en", "/other", "404 404.html"),
    ("/page /fr 302 Role=admin", "/page", "200 page.html"),
    ("", "/.netlify/functions/a", "unknown"),
    # Redirects of a domain.
    ("https://blog.example/* /blog/:splat", "/a", "404 404.html"),
    ("https://example.com/* https://www.example/:splat", "/a", "301 https://www.example/a"),
    ("/old", "/old", "404 404.html"),
]
IGNORED_REDIRECTS = [
    ("/old", "has no target"),
    ("/old 200", "has no target"),
    ("/old new", "no target begins with a slash, http:// or https://"),
    ("/old /new soon", "'soon' is not a status"),
    ("/.netlify/a /b", "the path begins with /.netlify"),
    ("/a//b /c", "matches no path: a part of the path is empty"),
    ("http://[/a /b", "the URL cannot be parsed"),
]

# Each case: the lines, the target, and the value of X-Robots-Tag.
HEADERS = [
    ("/page\n  X-Robots-Tag: noindex", "/page", "noindex"),
    ("/page\n  X-Robots-Tag: noindex", "/PAGE/", "noindex"),
    ("/page\n  X-Robots-Tag: noindex\n  X-Robots-Tag: nofollow", "/page", "noindex, nofollow"),
    ("/*\n X-Robots-Tag: a\n/page\n X-Robots-Tag: b", "/page", "b"),
    ("/static/*\n X-Robots-Tag: noindex", "/static/a.css", "noindex"),
    ("/*.css\n X-Robots-Tag: noindex", "/static/a.css", "noindex"),
    ("/:a/:a\n X-Robots-Tag: :a", "/static/a.css", ":a"),
    ("/*\n X-Robots-Tag: a\n ! X-Robots-Tag", "/page", "a"),
]
IGNORED_HEADERS = [
    ("a: b", 1, "comes before the first path"),
    ("/page\n a: b\n noindex", 3, "is not a valid header"),
]


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "netlify") == "ok /file ok /folder/ ok ok ok /both ok ok"


def test_the_guide_without_pretty_urls(tmp_path: Path) -> None:
    files = {"../netlify.toml": PLAIN_URLS}
    assert guide_row(tmp_path, "netlify", files=files) == "ok ok ok ok ok ok ok ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "netlify", (*TWINS, "café/index.html"), REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "netlify", NOT_FOUND, expected) == expected


def test_files_with_rules_are_not_served(tmp_path: Path) -> None:
    expected = {"/_redirects": "404 404.html", "/_headers": "404 404.html"}
    files = {**PAGES, "_redirects": "", "_headers": ""}
    assert replies_to(tmp_path, "netlify", files, expected) == expected


@pytest.mark.parametrize(("files", "unknown", "known"), EDGE)
def test_paths_of_code(
    tmp_path: Path, files: Files, unknown: tuple[str, ...], known: tuple[str, ...]
) -> None:
    write_build(tmp_path, PAGES)
    replies = replies_to(tmp_path, "netlify", files, (*unknown, *known))
    assert [path for path, reply in replies.items() if reply == "unknown"] == [*unknown]


@pytest.mark.parametrize(("lines", "target", "expected"), REDIRECTS)
def test_redirects(tmp_path: Path, lines: str, target: str, expected: str) -> None:
    assert reply_to(tmp_path, "netlify", {**PAGES, "_redirects": lines}, target) == expected


@pytest.mark.parametrize(("line", "reason"), IGNORED_REDIRECTS)
def test_redirects_that_are_ignored(tmp_path: Path, line: str, reason: str) -> None:
    files = {"_redirects": f"/x /y\n{line}\n"}
    assert only_problem(tmp_path, "netlify", files) == ("_redirects", 2, reason)
    assert reply_to(tmp_path, "netlify", files, "/x") == "301 /y"


@pytest.mark.parametrize(("lines", "target", "expected"), HEADERS)
def test_headers(tmp_path: Path, lines: str, target: str, expected: str | None) -> None:
    build = open_build(tmp_path, "netlify", {**PAGES, "_headers": lines})
    assert robots_tag(build.reply("example.com", target)) == expected


@pytest.mark.parametrize(("lines", "line", "reason"), IGNORED_HEADERS)
def test_headers_that_are_ignored(tmp_path: Path, lines: str, line: int, reason: str) -> None:
    files = {"_headers": lines}
    assert only_problem(tmp_path, "netlify", files) == ("_headers", line, reason)


TOML = """
[[redirects]]
from = "/old"
to = "/new"

[[redirects]]
from = "/page"
to = "/item/:id"
status = 302
force = true
query = {id = ":id"}

[[redirects]]
from = "/here"
to = "/fr"
[redirects.conditions]
Country = ["fr"]

[[redirects]]
to = "/new"
"""


def test_netlify_toml_comes_after_the_file(tmp_path: Path) -> None:
    files = {**PAGES, "_redirects": "/old /first", "../netlify.toml": TOML}
    expected = {"/old": "301 /first", "/page?id=7": "302 /item/7", "/here": "unknown"}
    assert replies_to(tmp_path, "netlify", files, expected) == expected
    build = open_build(tmp_path, "netlify", {})
    assert build.reply("example.com", "/page?id=7").rule == "netlify.toml:6"
    name, line, reason = only_problem(tmp_path, "netlify", {})
    assert (name, line) == ("netlify.toml", 19)
    assert reason == "Object missing required field `from`"


def test_headers_of_netlify_toml(tmp_path: Path) -> None:
    toml = (
        '[[headers]]\nfor = "/page"\n[headers.values]\nX-Robots-Tag = "noindex"\nA = ["b", "c"]\n'
    )
    toml += '[[headers]]\nfor = "/page"\n[[headers]]\nfor = "/"\nvalues = {"a b" = "c"}\n'
    build = open_build(tmp_path, "netlify", {**PAGES, "netlify.toml": toml})
    headers = dict(build.reply("example.com", "/page").headers)
    assert (headers["X-Robots-Tag"], headers["A"]) == ("noindex", "b, c")
    assert [problem.line for problem in build.problems()] == [6, 8]


@pytest.mark.parametrize("toml", ["[[redirects]", "a = " + "9" * 5_000, "a = " + "[" * 9_999])
def test_a_broken_netlify_toml_has_no_rules(tmp_path: Path, toml: str) -> None:
    files = {**PAGES, "netlify.toml": toml}
    assert reply_to(tmp_path, "netlify", files, "/page") == "200 page.html"
    assert only_problem(tmp_path, "netlify", files)[2].startswith("is not TOML: ")


def test_a_source_with_a_scheme(tmp_path: Path) -> None:
    lines = "http://example.com/* https://example.com/:splat\nhttps://example.com/b /c"
    build = open_build(tmp_path, "netlify", {**PAGES, "_redirects": lines})
    for path, status, location in (("/a", 301, "https://example.com/a"), ("/page", 200, None)):
        reply = build.reply("example.com", path, "http")
        assert (reply.status, dict(reply.headers).get("Location")) == (status, location)
    assert build.reply("example.com", "/b").status == 301
    assert build.reply("example.com", "/b", "http").rule == "_redirects:1"
    assert build.reply("example.com", "/a").status == 404
