"""No request gets a file from outside the folder, or anything but a regular file."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names
from tests.builds.builds import ask, open_build, write_build

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
    assert ask(build, folder, "/inner/") == "200 inner/index.html"


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
    with pytest.raises(ValueError, match=r"^must be one of cloudflare, .*, not 'surge'$"):
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
