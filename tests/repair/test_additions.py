"""Unlisted pages in repaired sitemaps: which are added, where, and with what date."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemapaudit import Run
from sitemapaudit.items import Kind, News, Page, Refresh, Role, Sitemap
from sitemapaudit.repair import files
from sitemapaudit.repair.repairing import RepairOptions, repair
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE
from tests.repair.changes import rows
from tests.repair.in_memory import add_unlisted_in_memory
from tests.rules.site.linked import ARGUMENTS, HOME, ROBOTS
from tests.rules.tables import Item
from tests.support.rows import NOW, fetched_page, linked_page, listed
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("repair-additions")

SHOP, BLOG = f"{SITE}/shop.xml", f"{SITE}/blog.xml"
LISTED = {SHOP: ["", "shop/a", "shop/b", "shop/c/d"], BLOG: ["blog/a", "news"]}
NEW = f"{SITE}/shop/new"
EARLIER = NOW - timedelta(days=3)

Added = dict[str, tuple[str, str | None]]
"""The file and the lastmod of each URL that was added."""

PLACES = {
    NEW: "shop.xml",
    f"{SITE}/shop/c/e": "shop.xml",
    f"{SITE}/blog/2026/new": "blog.xml",
    f"{SITE}/about": "shop.xml",
}
"""The file that each of these unlisted pages goes into."""


def unlisted(url: str = NEW, **values: Any) -> ReadItem[Page]:
    return linked_page(url, **{"role": Role.CANONICAL, **values})


OTHER = [
    unlisted(f"{NEW}/noindex", noindex=True),
    unlisted(f"{NEW}/gone", status=404),
    unlisted(f"{NEW}/canonical", canonical=f"{SITE}/shop/a"),
    unlisted(f"{NEW}/image", is_html=False),
    unlisted(f"{NEW}?sid=1"),
    unlisted(f"{NEW}?{'x' * 2_048}"),
    unlisted(f"{NEW}/refresh", refreshes=[Refresh("meta", 5.0, "a", f"{SITE}/shop/a")]),
    unlisted("https://other.example/new"),
    unlisted(f"{SITE.replace('https', 'http')}/new"),
]
"""Pages that no sitemap may list."""

DATES = [
    ("2026-11-18", EARLIER, "2026-11-18"),
    ("2026-11-18T13:00:00+01:00", EARLIER, "2026-11-18T12:00:00Z"),
    ("2026-11-21T12:00:00Z", NOW, "2026-11-21T12:00:00Z"),
    ("2026-11", datetime(2026, 11, 1, tzinfo=UTC), None),
    ("2027-01-01", NOW + timedelta(days=60), None),
    (None, None, None),
]
"""The date that a page states, its moment, and the lastmod."""

ALONE, MOVED, ORIGINAL = (f"{SITE}/shop/{name}" for name in ("alone", "moved", "original"))
NEWS, NEWS_PAGE = "https://news.example/", "https://news.example/b"


def items_of(
    *pages: ReadItem[Page] | Page,
    sitemaps: dict[str, list[str]] = LISTED,
    also: Iterable[Item] = (),
) -> list[Item]:
    """Return the items of a shop with a blog, whose home page links to these pages."""
    items: list[Item] = [ROBOTS, *also]
    for sitemap, paths in sitemaps.items():
        urls = [f"{SITE}/{path}" for path in paths]
        items += [Sitemap(sitemap, status=200, kind=Kind.URLSET), listed(*urls, sitemap=sitemap)]
        items += [linked_page(url) for url in urls if url != HOME]
    urls = [each.item.url if isinstance(each, ReadItem) else each.url for each in pages]
    return [*items, linked_page(HOME, *urls), *pages]


def run_of(folder: Path, *pages: ReadItem[Page]) -> Run:
    return build_audited_run(folder, items_of(*pages), **ARGUMENTS)


def added_in_memory(items: Iterable[Item]) -> Added:
    """Return the file and the lastmod of each URL that a repair adds."""
    found = add_unlisted_in_memory(items, SITE)
    return {url: (file.rpartition("/")[2], date) for url, (file, date, _) in found.items()}


def added(run: Run, folder: Path) -> Added:
    """Repair a run; return the file and the lastmod of each URL that was added."""
    options = RepairOptions(add_unlisted=True)
    repair(run.path, folder, 256, options)
    names = {row["url"]: row for row in rows(folder) if row["change"] == "added"}
    found: Added = {}
    for file in folder.glob("*/*.xml"):
        for entry in etree.parse(file).iter("{*}url"):
            if (url := entry.findtext("{*}loc")) in names:
                assert url not in found
                found[url] = file.name, entry.findtext("{*}lastmod")
    assert found.keys() == names.keys()
    return found


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run with unlisted pages, each of which must be added."""
    return run_of(tmp_path_factory.mktemp("placed"), *map(unlisted, PLACES))


@pytest.fixture(scope="module")
def mixed() -> Added:
    """Return what is added to the sitemaps of a run with an unlisted page for each fact.

    Dated pages are in folders with sitemaps of their own: the dates of a sitemap are compared.
    """
    folders = ["same", "differ", *(f"date-{number}" for number in range(len(DATES)))]
    sitemaps = {f"{SITE}/{name}.xml": [f"{name}/listed"] for name in folders}
    pages = [*OTHER, unlisted(MOVED), *copies(), *dated(), unlisted(NEWS_PAGE)]
    also = [unlisted(ALONE), *redirect(), *original(), *news_site()]
    return added_in_memory(items_of(*pages, sitemaps=LISTED | sitemaps, also=also))


def copies() -> Iterator[ReadItem[Page]]:
    """Yield two pages with one text, two with that of a listed page, and two with few words."""
    for text, words in (("new", 50), ("listed", 50), ("short", 49)):
        for name in "ab":
            yield unlisted(f"{NEW}/{text}?sort={name}", content_hash=text, words=words)


KEPT = ("new?sort=a", "short?sort=a", "short?sort=b")
"""The pages that are no copies."""


def original() -> Iterator[Item]:
    """Yield the listed page whose text others have."""
    yield listed(ORIGINAL, sitemap=f"{SITE}/c.xml")
    yield linked_page(ORIGINAL, content_hash="listed", words=200)


def redirect() -> Iterator[Item]:
    """Yield a listed URL that redirects to a page that no sitemap lists."""
    yield listed(f"{SITE}/old", sitemap=f"{SITE}/d.xml")
    yield fetched_page(f"{SITE}/old", 301, target=MOVED)


def dated() -> Iterator[ReadItem[Page]]:
    """Yield pages that state dates: alone in their sitemaps, all the same, and different ones."""
    for number, (written, moment, _) in enumerate(DATES):
        url = f"{SITE}/date-{number}/new"
        yield unlisted(url, date_modified=written, date_modified_at=moment)
    dates: dict[str, Any] = {"date_modified": "2026-11-18", "date_modified_at": EARLIER}
    for folder in ("same", "differ"):
        for number in range(3):
            yield unlisted(f"{SITE}/{folder}/{number}", **dates)
    earlier = EARLIER - timedelta(17)
    url = f"{SITE}/differ/other"
    yield unlisted(url, date_modified="2026-11-01", date_modified_at=earlier)


def news_site() -> Iterator[Item]:
    """Yield another website, which has a sitemap of news only."""
    sitemap = f"{NEWS}news.xml"
    item = News("Name", "en", "2026-11-20", "Title", published_at=NOW)
    entries = listed(NEWS, f"{NEWS}a", sitemap=sitemap)
    entries.rows[1].news = [item]
    yield entries
    yield linked_page(NEWS, NEWS_PAGE)
    yield linked_page(f"{NEWS}a")


def test_pages_go_where_the_nearest_urls_are(placed: Run, tmp_path: Path) -> None:
    assert added(placed, tmp_path) == {url: (name, None) for url, name in PLACES.items()}


def test_nothing_is_added_without_the_option(placed: Run, tmp_path: Path) -> None:
    done = repair(placed.path, tmp_path, 256, RepairOptions())
    assert "added" not in done.changes
    assert NEW not in (tmp_path / "www.example.com" / "shop.xml").read_text()


def test_a_row_says_why_it_was_added(placed: Run, tmp_path: Path) -> None:
    done = repair(placed.path, tmp_path, 256, RepairOptions(add_unlisted=True))
    (row,) = (row for row in rows(tmp_path) if row["url"] == NEW)
    assert (row["change"], row["sitemap"], row["reason"]) == ("added", SHOP, "linked by 1 page")
    assert (done.changes["added"], done.entries) == (len(PLACES), 6 + len(PLACES))


def test_nothing_is_added_if_a_sitemap_could_not_be_read() -> None:
    unread = Sitemap(f"{SITE}/c.xml", status=503)
    assert added_in_memory(items_of(unlisted(), also=[unread])) == {}


def test_copies_are_not_added(mixed: Added) -> None:
    assert {url for url in mixed if "?sort=" in url} == {f"{NEW}/{name}" for name in KEPT}


def test_lastmods_are_true(mixed: Added) -> None:
    for number, (*_, lastmod) in enumerate(DATES):
        assert mixed[f"{SITE}/date-{number}/new"] == (f"date-{number}.xml", lastmod)


def test_dates_that_are_all_the_same_are_not_lastmods(mixed: Added) -> None:
    assert [date for name, date in mixed.values() if name == "same.xml"] == [None] * 3
    dates = [date for name, date in mixed.values() if name == "differ.xml"]
    assert sorted(map(str, dates)) == ["2026-11-01", *["2026-11-18"] * 3]


def test_news_sitemaps_get_no_other_pages(mixed: Added) -> None:
    assert mixed[NEWS_PAGE] == ("unlisted.xml", None)


def test_nothing_else_is_added(mixed: Added) -> None:
    """A page without links, the target of a listed redirect and the other pages are not added."""
    dated_pages = {page.item.url for page in dated()}
    assert mixed.keys() == {*(f"{NEW}/{name}" for name in KEPT), NEWS_PAGE, *dated_pages}


def test_files_stay_within_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 5)  # 85 % of it are 4.
    pages = [unlisted(f"{SITE}/shop/new/{number}") for number in range(6)]
    found = added(run_of(tmp_path / "run", *pages), tmp_path / "repaired")
    names = [name for name, _ in found.values()]
    assert len(names) == 6
    for file in tmp_path.glob("repaired/*/*.xml"):
        assert len(list(etree.parse(file).iter("{*}url"))) <= 4


def test_a_sitemap_whose_urls_are_all_wrong_gets_the_pages() -> None:
    wrong = f"{SITE}/en/a"
    items: list[Item] = [ROBOTS, fetched_page(wrong, 404)]
    for sitemap in (SHOP, BLOG):
        items += [Sitemap(sitemap, status=200, kind=Kind.URLSET), listed(wrong, sitemap=sitemap)]
    items += [linked_page(HOME, NEW, role=Role.LINK), unlisted(role=Role.LINK)]
    assert added_in_memory(items) == {NEW: ("blog.xml", None)}
