"""Unlisted pages in repaired sitemaps: which are added, where, and with what date."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemapaudit import Run
from sitemapaudit.items import Entries, Kind, News, Page, Refresh, Role, Sitemap
from sitemapaudit.repair import files
from sitemapaudit.repair.repairing import RepairOptions, repair
from sitemapaudit.runs.records import LinkedPage
from tests.pages.responses import SITE
from tests.repair.test_changes import rows
from tests.rules.site.test_orphan_no_inlinks import ARGUMENTS, HOME, ROBOTS
from tests.rules.tables import Item
from tests.support import NOW, build_audited_run, fetched_page, linked_page, listed

SHOP, BLOG = f"{SITE}/shop.xml", f"{SITE}/blog.xml"
LISTED = {SHOP: ["", "shop/a", "shop/b", "shop/c/d"], BLOG: ["blog/a", "news"]}
NEW = f"{SITE}/shop/new"
EARLIER = NOW - timedelta(days=3)


def unlisted(url: str = NEW, **values: Any) -> LinkedPage:
    return linked_page(url, **{"role": Role.CANONICAL, **values})


def run_of(folder: Path, *pages: LinkedPage | Page, also: tuple[Item, ...] = ()) -> Run:
    """Return the run of a shop with a blog, whose home page links to these pages."""
    items: list[Item] = [ROBOTS, *also]
    for sitemap, paths in LISTED.items():
        urls = [f"{SITE}/{path}" for path in paths]
        items += [Sitemap(sitemap, status=200, kind=Kind.URLSET), listed(*urls, sitemap=sitemap)]
        items += [linked_page(url) for url in urls if url != HOME]
    urls = [each.page.url if isinstance(each, LinkedPage) else each.url for each in pages]
    return build_audited_run(folder, [*items, linked_page(HOME, *urls), *pages], **ARGUMENTS)


def added(run: Run, folder: Path) -> dict[str, tuple[str, str | None]]:
    """Repair a run; return the file and the lastmod of each URL that was added."""
    options = RepairOptions(add_unlisted=True)
    repair(run.path, folder, 256, options)
    names = {row["url"]: row for row in rows(folder) if row["change"] == "added"}
    found: dict[str, tuple[str, str | None]] = {}
    for file in folder.glob("*/*.xml"):
        for entry in etree.parse(file).iter("{*}url"):
            if (url := entry.findtext("{*}loc")) in names:
                assert url not in found
                found[url] = file.name, entry.findtext("{*}lastmod")
    assert found.keys() == names.keys()
    return found


def test_pages_go_where_the_nearest_urls_are(tmp_path: Path) -> None:
    places = {
        NEW: "shop.xml",
        f"{SITE}/shop/c/e": "shop.xml",
        f"{SITE}/blog/2026/new": "blog.xml",
        f"{SITE}/about": "shop.xml",
    }
    run = run_of(tmp_path / "run", *map(unlisted, places))
    found = added(run, tmp_path / "repaired")
    assert found == {url: (name, None) for url, name in places.items()}


def test_nothing_is_added_without_the_option(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", unlisted())
    done = repair(run.path, tmp_path / "repaired", 256, RepairOptions())
    assert "added" not in done.changes
    assert NEW not in (tmp_path / "repaired" / "www.example.com" / "shop.xml").read_text()


def test_a_row_says_why_it_was_added(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", unlisted())
    done = repair(run.path, tmp_path / "repaired", 256, RepairOptions(add_unlisted=True))
    (row,) = (row for row in rows(tmp_path / "repaired") if row["change"] == "added")
    assert (row["url"], row["sitemap"], row["reason"]) == (NEW, SHOP, "linked by 1 page")
    assert (done.changes["added"], done.entries) == (1, 7)


@pytest.mark.parametrize(
    "page",
    [
        unlisted(noindex=True),
        unlisted(status=404),
        unlisted(canonical=f"{SITE}/shop/a"),
        unlisted(is_html=False),
        unlisted(f"{NEW}?sid=1"),
        unlisted(f"{NEW}?{'x' * 2_048}"),
        unlisted(refreshes=[Refresh("meta", 5.0, "a", f"{SITE}/shop/a")]),
        unlisted("https://other.example/new"),
        unlisted(f"{SITE.replace('https', 'http')}/new"),
    ],
)
def test_other_pages_are_not_added(tmp_path: Path, page: LinkedPage) -> None:
    assert added(run_of(tmp_path / "run", page), tmp_path / "repaired") == {}


def test_a_page_without_links_is_not_added(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", also=(unlisted(),))
    assert added(run, tmp_path / "repaired") == {}


def test_the_target_of_a_listed_redirect_is_not_added_again(tmp_path: Path) -> None:
    moved = fetched_page(f"{SITE}/old", 301, target=NEW)
    also = (listed(f"{SITE}/old", sitemap=f"{SITE}/c.xml"), moved)
    assert added(run_of(tmp_path / "run", unlisted(), also=also), tmp_path / "repaired") == {}


def test_nothing_is_added_if_a_sitemap_could_not_be_read(tmp_path: Path) -> None:
    unread = Sitemap(f"{SITE}/c.xml", status=503)
    run = run_of(tmp_path / "run", unlisted(), also=(unread,))
    assert added(run, tmp_path / "repaired") == {}


def test_copies_are_not_added(tmp_path: Path) -> None:
    text: dict[str, Any] = {"content_hash": "same", "words": 200}
    copies = [unlisted(f"{NEW}?sort={name}", **text) for name in "ab"]
    run = run_of(tmp_path / "run", *copies)
    assert added(run, tmp_path / "one").keys() == {f"{NEW}?sort=a"}
    original = linked_page(f"{SITE}/shop/original", **text)
    also = (listed(f"{SITE}/shop/original", sitemap=f"{SITE}/c.xml"), original)
    assert added(run_of(tmp_path / "other", *copies, also=also), tmp_path / "two") == {}


@pytest.mark.parametrize(
    ("written", "moment", "lastmod"),
    [
        ("2026-11-18", EARLIER, "2026-11-18"),
        ("2026-11-18T13:00:00+01:00", EARLIER, "2026-11-18T12:00:00Z"),
        ("2026-11", datetime(2026, 11, 1, tzinfo=UTC), None),
        ("2027-01-01", NOW + timedelta(days=60), None),
        (None, None, None),
    ],
)
def test_lastmods_are_true(
    tmp_path: Path, written: str | None, moment: datetime | None, lastmod: str | None
) -> None:
    page = unlisted(date_modified=written, date_modified_at=moment)
    found = added(run_of(tmp_path / "run", page), tmp_path / "repaired")
    assert found == {NEW: ("shop.xml", lastmod)}


def test_dates_that_are_all_the_same_are_not_lastmods(tmp_path: Path) -> None:
    dates: dict[str, Any] = {"date_modified": "2026-11-18", "date_modified_at": EARLIER}
    same = [unlisted(f"{SITE}/shop/new/{number}", **dates) for number in range(3)]
    run = run_of(tmp_path / "run", *same)
    assert {date for _, date in added(run, tmp_path / "one").values()} == {None}
    other = unlisted(NEW, date_modified="2026-11-01", date_modified_at=EARLIER - timedelta(17))
    run = run_of(tmp_path / "other", *same, other)
    dated = [date for _, date in added(run, tmp_path / "two").values()]
    assert sorted(map(str, dated)) == ["2026-11-01", *["2026-11-18"] * 3]


def test_news_sitemaps_get_no_other_pages(tmp_path: Path) -> None:
    address, sitemap = "https://news.example/", "https://news.example/news.xml"
    entries = listed(address, f"{address}a", sitemap=sitemap)
    item = News("Name", "en", "2026-11-20", "Title", published_at=NOW)
    news = [replace(row, news=[item]) for row in entries.rows]
    also = (Entries(sitemap, news), linked_page(address, f"{address}b"), linked_page(f"{address}a"))
    run = run_of(tmp_path / "run", unlisted(f"{address}b"), also=also)
    assert added(run, tmp_path / "repaired") == {f"{address}b": ("unlisted.xml", None)}


def test_files_stay_within_the_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_ENTRIES", 5)  # 85 % of it are 4.
    pages = [unlisted(f"{SITE}/shop/new/{number}") for number in range(6)]
    found = added(run_of(tmp_path / "run", *pages), tmp_path / "repaired")
    names = [name for name, _ in found.values()]
    assert len(names) == 6
    for file in tmp_path.glob("repaired/*/*.xml"):
        assert len(list(etree.parse(file).iter("{*}url"))) <= 4


def test_a_sitemap_whose_urls_are_all_wrong_gets_the_pages(tmp_path: Path) -> None:
    wrong = f"{SITE}/en/a"
    items: list[Item] = [ROBOTS, Sitemap(SHOP, status=200, kind=Kind.URLSET)]
    items += [listed(wrong, sitemap=SHOP), fetched_page(wrong, 404)]
    items += [linked_page(HOME, NEW, role=Role.LINK), unlisted(role=Role.LINK)]
    run = build_audited_run(tmp_path / "run", items, **ARGUMENTS)
    assert added(run, tmp_path / "repaired") == {NEW: ("sitemap.xml", None)}
