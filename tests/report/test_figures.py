"""Numbers, words and charts, apart from the page."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.datasets.database import connect, view_tables
from sitemapaudit.items import Entries, Entry, Kind
from sitemapaudit.report.charts import plain
from sitemapaudit.report.embedding import cut, embedded, within
from sitemapaudit.report.figures import BUCKETS, Figures, figures
from sitemapaudit.report.libraries import libraries
from sitemapaudit.report.sitemaps import File, Files
from sitemapaudit.report.treemap import SHADES, shade, treemap
from sitemapaudit.report.wording import counted, percent, seconds
from tests.report.site import ELSEWHERE, SITE, faulty
from tests.support import SITEMAP, build_run

NARROW = "\N{NO-BREAK SPACE}"


def counted_in(run: Path) -> Figures:
    with connect() as connection:
        view_tables(connection, run)
        return figures(connection, "2026-11-21T12:00:00Z")


def dated(folder: Path, *days: str) -> Figures:
    rows = [
        Entry(
            SITEMAP,
            at,
            Kind.URLSET,
            f"{SITE}/{at}",
            f"{SITE}/{at}",
            lastmod_at=datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None,
        )
        for at, day in enumerate(days)
    ]
    return counted_in(build_run(folder, [Entries(SITEMAP, rows)]).path)


@pytest.mark.parametrize(
    ("days", "unit", "first"),
    [
        (["2026-10-02", "2026-11-01"], "day", "2026-10-02"),
        (["2024-03-05", "2026-11-01"], "month", "2024-03-01"),
        (["1999-03-05", "2026-11-01"], "year", "1999-01-01"),
    ],
)
def test_lastmods_are_counted_by_a_fitting_unit(
    tmp_path: Path, days: list[str], unit: str, first: str
) -> None:
    lastmods = dated(tmp_path, *days).lastmods
    assert lastmods.unit == unit
    assert lastmods.counts[0].name == first
    assert sum(each.number for each in lastmods.counts) == 2


def test_lastmods_that_are_odd_are_counted_apart(tmp_path: Path) -> None:
    lastmods = dated(tmp_path, "", "9999-12-31", "2026-11-01", "2026-11-02").lastmods
    assert (lastmods.missing, lastmods.future, len(lastmods.counts)) == (1, 1, 2)


def test_years_that_nobody_can_see_are_summed_up(tmp_path: Path) -> None:
    years = [f"{year:04}-01-01" for year in range(1800, 2026)]
    lastmods = dated(tmp_path, *years).lastmods
    assert len(lastmods.counts) == BUCKETS
    assert lastmods.earlier == len(years) - BUCKETS


def test_answers_redirects_and_times(tmp_path: Path) -> None:
    counts = counted_in(faulty(tmp_path).path)
    answers = {each.name: each.number for each in counts.statuses}
    assert answers == {"200": 42, "301": 3, "403": 1, "404": 3, "timeout": 1}
    assert (counts.targets[0].url, counts.targets[0].number) == (ELSEWHERE, 2)
    assert counts.target_number == 2
    assert counts.times.counts[0].name == "under 0.1"
    assert sum(each.number for each in counts.times.counts) == 43
    assert counts.times.slowest[0] == (f"{SITE}/good/39", 1.95)


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0, "0 %"),
        (0.000_01, "under 0.1 %"),
        (0.5, "50 %"),
        (1 / 3, "33.3 %"),
        (0.999_99, "over 99.9 %"),
        (1, "100 %"),
    ],
)
def test_a_share_says_all_and_nothing_only_where_that_is_so(share: float, said: str) -> None:
    assert percent(share) == said.replace(" %", f"{NARROW}%")


def test_times_and_numbers_as_people_read_them() -> None:
    assert [seconds(time) for time in (0.0001, 0.25, 3)] == [
        f"1{NARROW}ms",
        f"250{NARROW}ms",
        f"3.00{NARROW}s",
    ]
    assert [counted(number, "URL") for number in (0, 1, 1200)] == ["0 URLs", "1 URL", "1,200 URLs"]


def test_texts_are_cut_and_tell_it() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"


def test_data_cannot_end_its_script() -> None:
    assert embedded(["</script>", "<!--", "\u2028"]) == (
        '["\\u003c/script>","\\u003c!--","\u2028"]'
    )


def test_rows_are_kept_up_to_their_budget() -> None:
    assert within(["a" * 10] * 10, 30) == ["a" * 10] * 2
    assert within(["a" * 10] * 10, 1) == ["a" * 10]
    assert within(["ä<"] * 9, 24) == ["ä<"] * 2


def test_a_label_of_the_site_is_no_markup_of_a_chart() -> None:
    assert plain("<b>&amp;") == "&lt;b&gt;&amp;amp;"


def file(name: str, parent: str | None = None, **numbers: Any) -> File:
    values = {"urls": 10, "asked": 10, "good": 10, "bad": 0, "findings": 0} | numbers
    return File(name, parent, "urlset", 200, None, 10, **values)


def test_a_treemap_has_a_node_for_each_file_and_index() -> None:
    chart = treemap(Files((file("https://e/a", "https://e/i", bad=5), file("https://e/b")), 2))
    assert chart is not None
    [data] = chart.data
    assert data["labels"] == ["all sitemaps", "i", "a", "b"]
    assert data["ids"] == ["0", "1", "2", "3"]
    assert data["parents"] == ["", "0", "1", "0"]
    assert data["values"] == [0, 0, 10, 10]
    assert data["text"][2] == f"10 URLs, 33.3{NARROW}% bad"
    assert "https://e/a" in chart.label


def test_indexes_in_a_circle_end_somewhere() -> None:
    chart = treemap(Files((file("a", "b"), file("b", "a"), file("c", "a")), 3))
    assert chart is not None
    assert set(chart.data[0]["parents"]) == {"", "0"}


def test_many_files_are_drawn_as_one() -> None:
    many = tuple(file(f"{number}", "index", bad=number == 0) for number in range(300))
    chart = treemap(Files(many, 300))
    assert chart is not None
    [data] = chart.data
    assert len(data["ids"]) == len(set(data["ids"])) == 253
    assert data["labels"][-1] == "50 other sitemaps"
    assert sum(data["values"]) == 3_000
    assert set(data["parents"]) <= {"", *data["ids"]}


def test_one_file_needs_no_treemap() -> None:
    assert treemap(Files((file("a"),), 1)) is None


def test_a_shade_goes_up_to_its_limit() -> None:
    assert [shade(share) for share in (None, 0, 0.01, 0.02, 0.25, 1.0)] == [
        "--shade-unknown",
        *(f"--shade-{at}" for at in (0, 1, 2, 3, 4)),
    ]
    assert SHADES[-1][0] == 1


def test_the_libraries_cannot_end_their_scripts() -> None:
    library = libraries()
    for script in (library.plotly, library.datatables):
        assert "<script" not in script.lower()
        assert "</script" not in script.lower()
        assert "<!--" not in script
        assert "\r" not in script
    assert "window.DataTable = " in library.datatables
    assert not re.search(r"\bexport ?\{", library.datatables)
    assert "</style" not in library.css.lower()
