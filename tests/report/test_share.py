"""The share of indexable URLs: one definition, and one sentence wherever it is printed."""

import io
import json
import re
from pathlib import Path

import pytest

from sitemapaudit.report.fleet.page import write_fleet_page
from sitemapaudit.report.fleet.reading import read_fleet
from sitemapaudit.report.fleet.summary import fleet_summary
from sitemapaudit.report.report_page import write_report
from sitemapaudit.report.summary import summary
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.report.wording import describe_share
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.share import Share
from tests.report.markup import text_of
from tests.report.site import make_faulty_run

SENTENCE = (
    "83.3 % of 48 judged URLs are indexable; 2 could not be determined (1 unreachable, 1 denied)."
)


@pytest.mark.parametrize(
    ("verdicts", "unchecked", "sentence"),
    [
        ({"indexable": 9_999, "not-found": 3}, 0, "99.9 % of 10,002 judged URLs are indexable."),
        ({"indexable": 1}, 0, "100.0 % of 1 judged URL is indexable."),
        (
            {"indexable": 2, "noindex": 1, "blocked": 3, "unchecked": 7},
            4,
            (
                "66.6 % of 3 judged URLs are indexable; 7 could not be determined"
                " (4 unchecked, 3 blocked)."
            ),
        ),
        (
            {"denied": 5},
            0,
            (
                "It is unknown whether any listed URL is indexable; 5 could not be determined"
                " (5 denied)."
            ),
        ),
        ({"unchecked": 5}, 0, "It is unknown whether any listed URL is indexable."),
    ],
)
def test_a_share_is_rounded_down_and_names_what_was_not_judged(
    verdicts: dict[str, int], unchecked: int, sentence: str
) -> None:
    share = Share.of(verdicts, unchecked)
    assert describe_share(share).replace("\N{NO-BREAK SPACE}", " ") == sentence
    assert share.percent is None or f"{share.percent:g}" in sentence


def test_urls_that_were_skipped_by_choice_are_counted_apart() -> None:
    share = Share.of({"indexable": 1, "unchecked": 10}, 3)
    assert (share.judged, share.unknown, share.skipped) == (1, 3, 7)


def test_terminal_report_manifest_and_fleet_print_the_same_share(tmp_path: Path) -> None:
    run = make_faulty_run(tmp_path / "www.example.com" / "2026-11-21T12-00-00Z")
    report = write_report(run.path, run.manifest, catalog()).read_text(encoding="utf-8")
    fleet = read_fleet(tmp_path)
    page = write_fleet_page(fleet).read_text(encoding="utf-8")
    console = Terminal(file=io.StringIO())
    console.print(summary(run.path, run.manifest), fleet_summary(fleet), highlight=False)
    assert isinstance(console.file, io.StringIO)
    terminal = console.file.getvalue().replace("\N{NO-BREAK SPACE}", " ")
    assert terminal.count(SENTENCE) == 2
    assert SENTENCE in text_of(report)
    assert SENTENCE in text_of(page)
    # The share of the verdict is the same number.
    assert re.search(r"indexable +40 +83\.3 %", terminal)
    run.manifest.write(run.path)
    assert json.loads((run.path / "run.json").read_bytes())["share"] == {
        "indexable": 40,
        "judged": 48,
        "percent": 83.3,
        "undetermined": {"unreachable": 1, "denied": 1},
        "skipped": 0,
        "bounds": None,
    }
    assert (fleet.sites[0].known, fleet.sites[0].undetermined) == (48, 2)
