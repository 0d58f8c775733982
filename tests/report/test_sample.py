"""Everything that prints the share of a sampled run prints it with its bounds."""

import io
from pathlib import Path

import pytest

from sitemapaudit.datasets.run import Run
from sitemapaudit.report.report_page import write_report
from sitemapaudit.report.summary import summary
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.report.wording import describe_bounds, describe_share
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.sample import Bounds, Sample
from sitemapaudit.runs.share import Share
from tests.report.markup import text_of
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

HOST = "https://www.example.com"


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    locs = [f"{HOST}/shop/{number}.html" for number in range(400)]
    pages = [fetched_page(url, 404 if url.endswith("0.html") else 200) for url in locs]
    return build_run(tmp_path / "run", [listed(*locs), *pages], pages=200)


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(0.9319, 0.90871, 0.94921), "93.1 % (90.8 to 95.0 %)"),
        (Bounds(0.0, 0.0, 0.0004), "0.0 % (0.0 to 0.1 %)"),
        (Bounds(1.0, 1.0, 1.0), "100.0 % (100.0 to 100.0 %)"),
        (Bounds(None, 0.0, 1.0), "unknown (0.0 to 100.0 %)"),
    ],
)
def test_bounds_are_rounded_outward(bounds: Bounds, text: str) -> None:
    assert plain(describe_bounds(bounds)) == text


@pytest.mark.parametrize(
    ("margin", "omitted", "ending"),
    [
        (None, 0, ""),
        (None, 3, ""),
        ("±3%", 0, ", enough for ±3%"),
        ("±3%", 3, ", enough for ±3%"),
        ("±2%", 0, ", enough for ±2% except for unknown pages"),
        ("±2%", 3, ", too few for ±2%"),
    ],
)
def test_a_sample_that_grew_says_whether_it_was_enough(
    margin: str | None, omitted: int, ending: str
) -> None:
    sample = Sample(500, 9_000, margin, {"indexable": Bounds(0.93, 0.9, 0.955)}, omitted=omitted)
    share = Share(465, 500, sample=sample)
    assert plain(describe_share(share)) == (
        f"indexable: 93.0 % (90.0 to 95.5 %) of 9,000 URLs, from a sample of 500{ending}."
    )


def test_terminal_and_reports_print_the_same_bounds(run: Run) -> None:
    bounds = run.manifest.share.bounds
    assert bounds is not None
    text = f"indexable: {plain(describe_bounds(bounds))} of 400 URLs, from a sample of 200."
    page = write_report(run.path, run.manifest, catalog())
    console = Terminal(file=io.StringIO())
    console.print(summary(run.path, run.manifest), highlight=False)
    assert isinstance(console.file, io.StringIO)
    assert text in plain(console.file.getvalue())
    assert text in plain(text_of(page.read_text(encoding="utf-8")))
    markdown = plain((run.path / "report.md").read_text(encoding="utf-8"))
    assert text in markdown
    assert f"| {plain(describe_bounds(bounds))} |" in markdown


def test_bars_have_whiskers_from_low_to_high(run: Run) -> None:
    page = write_report(run.path, run.manifest, catalog()).read_text(encoding="utf-8")
    bounds = run.manifest.share.bounds
    assert bounds is not None
    ends = f'x1="{100 * bounds.low:.3f}%" y1="25" x2="{100 * bounds.high:.3f}%" y2="25"'
    assert f'class="whisker" {ends}' in page
    for chart in ("share-bounds", "verdict-bounds", "template-bounds", "sitemap-bounds"):
        assert f'data-chart="{chart}"' in page
    assert "www.example.com/shop/*.html" in page


def test_a_run_without_a_sample_has_no_whiskers(tmp_path: Path) -> None:
    page = fetched_page(f"{HOST}/1", 200)
    run = build_run(tmp_path, [listed(page.url), page])
    html = write_report(run.path, run.manifest, catalog()).read_text(encoding="utf-8")
    assert 'id="sample"' not in html
    assert 'class="whisker"' not in html


def test_a_sample_that_was_not_fetched_has_no_bounds(tmp_path: Path) -> None:
    locs = [f"{HOST}/{number}" for number in range(400)]
    pages = [fetched_page(url, 200) for url in locs[:350]]
    run = build_run(tmp_path / "run", [listed(*locs), *pages], pages=200)
    assert run.manifest.share.bounds is None
    assert run.estimates.empty
    write_report(run.path, run.manifest, catalog())
    markdown = (run.path / "report.md").read_text(encoding="utf-8")
    assert "The sample is not random, so no bounds are given: " in markdown
    assert "of 200 drawn URLs were not fetched." in markdown


def test_a_shard_and_a_stopped_run_have_no_bounds(tmp_path: Path) -> None:
    locs = [f"{HOST}/{number}" for number in range(400)]
    pages = [fetched_page(url, 200) for url in locs]
    shard = build_run(tmp_path / "shard", [listed(*locs), *pages], pages=200, shard="1/2")
    stopped = build_run(tmp_path / "stopped", [listed(*locs), *pages], pages=200, reason="shutdown")
    for run in (shard, stopped):
        assert run.manifest.share.bounds is None
        assert run.estimates.empty


def test_a_sample_of_all_pages_estimates_nothing(tmp_path: Path) -> None:
    page = fetched_page(f"{HOST}/1", 200)
    run = build_run(tmp_path, [listed(page.url), page], pages=7)
    assert run.manifest.share.bounds is None
    assert describe_share(run.manifest.share).startswith("100")
    assert not run.estimates.empty
