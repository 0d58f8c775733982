"""``_headers``: the blocks that match a path add up."""

from pathlib import Path

import pytest

from sitemapaudit.builds.headers_file import MAX_RULES
from tests.builds.builds import open_build

PAGES = {"index.html": "", "static/a.css": "", "page.html": "", "404.html": ""}

# Each case: the lines, the target, and the value of X-Robots-Tag.
CLOUDFLARE = [
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
NETLIFY = [
    ("/page\n  X-Robots-Tag: noindex", "/page", "noindex"),
    ("/page\n  X-Robots-Tag: noindex", "/PAGE/", "noindex"),
    ("/page\n  X-Robots-Tag: noindex\n  X-Robots-Tag: nofollow", "/page", "noindex, nofollow"),
    ("/*\n X-Robots-Tag: a\n/page\n X-Robots-Tag: b", "/page", "b"),
    ("/static/*\n X-Robots-Tag: noindex", "/static/a.css", "noindex"),
    ("/*.css\n X-Robots-Tag: noindex", "/static/a.css", "noindex"),
    ("/:a/:a\n X-Robots-Tag: :a", "/static/a.css", ":a"),
    ("/*\n X-Robots-Tag: a\n ! X-Robots-Tag", "/page", "a"),
]


@pytest.mark.parametrize(
    ("hosting", "lines", "target", "expected"),
    [
        *(("cloudflare", *case) for case in CLOUDFLARE),
        *(("netlify", *case) for case in NETLIFY),
    ],
)
def test_headers(
    tmp_path: Path, hosting: str, lines: str, target: str, expected: str | None
) -> None:
    build = open_build(tmp_path, hosting, {**PAGES, "_headers": lines})
    headers = dict(build.reply("example.com", target).headers)
    values = [value for name, value in headers.items() if name.lower() == "x-robots-tag"]
    assert values == ([] if expected is None else [expected])


@pytest.mark.parametrize("hosting", ["cloudflare", "netlify"])
def test_a_header_replaces_what_the_host_sends(tmp_path: Path, hosting: str) -> None:
    lines = "/page\n  content-type: text/plain"
    build = open_build(tmp_path, hosting, {**PAGES, "_headers": lines})
    assert build.reply("example.com", "/page").headers == (("content-type", "text/plain"),)


@pytest.mark.parametrize("hosting", ["plain", "nginx", "github", "gitlab", "vercel"])
def test_other_hosts_do_not_read_the_file(tmp_path: Path, hosting: str) -> None:
    build = open_build(tmp_path, hosting, {**PAGES, "_headers": "/*\n X-Robots-Tag: noindex"})
    assert [name for name, _ in build.reply("example.com", "/").headers] == ["Content-Type"]


def test_previews_of_cloudflare_are_noindex(tmp_path: Path) -> None:
    build = open_build(tmp_path, "cloudflare", PAGES)
    preview = build.reply("Branch.shop.pages.dev:443", "/")
    assert ("X-Robots-Tag", "noindex") in preview.headers
    assert len(build.reply("shop.pages.dev:443", "/").headers) == 1


IGNORED = [
    ("cloudflare", "X-Robots-Tag: a\n/page\n b: c", 1, "stands before the first path"),
    ("cloudflare", "/page", 1, "has no headers"),
    ("cloudflare", "/page\n a: b\n noindex", 3, "is not like Name: value"),
    ("cloudflare", "/page\n a: b\n X Robots: c", 3, "is not like Name: value"),
    ("cloudflare", "/page\n a: b\n : c", 3, "is not like Name: value"),
    ("cloudflare", "/page\n a: b\n c:", 3, "is not like Name: value"),
    ("cloudflare", "/page\n a: b\x00c\n d: e", 2, "is not like Name: value"),
    ("cloudflare", "http://a.example/\n a: b", 1, "neither a slash nor https://"),
    ("cloudflare", "https://a.example:80/\n a: b", 1, "ports are not supported"),
    ("cloudflare", "/*/*\n a: b", 1, "a splat or a placeholder is repeated"),
    ("cloudflare", "/page\n a: " + "b" * 2_000 + "\n c: d", 2, "is longer than"),
    ("netlify", "a: b", 1, "stands before the first path"),
    ("netlify", "/page\n a: b\n noindex", 3, "is not like Name: value"),
]


@pytest.mark.parametrize(("hosting", "lines", "line", "reason"), IGNORED)
def test_lines_that_are_ignored(
    tmp_path: Path, hosting: str, lines: str, line: int, reason: str
) -> None:
    (problem,) = open_build(tmp_path, hosting, {"_headers": lines}).problems()
    assert (problem.file.name, problem.line) == ("_headers", line)
    assert reason in problem.reason


def test_the_limit_of_cloudflare(tmp_path: Path) -> None:
    lines = "".join(f"/a{number}\n b: c\n" for number in range(MAX_RULES + 1))
    build = open_build(tmp_path, "cloudflare", {**PAGES, "_headers": lines})
    assert [problem.line for problem in build.problems()] == [2 * MAX_RULES + 1]
    assert ("b", "c") in build.reply("example.com", f"/a{MAX_RULES - 1}").headers
    assert ("b", "c") not in build.reply("example.com", f"/a{MAX_RULES}").headers


def test_netlify_reads_the_headers_of_netlify_toml(tmp_path: Path) -> None:
    toml = (
        '[[headers]]\nfor = "/page"\n[headers.values]\nX-Robots-Tag = "noindex"\nA = ["b", "c"]\n'
    )
    toml += '[[headers]]\nfor = "/page"\n[[headers]]\nfor = "/"\nvalues = {"a b" = "c"}\n'
    build = open_build(tmp_path, "netlify", {**PAGES, "netlify.toml": toml})
    headers = dict(build.reply("example.com", "/page").headers)
    assert (headers["X-Robots-Tag"], headers["A"]) == ("noindex", "b, c")
    assert [problem.line for problem in build.problems()] == [6, 8]
