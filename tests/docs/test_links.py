"""Links of the documentation lead somewhere on the web page of a repository."""

import re
from pathlib import Path

import pytest

from docs.generated.pages import DOCS, INDEX, RULES, written_by_hand
from tests.docs.links import anchors_of, headings_of, html_of, links_of
from tests.support.paths import PROJECT

PAGES = sorted({*written_by_hand(), *RULES.glob("*.md")})
MAP = DOCS / "index.md"


def local_links(page: Path) -> list[tuple[str, Path, str]]:
    """Return the links of a page to other files: as written, the file, and the anchor."""
    links = [link for link in links_of(page) if "://" not in link]
    parts = [(link, *link.partition("#")[::2]) for link in links]
    return [(link, page.parent / path if path else page, anchor) for link, path, anchor in parts]


def test_each_link_leads_to_a_file_and_a_heading() -> None:
    broken = [
        f"{page.relative_to(PROJECT)}: {link}"
        for page in PAGES
        for link, file, anchor in local_links(page)
        if not file.resolve().is_relative_to(PROJECT)
        or not file.exists()
        or (anchor and anchor not in anchors_of(file))
    ]
    assert broken == []


@pytest.mark.parametrize("listing", [MAP, INDEX], ids=["map", "rules"])
def test_a_list_has_each_page_of_its_folders(listing: Path) -> None:
    listed = {file.resolve() for _, file, _ in local_links(listing)}
    pages = set(RULES.glob("*.md")) if listing == INDEX else set(written_by_hand())
    inside = {page for page in pages if page.is_relative_to(DOCS)}
    assert inside - {listing} <= listed


def test_the_map_names_each_page_as_the_page_does() -> None:
    text = MAP.read_text(encoding="utf-8")
    for _, file, _ in local_links(MAP):
        if file.suffix == ".md":
            link = f"- [{headings_of(file)[0]}]({file.relative_to(DOCS).as_posix()})"
            assert f"\n{link}\n" in text


def test_each_folder_that_the_explanation_names_is_in_the_package() -> None:
    text = (DOCS / "explanation" / "design.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+(?:/|\.py))`", text)
    assert {"engine/", "crawling/phases/", "builds/", "verdicts.py"} <= set(named)
    assert [name for name in named if not (PROJECT / "sitemapaudit" / name).exists()] == []


def test_no_page_has_what_only_sphinx_shows() -> None:
    directives = ("```{", ":::", "{ref}", "{doc}")
    found = [page for page in PAGES for each in directives if each in page.read_text("utf-8")]
    assert found == []


def test_no_text_is_taken_for_an_html_tag() -> None:
    tags = [tag for page in PAGES for tag in html_of(page) if not tag.startswith("<!-- ")]
    assert tags == []
