"""A difference that many listed URLs have from the pages that they lead to is said once."""

from collections.abc import Iterable
from typing import Any

import pytest

from sitemapaudit.datasets.common_differences import MIN_URLS, find_differences
from sitemapaudit.datasets.database import connect
from tests.rules.tables import manifest_of

HOST = "https://www.example.com"


def differences_of(
    verdict: str,
    moved: Iterable[tuple[str, str | None]],
    built: Iterable[str | tuple[str, str]] = (),
    final: int = 200,
    answered: str | None = None,
    **given: str,
) -> list[str]:
    """Return the common differences of URLs with a verdict, which lead to these targets.

    ``built`` are URLs of a build, or such with their files, and ``answered`` is the file that its
    hosting gives for all others.
    """
    rows = list(moved)
    manifest = manifest_of(**{"site": HOST, **given})
    manifest.verdicts = {verdict: len(rows)}
    with connect() as connection:
        connection.execute(
            "create table urls (url text, verdict text, final_url text, canonical text,"
            " final_status int);"
            "create table pages (url text, role text, status int, file text)"
        )
        for url, target in rows:
            values = [url, verdict, target or url, target, final]
            connection.execute("insert into urls values (?, ?, ?, ?, ?)", values)
            values = [url, answered]
            connection.execute("insert into pages values (?, 'listed', 200, ?)", values)
        for each in built:
            values = [each, None] if isinstance(each, str) else [*each]
            connection.execute("insert into pages values (?, 'built', 200, ?)", values)
        return [found.sentence for found in find_differences(connection, manifest)]


@pytest.mark.parametrize(
    ("listed", "target", "phrase"),
    [
        ("{}/{}", "{}/{}/", "lack the slash at the end"),
        ("{}/{}/", "{}/{}", "have a slash at the end"),
        ("{}/{}.html", "{}/{}", "end with the name of a file"),
        ("{}/{}", "{}/{}.html", "lack the extension .html"),
        ("{}/{}/index.html", "{}/{}/", "end with the name of a file"),
        ("http://www.example.com/{1}", "{}/{}", "begin with http:// instead of https://"),
        ("{}/{}", "https://example.com/{1}", "have www."),
        ("https://example.com/{1}", "{}/{}", "lack www."),
        ("{}/A{}", "{}/a{}", "differ from the address of the page in capital letters"),
        ("{}/{}", "https://other.example/{1}", "have another host"),
    ],
)
@pytest.mark.parametrize(
    ("verdict", "words"),
    [("redirected", "that redirect"), ("canonicalized", "with another canonical")],
)
def test_the_difference_is_named(
    listed: str, target: str, phrase: str, verdict: str, words: str
) -> None:
    moved = [(listed.format(HOST, n), target.format(HOST, n)) for n in range(MIN_URLS)]
    (found,) = differences_of(verdict, moved)
    assert found.startswith(f"All {MIN_URLS} listed URLs {words} only {phrase}")
    assert f"such as {moved[0][0]}" in found
    assert differences_of(verdict, moved[1:]) == []


def test_a_url_does_not_differ_from_itself() -> None:
    redirected_by_scripts = [(f"{HOST}/{n}", f"{HOST}/{n}") for n in range(MIN_URLS)]
    assert differences_of("redirected", redirected_by_scripts) == []
    without_www = [(f"https://a.example/{n}", f"https://a.example/{n}") for n in range(MIN_URLS)]
    assert differences_of("redirected", without_www) == []


def test_four_fifths_are_enough() -> None:
    alike = [(f"{HOST}/{n}", f"{HOST}/{n}/") for n in range(8)]
    others = [(f"{HOST}/old-{n}", f"{HOST}/new-{n}") for n in range(3)]
    (found,) = differences_of("redirected", alike + others[:2])
    assert found.startswith("8 of 10 listed URLs that redirect only lack the slash at the end")
    assert differences_of("redirected", alike + others) == []


def test_files_with_an_extension_question_the_hosting() -> None:
    missing = [(f"{HOST}/{n}", None) for n in range(MIN_URLS)]
    built = [f"{HOST}/{n}.html" for n in range(MIN_URLS)]
    (found,) = differences_of("not-found", missing, built, folder="_site", hosting="nginx")
    assert "would be a file with .html at the end: is it right that the hosting nginx" in found
    assert differences_of("not-found", missing, built[1:], folder="_site") == []
    assert differences_of("not-found", missing, built) == []


def test_a_target_that_is_missing_says_nothing_about_slashes() -> None:
    moved = [(f"{HOST}/{n}", f"{HOST}/{n}/") for n in range(MIN_URLS)]
    built = [f"{HOST}/{n}.html" for n in range(MIN_URLS)]
    (found,) = differences_of("redirected", moved, built, final=404, folder="out")
    assert "would be a file with .html at the end" in found


@pytest.mark.parametrize(
    ("site", "listed", "built", "phrase"),
    [
        (HOST, "{}/en/{}", "{}/{}", "begin with /en/, such as"),
        (HOST, "{}/en/latest/{}", "{}/{}", "begin with /en/latest/, such as"),
        (f"{HOST}/repo/", "{}/{}", "{}/repo/{}", "lack /repo/, the path at which the build"),
    ],
)
def test_a_path_before_every_page_is_named(site: str, listed: str, built: str, phrase: str) -> None:
    missing = [(listed.format(HOST, n), None) for n in range(MIN_URLS)]
    files = [built.format(HOST, n) for n in range(MIN_URLS)]
    (found,) = differences_of("not-found", missing, files, folder="build", site=site)
    assert found.startswith(f"All {MIN_URLS} listed URLs without a page {phrase}")
    assert differences_of("not-found", missing, files[1:], folder="build", site=site) == []


def test_the_file_of_a_page_counts_as_its_address() -> None:
    missing = [(f"{HOST}/en/{n}.html", None) for n in range(MIN_URLS)]
    built = [(f"{HOST}/{n}", f"{n}.html") for n in range(MIN_URLS)]
    (found,) = differences_of("not-found", missing, built, folder="build", hosting="github")
    assert found.startswith(f"All {MIN_URLS} listed URLs without a page begin with /en/")


def test_a_page_in_place_of_missing_ones_is_no_template() -> None:
    pages = [(f"{HOST}/en/{n}", f"{HOST}/") for n in range(MIN_URLS + 1)]
    given: dict[str, Any] = {
        "folder": "build",
        "hosting": "cloudflare",
        "answered": "index.html",
    }
    (found,) = differences_of("canonicalized", pages, **given)
    assert "have no file in the build: the hosting cloudflare gives them index.html" in found
    built = [(f"{HOST}/{n}", f"{n}.html") for n in range(MIN_URLS + 1)]
    (found,) = differences_of("canonicalized", pages, built, **given)
    assert " begin with /en/, such as" in found


def test_one_canonical_of_many_pages_is_named() -> None:
    pages = [(f"{HOST}/{n}", f"{HOST}/") for n in range(MIN_URLS)]
    (found,) = differences_of("canonicalized", pages)
    assert found.startswith(f"All {MIN_URLS} listed URLs with another canonical have the same one")
    assert differences_of("canonicalized", pages[1:]) == []


def test_other_verdicts_have_none() -> None:
    assert differences_of("indexable", [(f"{HOST}/{n}", f"{HOST}/{n}/") for n in range(9)]) == []
