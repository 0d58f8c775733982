"""No request gets a file from outside the folder, or anything but a regular file."""

import json
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names
from sitemapaudit.regexes import BUDGET
from tests.builds.builds import ask, open_build, write_build
from tests.support.effort import cpu_limit

OUTSIDE = [
    "/../secret.html",
    "/../secret",
    "/folder/../../secret.html",
    "/%2e%2e/secret.html",
    "/..%2fsecret.html",
    "/%2e%2e%2fsecret.html",
    "/..%5csecret.html",
    "/..\\secret.html",
    "/%252e%252e/secret.html",
    "//secret.html",
    "/./../secret.html",
    "/secret.html%00",
    "/%00",
    "/index.html%00.txt",
    "/link.html",
    "/link",
    "/linked/secret.html",
    "/linked/secret",
    "/linked/",
    "/pipe.html",
    "/socket.html",
    "/loop.html",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("security")
    folder = write_build(project, {"index.html": "", "folder/index.html": "", "real.html": "real"})
    (folder.parent / "secret.html").write_text("secret")
    (folder.parent / "index.html").write_text("secret")
    (folder / "link.html").symlink_to(folder.parent / "secret.html")
    (folder / "linked").symlink_to(folder.parent)
    (folder / "loop.html").symlink_to(folder / "loop.html")
    (folder / "inside.html").symlink_to("real.html")
    (folder / "inner").symlink_to("folder")
    os.mkfifo(folder / "pipe.html")
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(folder)  # the name of a socket is short
        bound.bind("socket.html")
        os.chdir(here)
    return folder


@pytest.mark.parametrize("hosting", hosting_names())
@pytest.mark.parametrize("target", OUTSIDE)
def test_nothing_outside_is_found(folder: Path, hosting: str, target: str) -> None:
    reply = Build(folder, hosting).reply("example.com", target)
    assert reply.file in (None, folder.resolve() / "index.html")
    assert reply.file is None or load_hosting(hosting).file_rules.single_page
    assert reply.status in (0, 200, 301, 302, 308, 403, 404)


@pytest.mark.parametrize("hosting", hosting_names())
def test_links_inside_are_followed(folder: Path, hosting: str) -> None:
    build = Build(folder, hosting)
    replies = [build.reply("example.com", path) for path in ("/inside.html", "/inside")]
    served = [reply.file.read_text() for reply in replies if reply.file]
    assert "real" in served
    index = "404" if hosting == "cloudfront" else "200 inner/index.html"
    assert ask(build, folder, "/inner/") == index


@settings(deadline=None)
@given(
    st.sampled_from(hosting_names()),
    st.lists(
        st.sampled_from(
            [
                *("..", "%2e%2e", ".", "/", "%2F", "\\", "%5C", "%00", "secret", ".html"),
                *("linked", "folder", "index", "link", "%", "%ff", "é", "?", "#", "//", ":", "\n"),
            ]
        ),
        max_size=8,
    ).map("".join)
    | st.text(st.characters(), max_size=20),
)
def test_any_target_stays_inside(folder: Path, hosting: str, target: str) -> None:
    reply = Build(folder, hosting).reply("example.com", target)
    if reply.file is not None:
        assert reply.file.resolve().is_relative_to(folder.resolve())
        assert reply.file.is_file()
        assert "secret" not in reply.file.read_text()
    for name, value in reply.headers:
        assert name.isascii()
        assert value.isascii()
        assert value.isprintable()
        if name == "Location" and not load_hosting(hosting).file_rules.location_has_host:
            assert not value.startswith(("//", "/\\"))


@pytest.mark.parametrize("hosting", hosting_names())
def test_rules_do_not_lead_outside(tmp_path: Path, hosting: str) -> None:
    rules = {
        "_redirects": "/a/* /../:splat 200\n/b/* /:splat 301",
        "vercel.json": '{"rewrites": [{"source": "/a/:x*", "destination": "/../:x*"}],'
        '"redirects": [{"source": "/b/(.*)", "destination": "/$1"}]}',
    }
    folder = write_build(tmp_path, {"404.html": "", ".nojekyll": "", **rules})
    (folder.parent / "secret.html").write_text("secret")
    build = open_build(tmp_path, hosting, {})
    for target in ("/a/secret.html", "/a/secret", "/a/../secret.html"):
        assert ask(build, folder, target) in ("404 404.html", "404")
    assert not ask(build, folder, "/b//evil.example").endswith(" //evil.example")


def test_the_folder_and_the_host_must_be_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^must be a folder that exists, not '.*gone'$"):
        Build(tmp_path / "gone", "plain")
    with pytest.raises(ValueError, match=r"^must be one of apache, .*, not 'surge'$"):
        Build(tmp_path, "surge")


def test_a_folder_that_cannot_be_listed_is_empty(tmp_path: Path) -> None:
    folder = write_build(tmp_path)
    build = Build(folder, "plain")
    for file in sorted(folder.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    folder.rmdir()
    assert build.reply("example.com", "/file.html").status == 404


def test_names_that_are_not_utf_8(tmp_path: Path) -> None:
    folder = write_build(tmp_path)
    name = os.fsdecode(b"caf\xe9.html")
    try:
        (folder / name).write_text("")
    except OSError:
        pytest.skip("the file system has only names in UTF-8")
    assert Build(folder, "nginx").reply("a", "/caf%E9.html").file == folder.resolve() / name


LONG = "/" + "a" * 500 + "/" + "a/" * 200 + "!"
ATTACKS = {
    "_redirects": "\n".join(
        f"{path} /target"
        for path in ("/a*a*a*a*a*a*a*a*b", "/:p0:p1:p2:p3:p4:p5:p6:p7!!", "/*/*/*/*/*/*/*/*/*/*/b")
    ),
    "_headers": "/a*a*a*a*a*a*a*a*b\n  X-A: b\n/*/*/*/*/*/*/*/*/*/*/b\n  X-A: b\n",
    "../netlify.toml": "".join(
        f'[[redirects]]\nfrom = "{path}"\nto = "/target"\n[[headers]]\nfor = "{path}"\n'
        f'[headers.values]\nX-A = "b"\n[[edge_functions]]\npath = "{path}"\nfunction = "a"\n'
        for path in ("/a*a*a*a*a*a*a*a*b", "/*/*/*/*/*/*/*/*/*/*/b")
    ),
    "../vercel.json": (
        '{"redirects": [{"source": "/((?:a+)+)b", "destination": "/"}],'
        ' "headers": [{"source": "/(.*a){20}b", "headers": [{"key": "a", "value": "b"}]}],'
        ' "rewrites": [{"source": "/:p0*:p1*:p2*:p3*:p4*:p5*b", "destination": "/"}]}'
    ),
    "../firebase.json": json.dumps(
        {
            "hosting": {
                "redirects": [
                    {"source": "/:a*/:b*/:c*/:d*/:e*b", "destination": "/:a"},
                    {"source": "/" + "{a,b}" * 60, "destination": "/target"},
                    {"source": "/" + "@(" * 400 + ")" * 400, "destination": "/target"},
                    {"source": "{" * 60_000, "destination": "/target"},
                ],
                "headers": [{"source": "/" + "*a" * 40 + "b", "headers": []}],
                "rewrites": [
                    {"source": "/" + "**/a/" * 40 + "b", "destination": "/target"},
                    {"source": "/a" + "+(a|*)" * 10 + "b", "destination": "/target"},
                ],
            }
        }
    ),
    "_routes.json": '{"version": 1, "include": ["/a*a*a*a*a*a*a*a*b"], "exclude": []}',
    "_worker.js": "",
}


@pytest.mark.parametrize("hosting", hosting_names())
def test_no_pattern_of_a_build_takes_long(tmp_path: Path, hosting: str) -> None:
    folder = write_build(tmp_path, {"index.html": "", **ATTACKS})
    build = Build(folder, hosting)
    with cpu_limit(1):
        for path in ("/" + "a" * 2_000, LONG, "/" + "a/" * 1_000):
            assert not ask(build, folder, path).startswith("200 target")


def test_a_slow_expression_of_vercel_is_unknown(tmp_path: Path) -> None:
    config = '{"rewrites": [{"source": "/((?!x)(?:a|a)*[bc])", "destination": "/"}]}'
    folder = write_build(tmp_path, {"index.html": "", "../vercel.json": config})
    build = Build(folder, "vercel")
    assert ask(build, folder, "/aab") == "200 index.html"
    with cpu_limit(2 * BUDGET):
        replies = [build.reply("example.com", "/" + "a" * length) for length in range(80, 180)]
    assert {reply.unknown for reply in replies} == {
        "has a rule that takes too long to match: /((?!x)(?:a|a)*[bc])"
    }


RULE_FILES = (
    *("_redirects", "_headers", "_routes.json", ".htaccess", "../vercel.json", "../wrangler.json"),
    *("../firebase.json", "../staticwebapp.config.json", "../website.json"),
)


@pytest.mark.parametrize("hosting", hosting_names())
def test_large_and_unreadable_rule_files_are_problems(tmp_path: Path, hosting: str) -> None:
    deep = "a = " + "[" * 5_000
    folder = write_build(tmp_path, {"index.html": "", "../netlify.toml": deep})
    for name in RULE_FILES:
        with (folder / name).open("wb") as file:
            file.truncate(2**33)
    build = Build(folder, hosting)
    assert ask(build, folder, "/") == ("unknown" if hosting == "apache" else "200 index.html")
    reasons = {problem.reason for problem in build.problems()}
    assert {reason.partition(": ")[0] for reason in reasons} <= {"cannot be read", "is not TOML"}
    assert reasons or hosting in ("caddy", "cloudfront", "github", "nginx", "plain")
