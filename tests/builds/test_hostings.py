"""Laws of all kinds of hosting, which are found by walking their folder."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names
from sitemapaudit.builds.requests import resolve_dots
from sitemapaudit.urls import normalize
from tests.builds.builds import (
    GUIDE,
    PAGES,
    ask,
    open_build,
    replies_to,
    reply_to,
    robots_tag,
    write_build,
)
from tests.support.paths import PROJECT

HOSTINGS = hosting_names()

NOINDEX = [{"source": "/page(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]
REDIRECTS = {
    "_redirects": "/old /new 302",
    "netlify.toml": '[[redirects]]\nfrom = "/old"\nto = "/new"\nstatus = 302',
    "vercel.json": '{"redirects": [{"source": "/old", "destination": "/new", "statusCode": 302}]}',
    "firebase.json": '{"hosting": {"redirects": '
    '[{"source": "/old", "destination": "/new", "type": 302}]}}',
    "staticwebapp.config.json": '{"routes": [{"route": "/old", "redirect": "/new"}]}',
    "website.json": '[{"Redirect": {"ReplaceKeyWith": "new", "HttpRedirectCode": "302"},'
    ' "Condition": {"KeyPrefixEquals": "old"}}]',
}
HEADERS = {
    "_headers": "/page*\n  X-Robots-Tag: noindex",
    "vercel.json": json.dumps({"headers": NOINDEX}),
}

SURGE = '''
from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.hosting import Hosting


class Surge(Hosting):
    """Surge: a folder redirects with 302.

    Sources:

    - <https://surge.sh/help/>
    """

    file_rules = FileRules(slash_status=302)
'''
SCRIPT = """
import json, sys
from sitemapaudit.builds import hostings
hostings.__path__.append(sys.argv[1])

from pathlib import Path
from sitemapaudit.builds.build import Build
from sitemapaudit.cli.commands import load_command
from sitemapaudit.cli.program import make_parser
from sitemapaudit.config import Arguments

from docs.generated import hostings as pages, options

reply = Build(Path(sys.argv[1]) / "public", "surge").reply("example.com", "/folder")
print(json.dumps({
    "argument": Arguments.read({"site": "example.com", "hosting": "surge"}).hosting,
    "reply": [reply.status, *reply.headers],
    "help": make_parser(load_command("audit")).format_help(),
    "arguments": options.arguments(),
    "table": pages.hostings_table(),
    "reference": pages.hostings(),
}))
"""


def execute(script: str, *words: str) -> str:
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_kind_is_its_file(tmp_path: Path) -> None:
    (tmp_path / "surge.py").write_text(SURGE)
    (tmp_path / "public" / "folder").mkdir(parents=True)
    (tmp_path / "public" / "folder" / "index.html").touch()
    made = json.loads(execute(SCRIPT, str(tmp_path)))
    assert made["argument"] == "surge"
    assert made["reply"] == [302, ["Location", "/folder/"]]
    assert "surge" in made["help"]
    assert r"s3\|surge\|vercel" in made["arguments"]
    assert "| `surge` | Surge: a folder redirects with 302. |" in made["table"]
    assert "302 `/folder/`" in made["reference"]
    assert "## surge\n\nSurge: a folder redirects with 302." in made["reference"]


def test_the_arguments_need_only_the_names() -> None:
    script = "import sys, sitemapaudit.config; print([*sys.modules])"
    imported = execute(script)
    assert "'sitemapaudit.builds.hostings'" in imported
    assert "sitemapaudit.builds.hostings." not in imported
    assert "sitemapaudit.builds.hosting'" not in imported


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_a_kind_is_documented_and_tested(hosting: str) -> None:
    text = inspect.getdoc(load_hosting(hosting)) or ""
    title, _, sections = text.partition("\n\n")
    assert re.fullmatch(r"\S.*\.", title)
    assert re.search(r"^Sources:\n\n- <https://", sections, re.MULTILINE)
    assert (Path(__file__).parent / "hostings" / f"test_{hosting}.py").is_file()


def test_documentation_names_what_no_source_confirms() -> None:
    documents = {name: inspect.getdoc(load_hosting(name)) or "" for name in HOSTINGS}
    confirmed = {name for name, text in documents.items() if "\nUnconfirmed: " not in text}
    assert confirmed == {"nginx", "gitlab", "cloudflare", "workers"}


@pytest.mark.parametrize("hosting", HOSTINGS)
@pytest.mark.parametrize("name", REDIRECTS)
def test_only_files_that_the_documentation_names_are_read(
    tmp_path: Path, hosting: str, name: str
) -> None:
    files = {**PAGES, name: REDIRECTS[name], ".nojekyll": ""}
    is_read = f"`{name}`" in (load_hosting(hosting).__doc__ or "")
    reply = reply_to(tmp_path, hosting, files, "/old")
    assert (reply == "302 /new") == is_read
    assert is_read or reply.startswith("404")
    assert is_read or reply_to(tmp_path, hosting, {}, f"/{name}") == f"200 {name}"


@pytest.mark.parametrize("hosting", HOSTINGS)
@pytest.mark.parametrize("name", HEADERS)
def test_only_headers_that_the_documentation_names_are_read(
    tmp_path: Path, hosting: str, name: str
) -> None:
    is_read = f"`{name}`" in (load_hosting(hosting).__doc__ or "")
    build = open_build(tmp_path, hosting, {**PAGES, name: HEADERS[name]})
    page = build.reply("example.com", "/page.html")
    assert robots_tag(page) == ("noindex" if is_read else None)


@pytest.mark.parametrize("hosting", ["cloudflare", "netlify"])
def test_a_header_replaces_that_of_the_hosting(tmp_path: Path, hosting: str) -> None:
    lines = "/page\n  content-type: text/plain"
    build = open_build(tmp_path, hosting, {**PAGES, "_headers": lines})
    assert build.reply("example.com", "/page").headers == (("content-type", "text/plain"),)


@pytest.mark.parametrize("hosting", ["cloudflare", "netlify", "gitlab"])
def test_comments_are_not_a_problem(tmp_path: Path, hosting: str) -> None:
    lines = "\ufeff# a comment\n\n  # another\n/old /new 301 # a third\n"
    build = open_build(tmp_path, hosting, {"_redirects": lines})
    assert build.problems() == []
    assert build.reply("example.com", "/old").rule == "_redirects:4"


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_paths_are_sensitive_to_case(tmp_path: Path, hosting: str) -> None:
    files = ("404.html", "Page.html")
    assert reply_to(tmp_path, hosting, files, "/page.html").startswith("404")


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_the_query_stays_in_a_redirect(tmp_path: Path, hosting: str) -> None:
    reply = reply_to(tmp_path, hosting, GUIDE, "/folder?a=1&b=%C3%A9")
    assert reply[:3] in ("200", "404") or reply.endswith("/folder/?a=1&b=%C3%A9")


DOTS = ("/./file.html", "/a/../file.html", "/a/%2e%2E/file.html", "/../file.html")


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_dot_segments_are_resolved_as_clients_do(tmp_path: Path, hosting: str) -> None:
    expected = reply_to(tmp_path, hosting, GUIDE, "/file.html")
    assert {*replies_to(tmp_path, hosting, {}, DOTS).values()} == {expected}


DOT_PATHS = [
    *(("/", "/"), ("/.", "/"), ("/..", "/"), ("/a/.", "/a/"), ("/a/..", "/"), ("/a/../../b", "/b")),
    *(("/a//../b", "/a/b"), ("/a/.b/..c", "/a/.b/..c"), ("/a/%2E%2e%2Fb", "/a/..%2Fb")),
]


def test_paths_without_dots_are_those_of_the_normal_form() -> None:
    for path, expected in DOT_PATHS:
        assert urlsplit(normalize(f"https://example.com{path}") or "").path == expected
        assert resolve_dots(path) == expected.replace("..%2F", "%2E%2e%2F")


def test_an_index_file_that_some_servers_know(tmp_path: Path) -> None:
    files = ("old/index.htm", "both/index.htm", "both/index.html")
    expected = {"nginx": "unknown", "plain": "unknown", "apache": "unknown", "caddy": "404"}
    for hosting, reply in expected.items():
        replies = replies_to(tmp_path, hosting, files, ("/old/", "/both/", "/old/index.htm"))
        assert [*replies.values()] == [reply, "200 both/index.html", "200 old/index.htm"]
    lines = {".htaccess": "DirectoryIndex index.htm"}
    assert reply_to(tmp_path, "apache", lines, "/old/") == "200 old/index.htm"


FILES_BY_NAME = ("/", "/file", "/file/", "/file.html", "/folder", "/folder/", "/both/", "/gone/x")


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_a_path_moves_every_url(tmp_path: Path, hosting: str) -> None:
    files = dict.fromkeys((*GUIDE, "404.html"), "")
    folder = write_build(tmp_path, files)
    root, below = Build(folder, hosting), Build(folder, hosting, "/my%20shop")
    for target in FILES_BY_NAME:
        code, _, place = ask(root, folder, target).partition(" ")
        moved = re.sub(r"^(//[^/]*)?/", r"\1/my%20shop/", place)
        assert ask(below, folder, f"/my%20shop{target}") == f"{code} {moved}".strip()
    assert ask(below, folder, "/my%20shop").partition(" ")[0] != "404"
    assert ask(below, folder, "/file.html") == ask(below, folder, "/my%20shops/") == "unknown"


def test_redirects_of_gitlab_have_the_path(tmp_path: Path) -> None:
    lines = "/shop/old /shop/new\n/other /shop/other\n"
    folder = write_build(tmp_path, {"_redirects": lines, "file.html": ""})
    build = Build(folder, "gitlab", "/shop")
    assert ask(build, folder, "/shop/old") == "301 /shop/new"
    assert ask(build, folder, "/shop/other") == "404"
    assert ask(build, folder, "/shop/_redirects") == "unknown"


def test_a_location_is_percent_encoded(tmp_path: Path) -> None:
    reply = reply_to(tmp_path, "netlify", ("a b%/é/index.html",), "/a%20b%25/%c3%a9")
    assert reply == "301 /a%20b%25/%C3%A9/"


CONTENT_TYPES = [
    ("a.html", "text/html; charset=utf-8"),
    ("a.xml", "application/xml"),
    ("a.txt", "text/plain; charset=utf-8"),
    ("a.XML", "application/xml"),
    ("a.xml.gz", "application/gzip"),
    ("a.js", "text/javascript; charset=utf-8"),
    ("a.json", "application/json"),
    ("a.svg", "image/svg+xml"),
    ("a.webp", "image/webp"),
    ("a", "application/octet-stream"),
    (".html", "application/octet-stream"),
    ("a.unheard-of", "application/octet-stream"),
]


@pytest.mark.parametrize(("name", "expected"), CONTENT_TYPES)
def test_content_types(tmp_path: Path, name: str, expected: str) -> None:
    for hosting, sent in (("gitlab", expected), ("plain", expected.partition(";")[0])):
        reply = open_build(tmp_path, hosting, (name,)).reply("example.com", f"/{name}")
        assert dict(reply.headers) == {"Content-Type": sent}


UPWARD = {
    "netlify.toml": "netlify",
    "vercel.json": "vercel",
    "firebase.json": "firebase",
    "staticwebapp.config.json": "azure",
    "website.json": "s3",
}


@pytest.mark.parametrize("name", UPWARD)
def test_rules_are_found_up_to_the_root_of_the_repository(tmp_path: Path, name: str) -> None:
    hosting = UPWARD[name]
    folder = write_build(tmp_path / "repository" / "packages", PAGES)
    for place, is_read in ((tmp_path, False), (tmp_path / "repository", True)):
        (place / name).write_text(REDIRECTS[name])
        (tmp_path / "repository" / ".git").mkdir(exist_ok=True)
        assert (ask(Build(folder, hosting), folder, "/old") == "302 /new") == is_read
    (folder.parent / name).write_text(REDIRECTS[name].replace("new", "nearer"))
    assert ask(Build(folder, hosting), folder, "/old") == "302 /nearer"


BRACES = "vercel.json: redirects 1: the source has braces or an unclosed parenthesis"

FAULTS = [
    ("vercel", "vercel.json", '{"redirects": [{"source": "/(", "destination": "/"}]}', BRACES),
    ("workers", "wrangler.toml", "[assets]\nhtml_handling = 1", "wrangler.toml: cannot be read: "),
    ("netlify", "netlify.toml", "[", "netlify.toml: is not TOML: "),
    ("netlify", "netlify.toml", '[[redirects]]\nfrom = "/a"', None),
    ("netlify", "_redirects", "/a b", None),
    ("workers", "_redirects", "/a b", None),
]


def test_a_faulty_rule_that_fails_the_deployment(tmp_path: Path) -> None:
    for number, (hosting, name, text, expected) in enumerate(FAULTS):
        build = open_build(tmp_path / str(number), hosting, {name: text})
        assert len(build.problems()) == 1
        fault = build.deployment_fault
        assert fault == expected or (fault or "").startswith(expected or "-")
