"""Whatever a repair leaves out has its row in changes.csv, with its number and its reason."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from sitemapaudit import Run
from sitemapaudit.items import Canonical, Entries, Error, Kind, News, Page, Sitemap, Video
from sitemapaudit.repair.repairing import Wishes, repair
from tests.rules.entry.extended import image, link, news, video
from tests.rules.sitemap.files import answer, entries_of, read, url, urlset
from tests.support import NOW, SITEMAP, answered, build_run, listed

HOST = "https://www.example.com"
A, B, C, D = (f"{HOST}/{name}" for name in "abcd")

Change = tuple[str, str, int, str]


def run_of(folder: Path, *entries: str) -> Run:
    """Return a run on a file with these entries; C is noindex, the others were not asked for."""
    body = urlset(*entries)
    row = read(answer(body), Sitemap(SITEMAP))
    row.fetched_at = NOW
    return build_run(folder, [row, Entries(SITEMAP, entries_of(body)), answered(C, noindex=True)])


def changes(run: Path, into: Path, **wishes: bool) -> list[Change]:
    """Repair a run; return the rows of its list, without the files and replacements."""
    repair(run, into, 256, Wishes(**wishes))
    return [(row["url"], row["change"], int(row["number"]), row["reason"]) for row in rows(into)]


def rows(into: Path) -> list[dict[str, str]]:
    with (into / "changes.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def elements(into: Path) -> Iterator[etree._Element]:
    for file in into.glob("*/*.xml"):
        yield from etree.parse(file).iter("{*}url")


def texts(into: Path, name: str) -> list[str | None]:
    """Return the texts of all elements of a name in what was written."""
    return [each.text for element in elements(into) for each in element.iter(f"{{*}}{name}")]


NOT_RETURNED = "is not returned by all, or does not name the page itself"
DEPRECATED = "extension-deprecated"
UNREAD = "are no longer read: access, genres, keywords, stock_tickers"
LINK = "hreflang-link-invalid"

# What stands in an entry, and what is to be told of it: the change, the number, the reason.
BROKEN: list[tuple[str, str, int, str]] = [
    (image("nowhere"), "images left out", 1, "image-invalid"),
    (image() * 1_002, "images left out", 2, "image-too-many"),
    (video(thumbnail_loc=None), "videos left out", 1, "video-required-missing"),
    (video(rating="9"), "videos left out", 1, "video-value-invalid"),
    (video(content_loc=f"{HOST}/4"), "videos left out", 1, "video-location-is-page"),
    (news(title=None), "news left out", 1, "news-required-missing"),
    (news() + news(), "news left out", 2, "news-required-missing"),
    (news(language="english"), "news left out", 1, "news-value-invalid"),
    (news(publication_date="2026-11-01"), "news left out", 1, "news-stale"),
    (link(rel=None), "alternates left out", 1, "hreflang-link-invalid"),
    (link(hreflang=""), "alternates left out", 1, "hreflang-link-invalid"),
    (link(href="/b"), "alternates left out", 1, "hreflang-link-invalid"),
    (link(hreflang="en-UK"), "alternates left out", 1, "hreflang-code-invalid"),
    (link(href=D), "alternates left out", 1, "names an address that is not listed"),
    (link(href=C), "alternates left out", 1, "names an address that is dropped"),
    (link(href=B), "alternates left out", 1, NOT_RETURNED),
    (link(href=A) + link(href=B), "alternates left out", 2, "hreflang-duplicate-code"),
    (
        link(hreflang=None, href=B).replace("/>", ' media="handheld"/>'),
        "alternates left out",
        1,
        "names a page for other devices",
    ),
    ("<lastmod>yesterday</lastmod>", "lastmod left out", 1, "lastmod-invalid"),
    ("<lastmod>2027-01-01</lastmod>", "lastmod left out", 1, "lastmod-future"),
    ("<lastmod>2026-10</lastmod>", "lastmod left out", 1, "has no day"),
    ("<changefreq>often</changefreq>", "changefreq left out", 1, "changefreq-invalid"),
    ("<priority>1e-1</priority>", "priority left out", 1, "priority-invalid"),
    ("<priority>1.5</priority>", "priority left out", 1, "priority-invalid"),
    ("<author>x</author><rank/>", "elements left out", 2, "sitemap-element-invalid: author, rank"),
    (
        "<priority>0.1</priority><priority>0.2</priority>",
        "repeated elements left out",
        1,
        "sitemap-element-invalid: priority",
    ),
    (
        image(more="<image:title>T</image:title>"),
        "values of images left out",
        1,
        f"{DEPRECATED}: title, caption, geo_location, license",
    ),
    (
        video(category="c"),
        "values of videos left out",
        1,
        f"{DEPRECATED}: category, gallery_loc, tvshow, price",
    ),
    (news(genres="Blog"), "values of news left out", 1, UNREAD),
]


def place(number: int) -> str:
    return f"{HOST}/{number}"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Change]:
    """Repair a file with an entry for each of these; return the list of changes."""
    folder = tmp_path_factory.mktemp("broken")
    entries = [url(place(number), broken) for number, (broken, *_) in enumerate(BROKEN)]
    run = run_of(folder / "run", *entries, url(A), url(B), url(C))
    return changes(run.path, folder / "repaired")


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_is_left_out_of_an_entry_is_told(told: list[Change], number: int) -> None:
    assert [row for row in told if row[0] == place(number)] == [
        (place(number), *BROKEN[number][1:])
    ]


def test_what_becomes_of_addresses(tmp_path: Path) -> None:
    names = ("moved", "lost", "nowhere", "copy", "gone", "down", "new")
    moved, lost, nowhere, copy, gone, down, new = (f"{HOST}/{name}" for name in names)
    long = f"{HOST}/{'x' * 2_100}"
    items: list[Entries | Page] = [
        listed(moved, lost, nowhere, copy, gone, down, long),
        answered(moved, 301, target=new, location=new),
        answered(lost, 301, target=gone, location=gone),
        answered(nowhere, 302),
        answered(copy, noindex=False, canonical=new, canonicals=[Canonical("tag", new, new)]),
        answered(gone, 410),
        answered(down, 500),
        answered(new, noindex=False),
    ]
    run = build_run(tmp_path / "run", items)
    into = tmp_path / "repaired"
    assert set(changes(run.path, into)) == {
        (moved, "replaced", 1, "redirects"),
        (lost, "dropped", 1, "redirects to what cannot be indexed"),
        (nowhere, "dropped", 1, "redirects, and leads nowhere"),
        (copy, "replaced", 1, "names another canonical"),
        (gone, "dropped", 1, "is not-found"),
        (down, "dropped", 1, "is server-error"),
        (long, "dropped", 1, "loc-too-long"),
    }
    replaced = {row["url"]: row["replacement"] for row in rows(into) if row["replacement"]}
    assert replaced == {moved: new, copy: new}
    assert texts(into, "loc") == [new]


def test_nothing_is_told_of_what_is_right(tmp_path: Path) -> None:
    films = [video(), video(title="B")]
    whole = "".join([image(), image(f"{HOST}/b.png"), *films, news()])
    values = (
        "<lastmod>2026-11-20T10:00:00+01:00</lastmod><changefreq>Daily</changefreq>"
        "<priority> 0.5 </priority>"
    )
    both = link(hreflang="de", href=A) + link(hreflang="en", href=B)
    run = run_of(tmp_path / "run", url(A, values + whole + both), url(B, both))
    into = tmp_path / "repaired"
    assert changes(run.path, into) == []
    assert [len(texts(into, name)) for name in ("image", "video", "news", "link")] == [2, 2, 1, 4]
    assert texts(into, "lastmod") == ["2026-11-20T09:00:00Z"]
    assert texts(into, "changefreq") == ["daily"]
    assert texts(into, "priority") == ["0.5"]


def test_only_what_is_broken_is_left_out(tmp_path: Path) -> None:
    images = "".join(image(loc) for loc in (f"{HOST}/1.png", "x", f"{HOST}/3.png", "y"))
    films = video(title="1") + video(title=None) + video(title="3")
    run = run_of(tmp_path / "run", url(A, images + films))
    into = tmp_path / "repaired"
    assert set(changes(run.path, into)) == {
        (A, "images left out", 2, "image-invalid"),
        (A, "videos left out", 1, "video-required-missing"),
    }
    (element,) = elements(into)
    assert [image.findtext("{*}loc") for image in element.iter("{*}image")] == [
        f"{HOST}/1.png",
        f"{HOST}/3.png",
    ]
    assert texts(into, "title") == ["1", "3"]


def test_of_several_entries_the_rest_is_told(tmp_path: Path) -> None:
    first = "<lastmod>2026-11-01</lastmod><priority>0.1</priority>" + image(f"{HOST}/1.png")
    second = "<lastmod>2026-11-02</lastmod><priority>0.2</priority>" + image(f"{HOST}/2.png")
    first += video(title="1") + news(title="1")
    second += video(title="2") + news(title="2")
    run = run_of(tmp_path / "run", url(A, first), url(A, second), url(A, first))
    into = tmp_path / "repaired"
    assert set(changes(run.path, into)) == {
        (A, "merged", 3, "is listed 3 times"),
        (A, "lastmod left out", 2, "another entry has a later one"),
        (A, "priority left out", 1, "another entry has one too"),
        (A, "images left out", 1, "another entry has some too"),
        (A, "videos left out", 1, "another entry has some too"),
        (A, "news left out", 1, "another entry has some too"),
    }
    assert texts(into, "lastmod") == ["2026-11-02"]


def test_lastmods_that_are_all_alike_have_one_row(tmp_path: Path) -> None:
    dated = [url(f"{HOST}/{n}", "<lastmod>2026-11-20</lastmod>") for n in range(200)]
    run = run_of(tmp_path / "run", *dated)
    told = changes(run.path, tmp_path / "repaired")
    assert told == [("", "lastmod left out", 200, "lastmod-identical")]


def test_what_lists_no_address_is_told(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", url(A), url(""), url("/b"), "<url/>")
    told = changes(run.path, tmp_path / "repaired")
    assert sorted(told) == [
        ("", "dropped", 1, "has no loc"),
        ("", "dropped", 1, "has no loc"),
        ("/b", "dropped", 1, "is no address that can be asked for"),
    ]


def test_files_that_were_not_read_are_told(tmp_path: Path) -> None:
    half, cut = f"{HOST}/half.xml", f"{HOST}/cut.xml"
    items: list[Sitemap | Entries] = [
        Sitemap(f"{HOST}/gone.xml", status=404),
        Sitemap(f"{HOST}/late.xml", error=Error.TIMEOUT),
        Sitemap(f"{HOST}/more.xml", error=Error.LIMIT),
        Sitemap(half, status=200, kind=Kind.URLSET, entries=1, complete=False),
        Sitemap(cut, status=200, kind=Kind.URLSET, entries=1, cut=True),
        Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=1),
        *(listed(f"{HOST}/{n}", sitemap=name) for n, name in enumerate((half, cut, SITEMAP))),
    ]
    run = build_run(tmp_path / "run", items)
    into = tmp_path / "repaired"
    repaired = repair(run.path, into, 256, Wishes())
    told = {row["sitemap"].rpartition("/")[2]: (row["change"], row["reason"]) for row in rows(into)}
    assert told == {
        "gone.xml": ("not read", "answers 404"),
        "late.xml": ("not read", "timeout"),
        "more.xml": ("not read", "limit"),
        "half.xml": ("read in part", "the run ended before"),
        "cut.xml": ("read in part", "sitemap-too-large"),
    }
    assert repaired.unread == 5
    assert repaired.entries == 3


def test_hostile_texts_end_in_valid_xml_and_a_harmless_list(tmp_path: Path) -> None:
    hostile = "]]>&<b>\x00\x08\x0b\x1b[31m\ufffe\uffff\x85\u2028😀"
    entries = listed(A, "=cmd|'/C calc'!A0", "\x1b[31m@x")
    video = Video(A + "x", hostile, hostile, uploader=hostile, uploader_info=hostile, tag=[hostile])
    video.content_loc = f"{HOST}/a.mp4"
    entries.rows[0].videos = [video]
    entries.rows[0].news = [News(hostile, "en", "2026-11-21", hostile)]
    entries.rows[0].unknown = ["=1+1"]
    run = build_run(tmp_path / "run", [entries])
    into = tmp_path / "repaired"
    repair(run.path, into, 256, Wishes())
    (title, *_) = texts(into, "title")
    assert title == "]]>&<b>[31m\x85\u2028😀"
    (uploader,) = (each for element in elements(into) for each in element.iter("{*}uploader"))
    assert uploader.get("info") == uploader.text == title
    text = (into / "changes.csv").read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    assert {row["url"] for row in rows(into)} == {A, "'=cmd|'/C calc'!A0", "\ufffd[31m@x"}
    assert not any(
        cell.startswith(("=", "+", "-", "@")) for row in rows(into) for cell in row.values()
    )
