"""The files that a repair writes, and its list of changes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lxml import etree
from msgspec.structs import astuple

from sitemapaudit import Run
from sitemapaudit.datasets.refusals import MemoryLimitError
from sitemapaudit.items import Canonical, Entries, Error, Kind, News, Sitemap, Video
from sitemapaudit.repair.forecast import forecast_repair
from sitemapaudit.repair.repairing import RepairOptions, repair
from sitemapaudit.runs.repair_counts import RepairCount
from tests.repair.changes import rows
from tests.rules.entry.extended import image, link, news, video
from tests.rules.sitemap.files import entries_of, read, response, url, urlset
from tests.support.rows import NOW, SITEMAP, fetched_page, listed
from tests.support.runs import build_audited_run

HOST = "https://www.example.com"
A, B, C, D, E, F = (f"{HOST}/{name}" for name in "abcdef")

Change = tuple[str, str, int, str]


def run_of(folder: Path, *entries: str) -> Run:
    """Return a run of a file with these entries, whose pages were not fetched."""
    body = urlset(*entries)
    row = read(response(body), Sitemap(SITEMAP))
    row.fetched_at = NOW
    return build_audited_run(folder, [row, Entries(SITEMAP, entries_of(body))])


def changes(run: Path, into: Path, **options: Any) -> list[Change]:
    """Repair a run, and return its changes without the columns sitemap and replacement."""
    repair(run, into, 256, RepairOptions(**options))
    return [(row["url"], row["change"], int(row["count"]), row["reason"]) for row in rows(into)]


def elements(into: Path) -> Iterator[etree._Element]:
    for file in into.glob("*/*.xml"):
        yield from etree.parse(file).iter("{*}url")


def texts(into: Path, name: str) -> list[str | None]:
    """Return the texts of all written elements with a name."""
    return [each.text for element in elements(into) for each in element.iter(f"{{*}}{name}")]


def test_a_valid_entry_is_not_changed(tmp_path: Path) -> None:
    films = [video(), video(title="B")]
    whole = "".join([image(), image(f"{HOST}/b.png"), *films, news()])
    values = (
        "<lastmod>2026-11-20T10:00:00+01:00</lastmod><changefreq>Daily</changefreq>"
        "<priority> 0.5 </priority>"
    )
    both = link(hreflang="de", href=A) + link(hreflang="en", href=B)
    run = run_of(tmp_path / "run", url(A, values + whole + both), url(B, both))
    into = tmp_path / "new" / "repaired"
    assert changes(run.path, into) == []
    assert [len(texts(into, name)) for name in ("image", "video", "news", "link")] == [2, 2, 1, 4]
    assert texts(into, "lastmod") == ["2026-11-20T09:00:00Z"]
    assert texts(into, "changefreq") == ["daily"]
    assert texts(into, "priority") == ["0.5"]


def test_identical_lastmods_have_one_row(tmp_path: Path) -> None:
    dated = [url(f"{HOST}/{n}", "<lastmod>2026-11-20</lastmod>") for n in range(200)]
    run = run_of(tmp_path / "run", *dated)
    assert changes(run.path, tmp_path / "repaired") == [
        ("", "lastmod removed", 200, "lastmod-identical")
    ]


def test_files_that_were_not_read_completely_are_listed(tmp_path: Path) -> None:
    half, large = f"{HOST}/half.xml", f"{HOST}/large.xml"
    items: list[Sitemap | Entries] = [
        Sitemap(f"{HOST}/gone.xml", status=404),
        Sitemap(f"{HOST}/late.xml", error=Error.TIMEOUT),
        Sitemap(f"{HOST}/more.xml", error=Error.LIMIT),
        Sitemap(half, status=200, kind=Kind.URLSET, entries=1, complete=False),
        Sitemap(large, status=200, kind=Kind.URLSET, entries=1, truncated=True),
        Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=1),
        *(listed(f"{HOST}/{n}", sitemap=name) for n, name in enumerate((half, large, SITEMAP))),
    ]
    run = build_audited_run(tmp_path / "run", items)
    into = tmp_path / "repaired"
    repaired = repair(run.path, into, 256, RepairOptions())
    reasons = {
        row["sitemap"].rpartition("/")[2]: (row["change"], row["reason"]) for row in rows(into)
    }
    assert [*reasons.items()] == [
        ("gone.xml", ("unreadable", "status 404")),
        ("half.xml", ("partly read", "the run ended while reading it")),
        ("large.xml", ("partly read", "sitemap-too-large")),
        ("late.xml", ("unreadable", "timeout")),
        ("more.xml", ("unreadable", "limit")),
    ]
    assert repaired.unread_sitemaps == 5
    assert repaired.entries == 3


def test_hostile_texts_give_valid_xml_and_a_harmless_csv_file(tmp_path: Path) -> None:
    hostile = "]]>&<b>\x00\x08\x0b\x1b[31m\ufffe\uffff\x85\u2028😀"
    entries = listed(A, "=cmd|'/C calc'!A0", "\x1b[31m@x")
    video = Video(A + "x", hostile, hostile, uploader=hostile, uploader_info=hostile, tag=[hostile])
    video.content_loc = f"{HOST}/a.mp4"
    entries.rows[0].videos = [video]
    entries.rows[0].news = [News(hostile, "en", "2026-11-21", hostile)]
    entries.rows[0].unknown_elements = ["=1+1"]
    run = build_audited_run(tmp_path / "run", [entries])
    into = tmp_path / "repaired"
    repair(run.path, into, 256, RepairOptions())
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


def test_a_repair_that_fails_empties_the_folder(tmp_path: Path) -> None:
    """A new folder is removed."""
    run = run_of(tmp_path / "run", url(A))
    (tmp_path / "old" / "changes.csv").mkdir(parents=True)
    with pytest.raises(duckdb.IOException, match=r"changes\.csv"):
        repair(run.path, tmp_path / "old", 256, RepairOptions())
    assert [*(tmp_path / "old").iterdir()] == []
    with pytest.raises(MemoryLimitError, match=r"^Repairing needs more than"):
        repair(run.path, tmp_path / "new", 1, RepairOptions())
    assert not (tmp_path / "new").exists()


def test_without_options_nothing_more_is_done() -> None:
    assert not any(astuple(RepairOptions()))


def test_the_forecast_has_the_figures_of_the_repair(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    others = (B, C, D, E, F, "/relative")
    body = urlset(url(A, "<lastmod>2027-01-01</lastmod>"), *map(url, others))
    pages = [
        # An error that only a strict repair heeds.
        fetched_page(A, noindex=False, canonicals=[Canonical("tag", to, to) for to in (A, B)]),
        fetched_page(B, 301, target=A),
        fetched_page(C, noindex=True),
        fetched_page(D, 404),
        fetched_page(E, noindex=True),
        fetched_page(F, 503),
    ]
    row = read(response(body), Sitemap(SITEMAP))
    run = build_audited_run(tmp_path / "run", [row, Entries(SITEMAP, entries_of(body)), *pages])
    forecast_repair(run.path, 4, run.manifest)
    assert "Counting repairs needs more than 4 MB of memory" in caplog.text
    counts = {"dropped": 3, "listed": 6, "replaced": 1, "without_url": 1}
    assert [*run.manifest.repairs.items()] == [*counts.items()]
    assert run.manifest.repairs_by_verdict == [
        RepairCount("noindex", "dropped", 2, 1, C, {"page-not-html": 2}),
        RepairCount("not-found", "dropped", 1, 1, D, {"page-not-found": 1}),
        RepairCount("redirected", "replaced", 1, 1, B, {"page-redirect-permanent": 1}),
    ]
    repaired = repair(run.path, tmp_path / "repaired", 256, RepairOptions())
    expected = [("dropped", 4), ("lastmod removed", 1), ("replaced", 1)]
    assert [*repaired.changes.items()] == expected
    assert [row["url"] for row in rows(tmp_path / "repaired")] == ["/relative", A, B, C, D, E]
