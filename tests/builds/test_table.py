"""The table of hosts: which file or redirect each URL gives."""

import json
from pathlib import Path

import pytest

from sitemapaudit.builds.table import HOSTINGS, HOSTS
from tests.builds.builds import ask, open_build, write_build

PATHS = (
    "/file",
    "/file/",
    "/file.html",
    "/folder",
    "/folder/",
    "/folder/index.html",
    "/both",
    "/both/",
    "/both.html",
    "/both/index.html",
)

# The rows of the trailing slash guide: a path is a redirect, "ok" is 200. Rows of hosts that it
# does not have follow the sources of the table.
MEASURED = {
    "github": "ok 404 ok /folder/ ok ok ok ok ok ok",
    "netlify": "ok /file ok /folder/ ok ok ok /both ok ok",
    "netlify, pretty URLs off": "ok ok ok ok ok ok ok ok ok ok",
    "cloudflare": "ok /file /file /folder/ ok /folder/ ok ok /both /both/",
    "vercel": "404 404 ok ok ok ok ok ok ok ok",
    # The guide shows where a URL ends: 404, after the redirect that routing-utils makes.
    "vercel, trailingSlash=false": "404 /file ok ok /folder ok ok /both ok ok",
    "vercel, trailingSlash=true": "/file/ 404 ok /folder/ ok ok /both/ ok ok ok",
    "vercel, cleanUrls": "ok ok /file ok ok /folder ok ok /both /both",
    "vercel, cleanUrls, trailingSlash=false": (
        "ok /file /file ok /folder /folder ok /both /both /both"
    ),
    "vercel, cleanUrls, trailingSlash=true": (
        "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/"
    ),
    "gitlab": "ok ok ok //example.com/folder/ ok ok //example.com/both/ ok ok ok",
    "nginx": "ok 404 ok /folder/ ok ok ok ok ok ok",
    "plain": "404 404 ok /folder/ ok ok /both/ ok ok ok",
}
STATUSES = {"github": 301, "netlify": 301, "cloudflare": 308, "vercel": 308, "gitlab": 302}


def configure(folder: Path, row: str) -> str:
    """Write the settings that a row names, and return its host."""
    hosting, _, settings = row.partition(", ")
    if "pretty" in settings:
        (folder.parent / "netlify.toml").write_text(
            "[build.processing.html]\npretty_urls = false\n"
        )
    if hosting == "vercel":
        config: dict[str, bool] = {}
        if "cleanUrls" in settings:
            config["cleanUrls"] = True
        if "trailingSlash" in settings:
            config["trailingSlash"] = settings.endswith("true")
        (folder.parent / "vercel.json").write_text(json.dumps(config))
    return hosting


@pytest.mark.parametrize(
    ("row", "path", "expected"),
    [
        (row, path, expected)
        for row, cells in MEASURED.items()
        for path, expected in zip(PATHS, cells.split(), strict=True)
    ],
)
def test_every_cell_of_the_matrix(tmp_path: Path, row: str, path: str, expected: str) -> None:
    folder = write_build(tmp_path)
    hosting = configure(folder, row)
    status, _, rest = ask(open_build(tmp_path, hosting, ()), folder, path).partition(" ")
    if expected in ("ok", "404"):
        assert status == {"ok": "200"}.get(expected, expected)
    else:
        assert (int(status), rest) == (STATUSES.get(hosting, 301), expected)


# Which of two files of one name is served, and what a folder without an index gives.
FILES = [
    ("github", "/both", "200 both.html"),
    ("github", "/both/", "200 both/index.html"),
    ("github", "/empty", "301 /empty/"),
    ("github", "/empty/", "404"),
    ("netlify", "/both", "200 both.html"),
    ("netlify", "/empty", "404"),
    ("cloudflare", "/both", "200 both.html"),
    ("cloudflare", "/both/", "200 both/index.html"),
    ("cloudflare", "/empty", "200 index.html"),
    ("cloudflare", "/index", "308 /"),
    ("cloudflare", "/index.html", "308 /"),
    ("cloudflare", "/folder/index", "308 /folder/"),
    ("cloudflare", "/folder/index/", "308 /folder/"),
    ("cloudflare", "/twin.html", "200 twin.html"),
    ("cloudflare", "/twin", "200 twin"),
    ("gitlab", "/index", "200 index.html"),
    ("gitlab", "/both/", "200 both/index.html"),
    ("gitlab", "/hidden", "302 //example.com/hidden/"),
    ("gitlab", "/hidden/", "404"),
    ("gitlab", "/hidden.html", "200 hidden.html"),
    ("nginx", "/both", "200 both.html"),
    ("nginx", "/both/", "200 both/index.html"),
    ("nginx", "/empty", "301 /empty/"),
    ("nginx", "/empty/", "403"),
    ("nginx", "//file.html", "200 file.html"),
    ("plain", "/empty/", "404"),
    ("plain", "/", "200 index.html"),
    ("vercel", "/both", "200 both/index.html"),
    ("vercel", "/", "200 index.html"),
]


@pytest.mark.parametrize(("hosting", "path", "expected"), FILES)
def test_files_of_one_name(tmp_path: Path, hosting: str, path: str, expected: str) -> None:
    names = (
        *("file.html", "folder/index.html", "both.html", "both/index.html", "index.html"),
        *("empty/a.txt", "hidden.html", "hidden/a.txt", "twin", "twin.html"),
    )
    folder = write_build(tmp_path, names)
    assert ask(open_build(tmp_path, hosting, ()), folder, path) == expected


NOT_FOUND = [
    ("plain", "404"),
    ("nginx", "404 404.html"),
    ("github", "404 404.html"),
    ("gitlab", "404 404.html"),
    ("netlify", "404 404.html"),
    ("vercel", "404 404.html"),
    ("cloudflare", "404 blog/404.html"),
]


@pytest.mark.parametrize(("hosting", "expected"), NOT_FOUND)
def test_the_page_of_a_404(tmp_path: Path, hosting: str, expected: str) -> None:
    folder = write_build(tmp_path, ("404.html", "blog/404.html", "index.html"))
    build = open_build(tmp_path, hosting, ())
    assert ask(build, folder, "/blog/2026/gone") == expected
    assert ask(build, folder, "/gone/") in (expected, "404 404.html")


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_only_cloudflare_serves_the_home_page_without_a_404_page(
    tmp_path: Path, hosting: str
) -> None:
    folder = write_build(tmp_path, ("index.html",))
    expected = "200 index.html" if hosting == "cloudflare" else "404"
    assert ask(open_build(tmp_path, hosting, ()), folder, "/gone") == expected


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_paths_are_sensitive_to_case(tmp_path: Path, hosting: str) -> None:
    folder = write_build(tmp_path, ("404.html", "Page.html"))
    build = open_build(tmp_path, hosting, ())
    assert ask(build, folder, "/page.html").startswith("404")


@pytest.mark.parametrize("hosting", HOSTINGS)
def test_the_query_stays_in_a_redirect(tmp_path: Path, hosting: str) -> None:
    folder = write_build(tmp_path)
    reply = ask(open_build(tmp_path, hosting, ()), folder, "/folder?a=1&b=%C3%A9")
    assert reply.startswith("200") or reply.endswith("/folder/?a=1&b=%C3%A9")


def test_a_location_is_percent_encoded(tmp_path: Path) -> None:
    folder = write_build(tmp_path, ("a b%/é/index.html",))
    reply = ask(open_build(tmp_path, "netlify", ()), folder, "/a%20b%25/%c3%a9")
    assert reply == "301 /a%20b%25/%C3%A9/"


CONTENT_TYPES = [
    ("a.html", "text/html; charset=utf-8", "text/html"),
    ("a.xml", "application/xml", "application/xml"),
    ("a.txt", "text/plain; charset=utf-8", "text/plain"),
    ("a.XML", "application/xml", "application/xml"),
    ("a.xml.gz", "application/gzip", "application/gzip"),
    ("a.js", "text/javascript; charset=utf-8", "text/javascript"),
    ("a.json", "application/json", "application/json"),
    ("a.svg", "image/svg+xml", "image/svg+xml"),
    ("a.webp", "image/webp", "image/webp"),
    ("a", "application/octet-stream", "application/octet-stream"),
    (".html", "application/octet-stream", "application/octet-stream"),
    ("a.unheard-of", "application/octet-stream", "application/octet-stream"),
]


@pytest.mark.parametrize(("name", "hosted", "plain"), CONTENT_TYPES)
def test_content_types(tmp_path: Path, name: str, hosted: str, plain: str) -> None:
    for hosting, expected in (("gitlab", hosted), ("plain", plain)):
        reply = open_build(tmp_path, hosting, (name,)).reply("example.com", f"/{name}")
        assert dict(reply.headers) == {"Content-Type": expected}


def test_every_row_has_sources_and_names_what_they_do_not_confirm() -> None:
    for row in HOSTS.values():
        assert row.sources
        assert all(hasattr(row, name) for name in row.unverified)
    assert {name for name, row in HOSTS.items() if row.verified} == {
        "nginx",
        "gitlab",
        "cloudflare",
    }
