"""Vercel: sources and conditions of ``vercel.json``, and the order in which its rules apply."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hostings.vercel.config import MAX_RULES
from sitemapaudit.builds.hostings.vercel.sources import compile_source
from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.remarks import remarks
from tests.builds.builds import (
    GUIDE,
    NOT_FOUND,
    TWINS,
    Files,
    ask,
    guide_row,
    only_problem,
    open_build,
    replies_to,
    reply_to,
    write_build,
)

PAGES = {"index.html": "", "page.html": "", "404.html": "", "app/index.html": ""}


# The guide shows where a URL ends: 404, after the redirect that routing-utils makes.
GUIDE_ROWS: list[tuple[dict[str, bool], str]] = [
    ({}, "404 404 ok ok ok ok ok ok ok ok"),
    ({"trailingSlash": False}, "404 /file ok ok /folder ok ok /both ok ok"),
    ({"trailingSlash": True}, "/file/ 404 ok /folder/ ok ok /both/ ok ok ok"),
    ({"cleanUrls": True}, "ok ok /file ok ok /folder ok ok /both /both"),
    (
        {"cleanUrls": True, "trailingSlash": False},
        "ok /file /file ok /folder /folder ok /both /both /both",
    ),
    (
        {"cleanUrls": True, "trailingSlash": True},
        "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/",
    ),
]
REPLIES = {"/both": "200 both/index.html", "/": "200 index.html", "/empty/": "404", "/gone": "404"}

# Each case: files, paths that are unknown, and paths that are not.
EDGE = [
    (("../middleware.ts",), ("/page.html", "/"), ()),
    (("../api/a.js", "x.txt"), ("/api", "/api/a"), ("/page.html",)),
    ((), ("/_vercel/insights/script.js",), ("/page.html",)),
]


@pytest.mark.parametrize(("config", "row"), GUIDE_ROWS)
def test_the_guide(tmp_path: Path, config: dict[str, bool], row: str) -> None:
    files = {"../vercel.json": json.dumps(config)}
    assert guide_row(tmp_path, "vercel", 308, files) == row


NEXT = (*GUIDE, "404.html", "_next/static/a.js", "b.txt")


@pytest.mark.parametrize(
    ("more", "row", "replies"),
    [
        (
            {},
            "ok /file 404 ok /folder 404 ok /both 404 404",
            {"/404": "404 404.html", "/404/": "308 /404", "/b.txt": "200 b.txt"},
        ),
        (
            {"404/index.html": ""},
            "/file/ 404 404 /folder/ ok 404 /both/ ok 404 404",
            {"/404": "308 /404/", "/404/": "404 404.html", "/b.txt/": "308 /b.txt"},
        ),
    ],
    ids=["without-slash", "with-slash"],
)
def test_an_export_of_next_js(
    tmp_path: Path, more: dict[str, str], row: str, replies: dict[str, str]
) -> None:
    files = dict.fromkeys(NEXT, "") | more
    cells = guide_row(tmp_path, "vercel", 308, files).replace("404 404.html", "404")
    assert cells == row
    assert replies_to(tmp_path, "vercel", files, replies) == replies
    assert open_build(tmp_path, "vercel", files).preset == "Next.js"
    assert open_build(tmp_path / "other", "vercel", GUIDE).preset is None


def test_the_summary_names_the_preset() -> None:
    arguments = {"folder": "/out", "hosting": "vercel"}
    manifest = Manifest(arguments, {}, {}, "2026-11-27T00:00:00Z", preset="Next.js")
    (sentence,) = remarks(manifest)
    assert sentence.endswith("as the hosting vercel serves them with its preset for Next.js.")


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "vercel", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "vercel", NOT_FOUND, expected) == expected


def test_vercel_json_is_not_served(tmp_path: Path) -> None:
    files = {**PAGES, "vercel.json": "{}"}
    assert reply_to(tmp_path, "vercel", files, "/vercel.json") == "404 404.html"


@pytest.mark.parametrize(("files", "unknown", "known"), EDGE)
def test_paths_of_code(
    tmp_path: Path, files: Files, unknown: tuple[str, ...], known: tuple[str, ...]
) -> None:
    write_build(tmp_path, PAGES)
    replies = replies_to(tmp_path, "vercel", files, (*unknown, *known))
    assert [path for path, reply in replies.items() if reply == "unknown"] == [*unknown]


def open_vercel(project: Path, **config: Any) -> tuple[Build, Path]:
    folder = write_build(project, {**PAGES, "vercel.json": json.dumps(config)})
    return Build(folder, "vercel"), folder


# Each case: a source, a path, and the values by name and number, or None if it does not match.
SOURCES = [
    ("/a", "/a", {}),
    ("/a", "/a/", None),
    ("/a", "/A", None),
    ("/a.b", "/axb", None),
    ("/:slug", "/x", {"slug": "x", "1": "x"}),
    ("/:slug", "/x/y", None),
    ("/a/:slug*", "/a", {"slug": "", "1": ""}),
    ("/a/:slug*", "/a/x/y", {"slug": "x/y", "1": "x/y"}),
    ("/a/:slug*", "/a/", None),
    ("/a/:slug+", "/a", None),
    ("/a/:slug+", "/a/x/y", {"slug": "x/y", "1": "x/y"}),
    ("/a/:slug?", "/a", {"slug": "", "1": ""}),
    ("/a/:slug?/b", "/a/x/b", {"slug": "x", "1": "x"}),
    (r"/p/:id(\d+)", "/p/42", {"id": "42", "1": "42"}),
    (r"/p/:id(\d+)", "/p/x", None),
    (r"/p/:id(\d+)*", "/p/1/2", {"id": "1/2", "1": "1/2"}),
    ("/:name.:ext", "/a.css", {"name": "a", "ext": "css", "1": "a", "2": "css"}),
    ("/:from-:to", "/a-b", {"from": "a", "to": "b", "1": "a", "2": "b"}),
    ("/(.*)", "/x/y", {"1": "x/y"}),
    ("/a/(.*)", "/a", None),
    ("/((?!api/).*)", "/page", {"1": "page"}),
    ("/((?!api/).*)", "/api/x", None),
    ("/:path((?!uk/).*)", "/uk/x", None),
    ("/a/(b|c)", "/a/c", {"1": "c"}),
    ("/:all*(svg|jpg)", "/x.jpg", {"all": "x.", "1": "x.", "2": "jpg"}),
    (r"/a\(b\)", "/a(b)", {}),
    ("/play/:path*(/)?", "/play/x/", {"path": "x", "1": "x", "2": "/"}),
    ("/play/:path*(/)?", "/play/x", {"path": "x", "1": "x", "2": ""}),
    (r"/:v(\(x\))", "/(x)", {"v": "(x)", "1": "(x)"}),
    ("/()", "/x", {"1": "x"}),
    # A letter with a backslash is not a prefix: only the group may be missing.
    (r"/a\.:ext?", "/a.", {"ext": "", "1": ""}),
    (r"/a\.:ext?", "/a", None),
    ("/((?:(?:(?:(?:a)))))", "/a", {"1": "a"}),
]


@pytest.mark.parametrize(("source", "path", "expected"), SOURCES)
def test_sources(source: str, path: str, expected: dict[str, str] | None) -> None:
    assert compile_source(source).match(path) == expected


@pytest.mark.parametrize(
    "source", ["/(a", "/((a)b)", "/{a}", "/a(*)", "/:a([)", "/((?P<a>b))", "/(a{99999999999})"]
)
def test_sources_that_are_none(source: str) -> None:
    with pytest.raises(IgnoredError, match=r"^the source "):
        compile_source(source)


# Each case: the redirect except for its source, the target of a request, and the reply.
REDIRECTS = [
    ({"source": "/a", "destination": "/b"}, "/a", "308 /b"),
    ({"source": "/a", "destination": "/b", "permanent": True}, "/a", "308 /b"),
    ({"source": "/a", "destination": "/b", "permanent": False}, "/a", "307 /b"),
    ({"source": "/a", "destination": "/b", "statusCode": 301}, "/a", "301 /b"),
    ({"source": "/a", "destination": "/b"}, "/a?c=d", "308 /b?c=d"),
    ({"source": "/page.html", "destination": "/b"}, "/page.html", "308 /b"),
    ({"source": "/a/:s*", "destination": "/b/:s*"}, "/a/x/y", "308 /b/x/y"),
    ({"source": "/a/(.*)", "destination": "/b/$1"}, "/a/x/y", "308 /b/x/y"),
    ({"source": "/a/:s", "destination": "https://c.example/:s"}, "/a/x", "308 https://c.example/x"),
    ({"source": "/a", "destination": "/\ud800"}, "/a", "308 /%3F"),
    ({"source": "/caf\u00e9", "destination": "/th\u00e9"}, "/caf%C3%A9", "308 /th%C3%A9"),
]
COOKIE = {"type": "cookie", "key": "a"}
CONDITIONS = [
    ([{"type": "host", "value": "example.com"}], [], "/a", "308 /b"),
    ([{"type": "host", "value": "other.example"}], [], "/a", "404 404.html"),
    ([], [{"type": "host", "value": "example.com"}], "/a", "404 404.html"),
    ([{"type": "query", "key": "id"}], [], "/a?id=7", "308 /b?id=7"),
    ([{"type": "query", "key": "id"}], [], "/a", "404 404.html"),
    ([{"type": "query", "key": "id", "value": "8"}], [], "/a?id=7", "404 404.html"),
    ([], [{"type": "query", "key": "id"}], "/a?id=7", "404 404.html"),
    ([COOKIE], [], "/a", "unknown"),
    ([{"type": "header", "key": "a"}], [], "/other", "404 404.html"),
    ([], [{"type": "header", "key": "a", "value": "b"}], "/a", "unknown"),
    # A known condition may decide alone.
    ([COOKIE, {"type": "host", "value": "other.example"}], [], "/a", "404 404.html"),
    ([COOKIE], [{"type": "host", "value": "example.com"}], "/a", "404 404.html"),
    ([{"type": "query", "key": "id", "value": {"eq": "7"}}], [], "/a?id=7", "unknown"),
]


@pytest.mark.parametrize(("rule", "target", "expected"), REDIRECTS)
def test_redirects(tmp_path: Path, rule: dict[str, Any], target: str, expected: str) -> None:
    build, folder = open_vercel(tmp_path, redirects=[rule])
    assert ask(build, folder, target) == expected


@pytest.mark.parametrize(("has", "missing", "target", "expected"), CONDITIONS)
def test_conditions(
    tmp_path: Path, has: list[Any], missing: list[Any], target: str, expected: str
) -> None:
    rule = {"source": "/a", "destination": "/b", "has": has, "missing": missing}
    build, folder = open_vercel(tmp_path, redirects=[rule])
    assert ask(build, folder, target) == expected


def test_a_condition_captures_values(tmp_path: Path) -> None:
    has = [
        {"type": "host", "value": "(?<shop>[a-z]+)\\.example"},
        {"type": "query", "key": "id"},
    ]
    rule = {"source": "/a", "destination": "/:shop/:id", "has": has}
    build, folder = open_vercel(tmp_path, redirects=[rule])
    assert ask(build, folder, "/a?id=7%208", "tea.example") == "308 /tea/7%208?id=7%208"


def test_headers(tmp_path: Path) -> None:
    blocks = [
        {"source": "/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "all"}]},
        {"source": "/:name", "headers": [{"key": "x-robots-tag", "value": ":name"}]},
        {
            "source": "/page.html",
            "has": [{"type": "cookie", "key": "a"}],
            "headers": [{"key": "A", "value": "b"}],
        },
    ]
    redirects = [{"source": "/old", "destination": "/new"}]
    build, folder = open_vercel(tmp_path, headers=blocks, redirects=redirects)
    assert dict(build.reply("example.com", "/app").headers)["x-robots-tag"] == "app"
    assert dict(build.reply("example.com", "/a/b").headers)["X-Robots-Tag"] == "all"
    # Redirects come before headers.
    assert len(build.reply("example.com", "/old").headers) == 1
    assert ask(build, folder, "/page.html") == "unknown"


REWRITES = [
    ("/a", "/page.html", "/a", "200 page.html"),
    ("/page.html", "/app", "/page.html", "200 page.html"),
    ("/(.*)", "/index.html", "/any/thing", "200 index.html"),
    ("/a", "/gone", "/a", "404 404.html"),
    ("/a", "https://api.example/x", "/a", "unknown"),
    ("/a", "https://[x", "/a", "unknown"),
    ("/a", "/api/x", "/a", "unknown"),
]


@pytest.mark.parametrize(("source", "destination", "target", "expected"), REWRITES)
def test_rewrites(
    tmp_path: Path, source: str, destination: str, target: str, expected: str
) -> None:
    rule = {"source": source, "destination": destination}
    build, folder = open_vercel(tmp_path, rewrites=[rule])
    assert ask(build, folder, target) == expected


# Each case: the settings, a path, and its redirect, or None.
PREFERRED = [
    ({"trailingSlash": True}, "/any", "/any/"),
    ({"trailingSlash": True}, "/a.txt", None),
    ({"trailingSlash": True}, "/a.txt/", "/a.txt"),
    ({"trailingSlash": True}, "/.well-known/any", None),
    ({"trailingSlash": False}, "/any/", "/any"),
    ({"trailingSlash": False}, "/", None),
    ({"trailingSlash": False}, "//evil.example/", "/evil.example"),
    ({"cleanUrls": True}, "/index.html", "/"),
    ({"cleanUrls": True}, "/index", "/"),
    ({"cleanUrls": True}, "/gone.html", "/gone"),
    ({"cleanUrls": True, "trailingSlash": True}, "/index.html", "/"),
    ({"cleanUrls": True, "trailingSlash": True}, "/a/index", "/a/"),
]


@pytest.mark.parametrize(("config", "path", "expected"), PREFERRED)
def test_preferred_paths(
    tmp_path: Path, config: dict[str, bool], path: str, expected: str | None
) -> None:
    build, _ = open_vercel(tmp_path, **config)
    location = dict(build.reply("example.com", path + "?q=1").headers).get("Location")
    assert location == (None if expected is None else expected + "?q=1")


def test_the_slash_comes_before_redirects(tmp_path: Path) -> None:
    rules = [{"source": "/a", "destination": "/b"}]
    build, folder = open_vercel(tmp_path, trailingSlash=True, redirects=rules)
    assert ask(build, folder, "/a") == "308 /a/"
    assert ask(build, folder, "/a/") == "404 404.html"


IGNORED: list[tuple[dict[str, Any], str]] = [
    ({"redirects": [{"destination": "/b"}]}, "redirects 1: Object missing required field `source`"),
    ({"redirects": [{"source": "/a"}]}, "missing required field `destination`"),
    ({"rewrites": [1]}, "rewrites 1: Expected `object`, got `int`"),
    ({"redirects": [{"source": "/(", "destination": "/"}]}, "an unclosed parenthesis"),
    ({"rewrites": [{"source": "/:a", "destination": "/:b"}]}, "defines :b of the destination"),
    (
        {"redirects": [{"source": "/a", "destination": "/", "statusCode": 200}]},
        "Expected `int` >= 300 - at `$.statusCode`",
    ),
    ({"redirects": [{"source": "/a", "destination": "/", "has": {}}]}, "at `$.has`"),
    (
        {"redirects": [{"source": "/a", "destination": "/", "has": [{}]}]},
        "missing required field `type` - at `$.has[0]`",
    ),
    (
        {"redirects": [{"source": "/", "destination": "/", "has": [{"type": "a", "value": "("}]}]},
        "the value cannot be parsed - at `$.has[0]`",
    ),
    ({"headers": [{"source": "/a"}]}, "missing required field `headers`"),
    ({"headers": [{"source": "/a", "headers": []}]}, "of length >= 1 - at `$.headers`"),
    (
        {"headers": [{"source": "/a", "headers": [{"key": "a", "value": "b\r\nc: d"}]}]},
        "is not a valid header",
    ),
    ({"rewrites": {}}, "rewrites is not a list"),
    (
        {"redirects": [{"source": "/a", "destination": "/b"}] * (MAX_RULES + 1)},
        "redirects is not a list of at most 2,048 rules",
    ),
]


@pytest.mark.parametrize(("config", "reason"), IGNORED)
def test_rules_that_are_ignored(tmp_path: Path, config: dict[str, Any], reason: str) -> None:
    files = {**PAGES, "vercel.json": json.dumps(config)}
    name, _, found = only_problem(tmp_path, "vercel", files)
    assert name == "vercel.json"
    assert reason in found
    assert reply_to(tmp_path, "vercel", files, "/page.html") == "200 page.html"


@pytest.mark.parametrize(
    ("text", "line"), [("{\n,}", 2), ("", 1), ("[]", None), ("[" * 99_999, None)]
)
def test_a_broken_file_has_no_rules(tmp_path: Path, text: str, line: int | None) -> None:
    files = {**PAGES, "vercel.json": text}
    assert only_problem(tmp_path, "vercel", files)[1] == line
    assert reply_to(tmp_path, "vercel", files, "/app") == "200 app/index.html"


def test_the_file_may_be_next_to_the_build(tmp_path: Path) -> None:
    files = {**PAGES, "../vercel.json": '{"cleanUrls": true}'}
    assert reply_to(tmp_path, "vercel", files, "/page") == "200 page.html"


def test_routes_are_not_read(tmp_path: Path) -> None:
    build, folder = open_vercel(tmp_path, routes=[{"src": "/a", "dest": "/b"}])
    assert ask(build, folder, "/page.html") == "unknown"
