"""``_redirects``: what Cloudflare, Netlify and GitLab make of the same kind of file."""

from pathlib import Path

import pytest

from sitemapaudit.builds import cloudflare_redirects, gitlab_redirects
from tests.builds.builds import ask, open_build, write_build

PAGES = {"index.html": "", "page.html": "", "404.html": "", "en/404.html": "", "app/index.html": ""}

# Each case: the lines, the target of a request, and the reply.
CLOUDFLARE = [
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
    # A rewrite serves another file; what the file server redirects, it redirects too.
    ("/a /page 200", "/a", "200 page.html"),
    ("/a /page.html 200", "/a", "308 /page"),
    ("/a /app 200", "/a", "308 /app/"),
    ("/a /gone 200", "/a", "404 404.html"),
    ("/a /b 200\n/b /page 200", "/a", "404 404.html"),
    ("# a comment\n\n/old /new 301 # another", "/old", "301 /new"),
]
NETLIFY = [
    ("/old /new", "/old?a=1", "301 /new?a=1"),
    ("/old /new 302", "/old", "302 /new"),
    # A slash at the end makes no difference; the case does.
    ("/old /new", "/old/", "301 /new"),
    ("/old/ /new", "/old", "301 /new"),
    ("/a//old /new", "/a/old", "301 /new"),
    ("/ /new 301!", "/", "301 /new"),
    ("/o/* /first\n/o/a /second", "/o/a", "301 /first"),
    ("/o/a /first\n/o/* /second", "/o/a", "301 /first"),
    ("/old /new", "/OLD", "404 404.html"),
    # An existing file wins, but for a status with an exclamation mark.
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
    ("/shop id=:id /item/:id", "/shop?id=7&b=1", "404 404.html"),
    ("/shop id=:id /item/:id", "/shop", "404 404.html"),
    ("/shop id=7 /seven", "/shop?id=8", "404 404.html"),
    ("/shop id=:id /item/:id", "/shop?id=%2Fa%20b", "301 /item//a%20b"),
    # Rewrites.
    ("/a /page 200", "/a", "200 page.html"),
    ("/a /app 200", "/a", "200 app/index.html"),
    ("/a /gone 200", "/a", "404 404.html"),
    ("/en/* /en/404.html 404", "/en/gone", "404 en/404.html"),
    ("/api/* 200", "/api/a", "404 404.html"),
    # What only the host can know.
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
GITLAB = [
    ("/old /new", "/old?a=1", "301 /new"),
    ("/old /new 302", "/old", "302 /new"),
    ("/old /new", "/OLD/", "301 /new"),
    ("/page /new", "/page", "200 page.html"),
    ("/old/* /new/:splat", "/old/a/b", "301 /new/a/b"),
    ("/old/*/file /new/:splat/file", "/old/a/b/file", "301 /new/a/b/file"),
    ("/old/*/file /new/:splat/file", "/old/file", "301 /new/file"),
    ("/old /new/:name", "/old", "301 /new/"),
    ("/caf%C3%A9 /tea", "/caf%C3%A9", "404 404.html"),
    ("/café /tea", "/caf%C3%A9", "301 /tea"),
    ("/* /index.html 200", "/any", "200 index.html"),
    ("http://example.com/a https://other.example/b", "/a", "301 https://other.example/b"),
    ("http://blog.example/a /b", "/a", "404 404.html"),
    ("/old /new", "/_redirects", "unknown"),
]


@pytest.mark.parametrize(
    ("hosting", "lines", "target", "expected"),
    [
        *(("cloudflare", *case) for case in CLOUDFLARE),
        *(("netlify", *case) for case in NETLIFY),
        *(("gitlab", *case) for case in GITLAB),
    ],
)
def test_redirects(tmp_path: Path, hosting: str, lines: str, target: str, expected: str) -> None:
    folder = write_build(tmp_path, {**PAGES, "_redirects": lines})
    assert ask(open_build(tmp_path, hosting, {}), folder, target) == expected


@pytest.mark.parametrize("hosting", ["plain", "nginx", "github", "vercel"])
def test_other_hosts_do_not_read_the_file(tmp_path: Path, hosting: str) -> None:
    folder = write_build(tmp_path, {**PAGES, "_redirects": "/old /new", ".nojekyll": ""})
    build = open_build(tmp_path, hosting, {})
    assert ask(build, folder, "/old").startswith("404")
    assert ask(build, folder, "/_redirects") == "200 _redirects"


IGNORED = [
    ("cloudflare", "/old", "has 1 parts, not 2 or 3"),
    ("cloudflare", "/old a=1 /new 301", "has 4 parts, not 2 or 3"),
    ("cloudflare", "/old /new 404", "'404' is not a status that Cloudflare supports"),
    ("cloudflare", "/old /new 301!", "'301!' is not a status that Cloudflare supports"),
    ("cloudflare", "https://a.example/old /new", "the path is an absolute URL"),
    ("cloudflare", "/old http://a.example/", "begins with neither a slash nor https://"),
    ("cloudflare", "/old https://a.example/ 200", "a rewrite to another host"),
    ("cloudflare", "/* /index.html 200", "would redirect in a loop"),
    ("cloudflare", "/a/*/b/* /c", "a splat or a placeholder is repeated"),
    ("cloudflare", "/a/:b/:b /c", "a splat or a placeholder is repeated"),
    ("cloudflare", "/" + "a" * 2_000 + " /b", "is longer than 2,000 characters"),
    ("netlify", "/old", "has no target"),
    ("netlify", "/old 200", "has no target"),
    ("netlify", "/old new", "no target begins with a slash, http:// or https://"),
    ("netlify", "/old /new soon", "'soon' is not a status"),
    ("netlify", "/.netlify/a /b", "the path begins with /.netlify"),
    ("netlify", "http://[/a /b", "the URL cannot be parsed"),
    ("gitlab", "/old /new 301!", "GitLab cannot force a redirect"),
    ("gitlab", "/old /new 308", "'308' is not a status that GitLab supports"),
    ("gitlab", "/old id=:id /new 301", "parameters and conditions are not supported"),
    ("gitlab", "*/old /new", "path and target must begin with a slash"),
]


@pytest.mark.parametrize(("hosting", "line", "reason"), IGNORED)
def test_lines_that_are_ignored(tmp_path: Path, hosting: str, line: str, reason: str) -> None:
    build = open_build(tmp_path, hosting, {"_redirects": f"/x /y\n{line}\n"})
    (problem,) = build.problems()
    assert (problem.file.name, problem.line) == ("_redirects", 2)
    assert reason in problem.reason
    assert build.reply("example.com", "/x").rule == "_redirects:1"


def test_the_limits_of_cloudflare(tmp_path: Path) -> None:
    static, dynamic = cloudflare_redirects.MAX_STATIC, cloudflare_redirects.MAX_DYNAMIC
    lines = [f"/a{number} /b" for number in range(static + 1)]
    lines += [f"/c{number}/* /d" for number in range(dynamic)]
    folder = write_build(tmp_path, {**PAGES, "_redirects": "\n".join(lines)})
    build = open_build(tmp_path, "cloudflare", {})
    assert [problem.line for problem in build.problems()] == [static + 1]
    assert ask(build, folder, f"/a{static - 1}") == "302 /b"
    assert ask(build, folder, f"/a{static}") == "404 404.html"
    assert ask(build, folder, f"/c{dynamic - 1}/x") == "302 /d"


def test_what_stands_below_a_dynamic_redirect_counts_as_one(tmp_path: Path) -> None:
    lines = ["/a/* /b", *(f"/c{number} /d" for number in range(cloudflare_redirects.MAX_DYNAMIC))]
    build = open_build(tmp_path, "cloudflare", {"_redirects": "\n".join(lines)})
    assert [problem.line for problem in build.problems()] == [len(lines)]


def test_a_path_counts_once_on_cloudflare(tmp_path: Path) -> None:
    build = open_build(tmp_path, "cloudflare", {"_redirects": "/a /b\n/a /c"})
    (problem,) = build.problems()
    assert (problem.line, problem.reason) == (2, "an earlier line has the same path")


def test_the_limits_of_gitlab(tmp_path: Path) -> None:
    lines = [f"/a{number} /b" for number in range(gitlab_redirects.MAX_RULES + 1)]
    folder = write_build(tmp_path, {**PAGES, "_redirects": "\n".join(lines)})
    build = open_build(tmp_path, "gitlab", {})
    assert [problem.line for problem in build.problems()] == [len(lines)]
    assert ask(build, folder, "/a999") == "301 /b"
    assert ask(build, folder, "/a1000") == "404 404.html"

    write_build(tmp_path, {"_redirects": "/a /b\n" + "#" * gitlab_redirects.MAX_BYTES})
    build = open_build(tmp_path, "gitlab", {})
    assert [problem.line for problem in build.problems()] == [None]
    assert ask(build, folder, "/a") == "404 404.html"


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


def test_netlify_reads_netlify_toml_after_the_file(tmp_path: Path) -> None:
    folder = write_build(tmp_path, {**PAGES, "_redirects": "/old /first"})
    (folder.parent / "netlify.toml").write_text(TOML)
    build = open_build(tmp_path, "netlify", {})
    assert ask(build, folder, "/old") == "301 /first"
    assert ask(build, folder, "/page?id=7") == "302 /item/7"
    assert build.reply("example.com", "/page?id=7").rule == "netlify.toml:6"
    assert ask(build, folder, "/here") == "unknown"
    (problem,) = build.problems()
    assert (problem.line, problem.reason) == (19, "has no path (from)")


def test_a_broken_netlify_toml_says_nothing(tmp_path: Path) -> None:
    folder = write_build(tmp_path, {**PAGES, "netlify.toml": "[[redirects]"})
    build = open_build(tmp_path, "netlify", {})
    assert ask(build, folder, "/page") == "200 page.html"
    assert "is not TOML" in build.problems()[0].reason


@pytest.mark.parametrize("hosting", ["cloudflare", "netlify", "gitlab"])
def test_comments_are_no_problem(tmp_path: Path, hosting: str) -> None:
    lines = "\ufeff# a comment\n\n  # another\n/old /new 301 # a third\n"
    build = open_build(tmp_path, hosting, {"_redirects": lines})
    assert build.problems() == []
    assert build.reply("example.com", "/old").rule == "_redirects:4"
