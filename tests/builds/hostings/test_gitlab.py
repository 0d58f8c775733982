"""GitLab Pages."""

from pathlib import Path

import pytest

from sitemapaudit.builds.hostings.gitlab import MAX_BYTES, MAX_RULES
from tests.builds.builds import (
    NOT_FOUND,
    PAGES,
    TWINS,
    guide_row,
    only_problem,
    replies_to,
    reply_to,
)

REPLIES = {
    "/index": "200 index.html",
    "/both/": "200 both/index.html",
    "/hidden": "302 //example.com/hidden/",
    "/hidden/": "404",
    "/hidden.html": "200 hidden.html",
    "/gone": "404",
}

# Each case: the lines, the target of a request, and the reply.
REDIRECTS = [
    ("/old /new", "/old?a=1", "301 /new"),
    ("/old /new 302", "/old", "302 /new"),
    ("/old /new", "/OLD/", "301 /new"),
    ("/page /new", "/page", "200 page.html"),
    ("/old/* /new/:splat", "/old/a/b", "301 /new/a/b"),
    ("/old/*/file /new/:splat/file", "/old/a/b/file", "301 /new/a/b/file"),
    ("/old/*/file /new/:splat/file", "/old/file", "301 /new/file"),
    ("/old /new/:name", "/old", "301 /new/"),
    ("/news/* /new/:splat", "/newsletter", "301 /new/letter"),
    ("/news-* /new/:splat", "/news-1", "404 404.html"),
    ("/news/:id1 /new", "/news/1", "404 404.html"),
    ("/news/:id /new-:id.html", "/news/1", "301 /new-1.html"),
    ("/caf%C3%A9 /tea", "/caf%C3%A9", "404 404.html"),
    ("/café /tea", "/caf%C3%A9", "301 /tea"),
    ("/* /index.html 200", "/any", "200 index.html"),
    ("http://example.com/a https://other.example/b", "/a", "301 https://other.example/b"),
    ("http://blog.example/a /b", "/a", "404 404.html"),
    ("/old /new", "/_redirects", "unknown"),
]
IGNORED = [
    ("/old /new 301!", "'301!' is not a supported status"),
    ("/old /new 308", "'308' is not a supported status"),
    ("/old id=:id /new 301", "parameters and conditions are not supported"),
    ("/a" * 26 + " /new", "there are more than 25 parts"),
    ("*/old /new", "path and target must begin with a slash"),
]


def test_the_guide(tmp_path: Path) -> None:
    row = guide_row(tmp_path, "gitlab", 302)
    assert row == "ok ok ok //example.com/folder/ ok ok //example.com/both/ ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "gitlab", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "gitlab", NOT_FOUND, expected) == expected


@pytest.mark.parametrize(("lines", "target", "expected"), REDIRECTS)
def test_redirects(tmp_path: Path, lines: str, target: str, expected: str) -> None:
    assert reply_to(tmp_path, "gitlab", {**PAGES, "_redirects": lines}, target) == expected


@pytest.mark.parametrize(("line", "reason"), IGNORED)
def test_lines_that_are_ignored(tmp_path: Path, line: str, reason: str) -> None:
    files = {"_redirects": f"/x /y\n{line}\n"}
    name, number, found = only_problem(tmp_path, "gitlab", files)
    assert (name, number) == ("_redirects", 2)
    assert reason in found
    assert reply_to(tmp_path, "gitlab", files, "/x") == "301 /y"


def test_the_limit_of_redirects(tmp_path: Path) -> None:
    lines = "\n".join(f"/a{number} /b" for number in range(MAX_RULES + 1))
    files = {**PAGES, "_redirects": lines}
    assert only_problem(tmp_path, "gitlab", files)[1] == MAX_RULES + 1
    expected = {"/a999": "301 /b", "/a1000": "404 404.html"}
    assert replies_to(tmp_path, "gitlab", files, expected) == expected


def test_a_file_that_is_too_large_has_no_redirects(tmp_path: Path) -> None:
    files = {**PAGES, "_redirects": "/a /b\n" + "#" * MAX_BYTES}
    assert only_problem(tmp_path, "gitlab", files)[1] is None
    assert reply_to(tmp_path, "gitlab", files, "/a") == "404 404.html"
