"""A baseline knows places: each as often as it was found, whatever their order, lines and hosts."""

import json
from pathlib import Path

import pytest

from sitemapaudit.gating.baseline import Baseline, BaselineMatcher
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.gating.runs import SITE, finding, make_run
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run

RULE = "canonical-missing"


def new(known: Baseline, *found: GateFinding) -> list[GateFinding]:
    """Return the findings that a baseline does not know."""
    matcher = BaselineMatcher(known)
    return [each for each in found if not matcher.knows(each)]


def stale(known: Baseline, *found: GateFinding) -> dict[str, int]:
    """Return what a baseline knows and nobody finds any more."""
    matcher = BaselineMatcher(known)
    for each in found:
        matcher.knows(each)
    return matcher.stale(["page-not-found", "x"])


def run_without_canonicals(folder: Path, number: int) -> Path:
    """Return a run where this many pages have a fault of their template."""
    names = [f"{SITE}/{each:03}" for each in range(number)]
    entries = listed(*names)
    sitemap = sitemap_of(entries)
    sitemap.namespace = NAMESPACE
    pages = [fetched_page(url, is_html=True, noindex=False, bytes=9) for url in names]
    return build_audited_run(folder, [sitemap, entries, *pages]).path


def test_it_holds_for_another_host_and_line() -> None:
    live = finding(url=f"{SITE}/b")
    staging = finding(url="http://127.0.0.1:8000/b", line=7)
    assert new(Baseline.of([live]), staging) == []


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    known = Baseline.of(read_findings(make_run(tmp_path)), named=1, hashed=2)
    file = tmp_path / "known.json"
    file.write_text(known.text())
    assert Baseline.read(file) == known
    assert known.hashes
    assert list(json.loads(known.text())["rules"]) == sorted([*known.places, *known.hashes])
    assert "example.com" not in known.text()


def test_a_place_is_known_as_often_as_it_was_found() -> None:
    twice = Baseline.of([finding("loc-missing"), finding("loc-missing")])
    again = [finding("loc-missing", line=line) for line in (3, 4, 5)]
    assert new(twice, *again) == again[2:]


@pytest.mark.parametrize("hashed", [30, 29])
def test_of_many_places_hashes_are_known_and_of_very_many_the_number(hashed: int) -> None:
    many = [finding(place=f"/{number}") for number in range(30)]
    known = Baseline.of(many, named=20, hashed=hashed)
    (content,) = json.loads(known.text())["rules"].values()
    assert content.keys() == ({"count", "hashes"} if hashed == 30 else {"count"})
    assert content["count"] == 30
    assert new(known, *many) == []
    assert new(known, *many, finding(place="/more")) == [finding(place="/more")]
    assert stale(known) == {"page-not-found": 30}
    other = [*many[1:], finding(place="/more")]
    assert new(known, *other) == ([other[-1]] if hashed == 30 else [])


def test_stale_places_are_those_of_rules_that_were_checked() -> None:
    known = Baseline.of([finding(), finding(place="/c"), finding("not-checked")])
    assert stale(known, finding()) == {"page-not-found": 1}
    assert stale(known, finding(), finding(place="/c")) == {}


MERGED = ((150, 90, 0), (90, 150, 60), (150, 170, 20))


@pytest.mark.parametrize(("before", "after", "more"), MERGED)
def test_merged_findings_are_compared_one_by_one(
    tmp_path: Path, before: int, after: int, more: int
) -> None:
    known = Baseline.of(read_findings(run_without_canonicals(tmp_path / "1", before)))
    found = [*read_findings(run_without_canonicals(tmp_path / "2", after))]
    assert sum(each.rule == RULE for each in found) == after
    assert sum(each.rule == RULE for each in new(known, *found)) == more
