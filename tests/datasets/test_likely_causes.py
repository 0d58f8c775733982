"""A cause that many findings share is named once, with what fixes it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.items import DeclaredSitemap, Error, Page, Robots, Role, Sitemap
from sitemapaudit.runs.manifest import Manifest
from tests.rules.tables import Item
from tests.support.rows import SITEMAP, fetched_page, listed, sitemap_of
from tests.support.runs import build_run

HOST = "https://www.example.com"
HUGO = "Hugo: set baseURL in hugo.toml to the address of the site, and build with hugo, not hugo"
SOURCE = "server (https://gohugo.io/configuration/all/#baseurl)"


def built(path: str, **values: Any) -> Page:
    """Return a page of a build that Hugo made."""
    return fetched_page(
        f"{HOST}/{path}", role=Role.BUILT, file=f"{path}.html", is_html=True, bytes=900, **values
    )


def manifest_of(run: Path, items: Iterable[Item], **arguments: Any) -> Manifest:
    given = {"site": HOST, "folder": "/public", **arguments}
    return build_run(run, items, rules={}, **given).manifest


def test_a_build_for_another_host_is_the_one_cause(tmp_path: Path) -> None:
    local = "http://localhost:1313"
    entries = listed(*(f"{local}/{n}" for n in range(6)))
    pages = [built(str(n), canonical=f"{local}/{n}", generator="Hugo 0.154.0") for n in range(6)]
    robots = Robots(HOST, f"{HOST}/robots.txt", audited=True, status=200)
    robots.sitemaps = [DeclaredSitemap(1, f"{local}/sitemap.xml", f"{local}/sitemap.xml")]
    unknown = [fetched_page(f"{local}/{n}", None, error=Error.NOT_IN_BUILD) for n in range(6)]
    manifest = manifest_of(tmp_path, [robots, sitemap_of(entries), entries, *pages, *unknown])
    named = f"the sitemaps name 6 URLs, such as {local}/0, and none of www.example.com"
    assert manifest.reason == named
    assert manifest.remedy == f"{HUGO} {SOURCE}"
    places = "6 locs and 1 Sitemap line and 6 canonicals"
    sentence = f"The build was made for {local}, not for www.example.com: it names it in {places}."
    (cause,) = manifest.likely_causes
    # What the remedy says is not said again.
    assert cause.describe(manifest.remedy) == sentence
    assert str(cause) == f"{sentence} {HUGO} {SOURCE}."
    assert cause.rules == ["built-for-other-host"]
    # The pages are listed, but with another host.
    assert not {"built-not-listed", "built-sitemap-undeclared"} & {*manifest.rules}


def test_a_build_without_a_sitemap_names_the_setting(tmp_path: Path) -> None:
    pages = [built(str(n), generator="VitePress v1.6.4") for n in range(6)]
    robots = Robots(HOST, f"{HOST}/robots.txt", audited=True, status=404)
    manifest = manifest_of(tmp_path, [robots, *pages])
    assert (manifest.remedy or "").startswith("VitePress: set sitemap.hostname in")
    assert "built-not-listed" not in manifest.rules


@pytest.mark.parametrize(
    ("generator", "setting"),
    [
        ("Hugo 0.154.0", "set baseURL in hugo.toml"),
        ("Jekyll v4.4.1", "set url and baseurl in _config.yml"),
        # The URLs have the language and the version by default.
        ("Sphinx 9.0", "set `sitemap_url_scheme"),
    ],
)
@pytest.mark.parametrize("role", [Role.BUILT, Role.LINK])
def test_a_wrong_path_is_corrected_by_the_address_of_the_site(
    tmp_path: Path, generator: str, setting: str, role: Role
) -> None:
    entries = listed(*(f"{HOST}/repo/{n}" for n in range(6)))
    missing = [fetched_page(f"{HOST}/repo/{n}", 404) for n in range(6)]
    pages = [built(str(n), generator=generator) for n in range(6)]
    for page in pages[1:]:
        page.role = role
    manifest = manifest_of(tmp_path, [sitemap_of(entries), entries, *pages, *missing])
    cause = manifest.likely_causes[0]
    assert cause.sentence.startswith("All 6 listed URLs without a page begin with /repo/, such as")
    assert setting.replace("`", "") in str(cause).replace("`", "")


def test_another_host_is_not_corrected_by_the_form_of_addresses(tmp_path: Path) -> None:
    other = "https://other.example"
    entries = listed(*(f"{HOST}/{n}" for n in range(6)))
    pages = [
        fetched_page(f"{HOST}/{n}", canonical=f"{other}/{n}", generator="Hugo 0.154.0")
        for n in range(6)
    ]
    manifest = manifest_of(tmp_path, [sitemap_of(entries), entries, *pages], folder="")
    (cause,) = manifest.likely_causes
    assert "have another host than the address of the page" in cause.sentence
    assert f"{HUGO} {SOURCE}" in str(cause)


def test_pages_of_an_undeclared_sitemap_have_no_setting(tmp_path: Path) -> None:
    entries = listed(f"{HOST}/docs/")
    pages = [built(f"docs/fr/{n}", generator="Hugo 0.154.0") for n in range(6)]
    gone = Sitemap(f"{HOST}/docs/fr/sitemap.xml", status=404)
    items: list[Item] = [sitemap_of(entries), entries, gone, built("docs/"), *pages]
    manifest = manifest_of(tmp_path, items, site=f"{HOST}/docs/")
    (cause,) = manifest.likely_causes
    assert cause.sentence == (
        "6 pages of the build are in no declared sitemap that could be read: 6 below /docs/fr/."
    )
    assert cause.fixes == []


def test_folders_that_no_sitemap_lists_are_counted(tmp_path: Path) -> None:
    entries = listed(f"{HOST}/")
    archives = [built(f"archives/{n}") for n in range(5)]
    items: list[Item] = [
        sitemap_of(entries),
        entries,
        built(""),
        *archives,
        built("a/b"),
        built("c/d"),
    ]
    manifest = manifest_of(tmp_path, [*items, built("0", generator="Hexo 8.1.2")])
    (cause,) = manifest.likely_causes
    assert cause.sentence == (
        "8 pages of the build are in no sitemap: 5 below /archives/, 3 elsewhere."
    )
    assert [fix.generator for fix in cause.fixes] == ["Hexo"]


def test_locs_that_are_paths_have_one_cause(tmp_path: Path) -> None:
    entries = listed(*(f"/{n}" for n in range(5)))
    manifest = manifest_of(tmp_path, [sitemap_of(entries), entries], folder="")
    (cause,) = manifest.likely_causes
    assert cause.sentence.startswith("All 5 locs are paths, such as /0: the address of the site")


def test_staging_that_names_itself_is_one_cause(tmp_path: Path) -> None:
    staging = "https://staging.example.com"
    entries = listed(*(f"{staging}/{n}" for n in range(5)))
    pages = [fetched_page(f"{HOST}/{n}", canonical=f"{staging}/{n}") for n in range(5)]
    items: list[Item] = [sitemap_of(entries), entries, *pages]
    manifest = manifest_of(tmp_path, items, folder="", staging=staging)
    (cause,) = manifest.likely_causes
    assert cause.sentence.startswith(f"Staging names its own address, {staging}, in 10 places of")


@pytest.mark.parametrize(
    ("generators", "expected"),
    [
        ({"Docusaurus v3.9.2": 1}, {"Docusaurus v3.9.2": 1, "My program": 1}),
        ({}, {"My program": 1, "WordPress": 1}),
    ],
)
def test_a_sitemap_names_the_generator_that_no_page_names(
    tmp_path: Path, generators: dict[str, int], expected: dict[str, int]
) -> None:
    names = ["My program", *generators]
    pages = [fetched_page(f"{HOST}/{n}", generator=name) for n, name in enumerate(names)]
    entries = listed(*(page.url for page in pages))
    row = Sitemap(SITEMAP, status=200, entries=len(pages), generator="WordPress")
    assert manifest_of(tmp_path, [row, entries, *pages], folder="").generators == expected
