"""A build can change during the audit, and its files can have any name."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy import Request

from sitemapaudit.builds.build import Build
from sitemapaudit.fetching.build_site import BuildSite
from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.failures import NotInBuildError, classify_error, describe_error
from sitemapaudit.items import Error

SITE = "http://www.example.com"


def open_site(folder: Path) -> BuildSite:
    return BuildSite(folder, Build(folder, "plain"), (SITE,))


def remove(file: Path) -> None:
    file.unlink()


def replace_by_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def replace_by_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("/etc/hostname")


def replace_by_loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.name)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (remove, "No such file or directory"),
        (replace_by_pipe, "it is not a file"),
        (replace_by_folder, "it is not a file"),
        (replace_by_loop, "Too many levels of symbolic links"),
        (replace_by_link, "it leads outside of the folder"),
    ],
)
def test_a_file_that_is_gone_is_named(
    change: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    for name in ("index", "page"):
        (tmp_path / f"{name}.html").write_text(name)
    site = open_site(tmp_path)
    assert site.respond(Request(f"{SITE}/")).body == b"index"
    change(tmp_path / "page.html")
    with pytest.raises(NotInBuildError) as failed:
        site.respond(Request(f"{SITE}/page.html"))
    error = classify_error(failed.value)
    assert error is Error.NOT_IN_BUILD
    assert describe_error(failed.value, error, 1) == f"page.html cannot be read: {reason}"
    assert site.respond(Request(f"{SITE}/")).body == b"index"


def test_a_name_that_is_not_utf_8_is_served_and_named(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.html")).write_text("page")
    except OSError:
        pytest.skip("the file system has only names in UTF-8")
    site = open_site(tmp_path)
    ((url, *_),) = site.pages()
    assert url == f"{SITE}/caf%E9.html"
    request = Request(url, meta=Exchange().as_meta())
    assert site.respond(request).body == b"page"
    assert Exchange.of(request).file == "caf\N{REPLACEMENT CHARACTER}.html"
