"""hreflang-no-return: an alternate names the page in none of its three sources."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.items import Alternate, Entries, Error, Kind, Page, Role, Sitemap
from tests.pages.answers import SITE, blocked, failed
from tests.support import SITEMAP, answered, build_run, listed, rule_on

RULE = "hreflang-no-return"
EN, DE = f"{SITE}/en", f"{SITE}/de"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


def links(source: str, *targets: str) -> list[Alternate]:
    return [Alternate(source, "alternate", "de", target, target) for target in targets]


def mapped(alternates: dict[str, list[str]], sitemap: str = SITEMAP) -> Entries:
    """Return the entries of a sitemap with the alternates of each URL."""
    entries = listed(*alternates, sitemap=sitemap)
    for row, targets in zip(entries.rows, alternates.values(), strict=True):
        row.alternates = links("sitemap", *targets)
    return entries


def tagged(at: str, *targets: str, source: str = "tag", **values: Any) -> Page:
    return answered(at, alternates=links(source, *targets), **values)


def found(folder: Path, *items: Any, **arguments: Any) -> list[str | None]:
    run = build_run(folder, [READ, *items], **({"site": SITE} | arguments))
    return [url for url, severity, _ in rule_on(run, RULE) if severity == "error"]


@pytest.mark.parametrize(
    ("alternates", "expected"),
    [
        ({EN: [EN, DE], DE: [EN, DE]}, []),
        ({EN: [DE], DE: [EN]}, []),
        ({EN: [EN, DE], DE: [DE]}, [EN]),
        ({EN: [EN, DE], DE: []}, [EN]),
        ({EN: [EN], DE: [DE]}, []),
        ({EN: [DE], DE: [f"{EN}/"]}, [EN]),
        # Of what is neither listed nor was read, nothing is known.
        ({EN: [EN, DE]}, []),
        ({EN: [DE], DE: ["https://other.example/"]}, [EN]),
    ],
)
def test_sitemaps_only(
    tmp_path: Path, alternates: dict[str, list[str]], expected: list[str]
) -> None:
    assert found(tmp_path, mapped(alternates), pages="none") == expected


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        ([mapped({DE: [EN]}, f"{SITE}/b.xml"), answered(DE)], []),
        ([listed(DE), tagged(DE, EN)], []),
        ([listed(DE), tagged(DE, EN, source="header")], []),
        ([listed(DE), tagged(DE, DE)], [EN]),
        ([listed(DE), answered(DE)], [EN]),
        ([tagged(DE, EN, role=Role.HREFLANG)], []),
        ([tagged(DE, DE, role=Role.HREFLANG)], [EN]),
    ],
)
@pytest.mark.parametrize("source", ["sitemap", "tag", "header"])
def test_the_three_sources_count_together(
    tmp_path: Path, source: str, back: list[Any], expected: list[str]
) -> None:
    if source == "sitemap":
        here = [mapped({EN: [DE]}), answered(EN)]
    else:
        here = [listed(EN), tagged(EN, DE, source=source)]
    assert found(tmp_path, *here, *back) == expected


@pytest.mark.parametrize(
    ("other", "by_sitemap", "by_tag"),
    [
        (answered(DE), [EN], [EN]),
        # What was not asked for may say so itself; of the sitemaps all is known.
        (answered(f"{SITE}/x"), [EN], []),
        (failed(Error.LIMIT, at=DE), [EN], []),
        # What could not be read may name it as well.
        (answered(DE, 403), [], []),
        (answered(DE, challenge="a challenge"), [], []),
        (failed(Error.TIMEOUT, at=DE), [], []),
        (blocked(DE), [], []),
        # What cannot be indexed is another rule's.
        (answered(DE, 404), [], []),
        (answered(DE, 301, target=EN), [], []),
        (answered(DE, noindex=True), [], []),
        (answered(DE, canonical=EN), [], []),
        (answered(DE, 204), [], []),
    ],
)
def test_what_is_known_of_the_other(
    tmp_path: Path, other: Page, by_sitemap: list[str], by_tag: list[str]
) -> None:
    (tmp_path / "tag").mkdir()
    items = mapped({EN: [DE], DE: []}), answered(EN), other
    assert found(tmp_path, *items) == by_sitemap
    items = listed(EN, DE), tagged(EN, DE), other
    assert found(tmp_path / "tag", *items) == by_tag


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (answered(EN), [EN]),
        (answered(f"{SITE}/x"), [EN]),
        (answered(EN, 403), [EN]),
        (answered(EN, 404), []),
        (answered(EN, 301, target=DE), []),
        (answered(EN, canonical=f"{SITE}/"), []),
    ],
)
def test_silent_of_a_url_that_cannot_be_indexed(
    tmp_path: Path, page: Page, expected: list[str]
) -> None:
    assert found(tmp_path, mapped({EN: [DE], DE: []}), page, answered(DE)) == expected


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        ({"site": None, "sitemap": SITEMAP}, []),
        ({}, [Sitemap(f"{SITE}/b.xml", status=503)]),
        ({}, [Sitemap(f"{SITE}/b.xml", status=200, fault="not well-formed")]),
    ],
)
def test_a_page_that_an_unread_sitemap_may_list(
    tmp_path: Path, arguments: dict[str, Any], more: list[Any]
) -> None:
    pages = tagged(EN, DE), answered(DE, role=Role.HREFLANG)
    assert found(tmp_path, listed(EN), *pages, *more, **arguments) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    pages = tagged(EN, DE, role=Role.REDIRECT), answered(DE)
    assert found(tmp_path, listed(DE), *pages) == []


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        (Alternate("sitemap", " ALTERNATE ", "EN", EN, EN), []),
        (Alternate("sitemap", "alternate", "en_GB", EN, EN, "an underscore"), []),
        (Alternate("sitemap", None, "en", EN, EN), [EN]),
        (Alternate("sitemap", "canonical", "en", EN, EN), [EN]),
        (Alternate("sitemap", "alternate", " ", EN, EN), [EN]),
        (Alternate("sitemap", "alternate", None, EN, EN), [EN]),
        (Alternate("sitemap", "alternate", "en", "/en", None), [EN]),
    ],
)
def test_what_is_a_return_link(tmp_path: Path, back: Alternate, expected: list[str]) -> None:
    entries = mapped({EN: [DE], DE: []})
    entries.rows[1].alternates = [back]
    assert found(tmp_path, entries) == expected


def test_message(tmp_path: Path) -> None:
    others = [f"{SITE}/{number}" for number in range(6)]
    entries = mapped({EN: [*others, *others], DE: others[:2], **{url: [] for url in others}})
    run = build_run(tmp_path, [READ, entries], site=SITE)
    assert rule_on(run, RULE) == [
        (DE, "error", f"names alternates that do not name it in return: {others[0]}, {others[1]}"),
        (
            EN,
            "error",
            f"names alternates that do not name it in return: {', '.join(others[:5])} …",
        ),
    ]
