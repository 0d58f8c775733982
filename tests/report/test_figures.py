"""Figures, wording and charts, without the page."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.datasets.database import connect, create_table_views
from sitemapaudit.items import Entries, Entry, Error, Kind, Role
from sitemapaudit.numbers import count_noun, percent, seconds
from sitemapaudit.report.charts.svg import mark, titled
from sitemapaudit.report.charts.tiling import Area, tile
from sitemapaudit.report.charts.treemap import SHADES, Node, build_nodes, build_treemap, find_shade
from sitemapaudit.report.embedding import embedded, shorten, within
from sitemapaudit.report.figures import MAX_PERIODS, Figures, count_figures
from sitemapaudit.report.sitemap_files import File, Files
from tests.pages.responses import failed, page_of
from tests.report.site import ELSEWHERE, SITE, make_faulty_run
from tests.rules.tables import fill_tables, insert, transaction
from tests.support.rows import SITEMAP, listed
from tests.support.runs import build_audited_run

SPACE = "\N{NO-BREAK SPACE}"


def figures_of(run: Path) -> Figures:
    with connect() as connection:
        create_table_views(connection, run)
        return count_figures(connection, "2026-11-21T12:00:00Z")


def test_percentiles_of_response_times_by_sitemap() -> None:
    one, two = f"{SITE}/1.xml", f"{SITE}/2.xml"
    locs = [f"{SITE}/{number}" for number in range(1, 101)]
    pages = [page_of("x", at=loc, elapsed=number / 10) for number, loc in enumerate(locs, start=1)]
    other = page_of("x", at=f"{SITE}/target", elapsed=99, role=Role.REDIRECT)
    dead = failed(Error.TIMEOUT, at=f"{SITE}/dead")
    with transaction() as connection:
        entries = [listed(*locs, dead.url, sitemap=one), listed(*locs[:10], sitemap=two)]
        insert(connection, [*entries, *pages, other, dead], None)
        fill_tables(connection, {"urls"})
        times = count_figures(connection, "2026-11-21T12:00:00Z").times
    assert times.overall is not None
    assert times.overall.pages == 100
    assert times.overall.values == pytest.approx((5, 7.5, 9.5, 9.9), abs=0.1)
    assert [(each.sitemap, each.pages) for each in times.sitemaps] == [(one, 100), (two, 10)]
    assert times.sitemaps[1].values == pytest.approx((0.5, 0.75, 0.95, 0.99), abs=0.1)
    assert times.slowest[0] == (locs[-1], 10)


def figures_of_dates(folder: Path, *days: str) -> Figures:
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
    return figures_of(build_audited_run(folder, [Entries(SITEMAP, rows)]).path)


@pytest.mark.parametrize(
    ("days", "unit", "first"),
    [
        (["2026-10-02", "2026-11-01"], "day", "2026-10-02"),
        (["2024-03-05", "2026-11-01"], "month", "2024-03-01"),
        (["1999-03-05", "2026-11-01"], "year", "1999-01-01"),
    ],
)
def test_lastmods_are_counted_by_a_unit_that_fits_their_span(
    tmp_path: Path, days: list[str], unit: str, first: str
) -> None:
    lastmods = figures_of_dates(tmp_path, *days).lastmods
    assert lastmods.unit == unit
    assert lastmods.counts[0].name == first
    assert sum(each.count for each in lastmods.counts) == 2


def test_a_few_lastmods_long_ago_do_not_change_the_unit(tmp_path: Path) -> None:
    days = ["1969-12-31T23:30:00", *["2026-11-01"] * 50, *["2026-11-02"] * 49]
    lastmods = figures_of_dates(tmp_path, *days).lastmods
    assert lastmods.unit == "day"
    assert [(each.name, each.count) for each in lastmods.counts] == [
        ("1969-12-31", 1),
        ("2026-11-01", 50),
        ("2026-11-02", 49),
    ]


def test_missing_and_future_lastmods_are_counted_separately(tmp_path: Path) -> None:
    lastmods = figures_of_dates(tmp_path, "", "9999-12-31", "2026-11-01", "2026-11-02").lastmods
    assert (lastmods.missing, lastmods.future, len(lastmods.counts)) == (1, 1, 2)


def test_years_before_the_chart_are_summed(tmp_path: Path) -> None:
    years = [f"{year:04}-01-01" for year in range(1800, 2026)]
    lastmods = figures_of_dates(tmp_path, *years).lastmods
    assert len(lastmods.counts) == MAX_PERIODS
    assert lastmods.earlier == len(years) - MAX_PERIODS


def test_responses_redirects_and_times_are_counted(tmp_path: Path) -> None:
    figures = figures_of(make_faulty_run(tmp_path).path)
    responses = {each.name: each.count for each in figures.statuses}
    assert responses == {"200": 42, "301": 3, "403": 1, "404": 3, "timeout": 1}
    assert (figures.targets[0].url, figures.targets[0].count) == (ELSEWHERE, 2)
    assert figures.target_count == 2
    assert figures.times.counts[0].name == "under 0.1"
    assert sum(each.count for each in figures.times.counts) == 43
    assert figures.times.slowest[0] == (f"{SITE}/good/39", 1.95)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0.0 %"),
        (0.000_01, "under 0.1 %"),
        (0.5, "50.0 %"),
        (2 / 3, "66.6 %"),
        (0.57, "57.0 %"),
        (0.0019, "0.1 %"),
        (0.999_99, "99.9 %"),
        (1, "100.0 %"),
    ],
)
def test_only_0_gives_0_percent_and_only_1_gives_100_percent(share: float, text: str) -> None:
    assert percent(share) == text.replace(" %", f"{SPACE}%")


def test_durations_and_counts_have_units() -> None:
    assert [seconds(time) for time in (0.0001, 0.25, 3)] == [
        f"1{SPACE}ms",
        f"250{SPACE}ms",
        f"3.00{SPACE}s",
    ]
    assert [count_noun(number, "URL") for number in (0, 1, 1200)] == [
        "0 URLs",
        "1 URL",
        "1,200 URLs",
    ]


def test_the_middle_of_long_texts_is_omitted() -> None:
    assert shorten("abc", 3) == "abc"
    assert [shorten("abcd", width) for width in (1, 2, 3)] == ["…", "a…", "a…d"]
    message = f"redirects to https://www.example.com/{'long/' * 99}, which returns 404"
    assert shorten(message).endswith(", which returns 404")
    assert len(shorten(message)) == 300


def test_embedded_data_cannot_end_its_script() -> None:
    assert embedded(["</script>", "<!--", "\u2028"]) == (
        '["\\u003c/script>","\\u003c!--","\u2028"]'
    )


def test_rows_are_kept_up_to_their_budget() -> None:
    assert within(["a" * 10] * 10, 30) == ["a" * 10] * 2
    assert within(["a" * 10] * 10, 1) == ["a" * 10]
    assert within(["ä<"] * 9, 24) == ["ä<"] * 2


def test_a_text_from_the_site_is_escaped_in_charts() -> None:
    assert titled("<b>&amp;", mark("text", '"x"', id='"')) == (
        '<g><title>&lt;b&gt;&amp;amp;</title><text id="&#34;">&#34;x&#34;</text></g>'
    )


def file(name: str, parent: str | None = None, **numbers: Any) -> File:
    values = {"urls": 10, "selected": 10, "good": 10, "bad": 0, "findings": 0} | numbers
    return File(name, parent, "urlset", 200, None, 10, **values)


def nodes_of(files: tuple[File, ...]) -> list[Node]:
    """Return the nodes that are drawn, each below the one of its index."""
    chart = build_treemap(Files(files, len(files)))
    assert chart is not None
    parents = {each.sitemap: each.parent for each in files if each.parent}
    nodes = build_nodes([*files], [*files], parents, {each.sitemap: each.urls for each in files})
    return [node for below in nodes.values() for node in below]


def test_a_treemap_has_a_node_for_each_file_and_index() -> None:
    files = (file("https://e/a", "https://e/i", bad=5), file("https://e/b"))
    nodes = {node.label: node for node in nodes_of(files)}
    assert {name: (node.parent, node.value) for name, node in nodes.items()} == {
        "i": ("", 10),
        "a": ("https://e/i", 10),
        "b": ("", 10),
    }
    assert nodes["a"].text == f"10 URLs, 33.3{SPACE}% bad"
    chart = build_treemap(Files(files, 2))
    assert chart is not None
    assert "https://e/a" in chart.label
    assert 'href="#sitemap=https%3A%2F%2Fe%2Fa"' in chart.marks


def test_files_in_a_cycle_of_indexes_are_placed_at_the_root() -> None:
    chart = build_treemap(Files((file("a", "b"), file("b", "a"), file("c", "a")), 3))
    assert chart is not None
    assert chart.marks.count("<rect") == 3


def test_files_beyond_the_limit_share_one_area() -> None:
    many = tuple(file(f"{number}", "index", bad=number == 0) for number in range(300))
    chart = build_treemap(Files(many, 300))
    assert chart is not None
    assert chart.marks.count("<rect") == 252
    assert "50 other sitemaps: 500 URLs" in chart.marks


@pytest.mark.parametrize("sizes", [[1], [6, 6, 4, 3, 2, 2, 1], [1000, 1, 1], [5] * 40])
def test_areas_are_in_proportion_and_fill_their_rectangle(sizes: list[float]) -> None:
    areas = tile(sizes, Area(10, 20, 300, 100))
    assert [area.width * area.height for area in areas] == pytest.approx(
        [30_000 * size / sum(sizes) for size in sizes]
    )
    assert all(area.x >= 10 and area.y >= 20 for area in areas)
    assert max(area.x + area.width for area in areas) == pytest.approx(310)
    assert max(area.y + area.height for area in areas) == pytest.approx(120)


def test_a_single_file_has_no_treemap() -> None:
    assert build_treemap(Files((file("a"),), 1)) is None


def test_a_share_at_the_limit_of_a_shade_has_that_shade() -> None:
    assert [find_shade(share) for share in (None, 0, 0.01, 0.02, 0.25, 1.0)] == [
        "shade-unknown",
        *(f"shade-{at}" for at in (0, 1, 2, 3, 4)),
    ]
    assert SHADES[-1][0] == 1
