"""What several shards know of the same thing is there once: whose word counts."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.ledger import count_lines, ledger_file
from sitemapaudit.datasets.merging import merge
from sitemapaudit.items import (
    Entries,
    Error,
    Kind,
    LeftOut,
    Page,
    Permission,
    Reason,
    Rendering,
    Robots,
    Role,
    Sitemap,
)
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.sharding import Shard
from tests.sharding.worker import Item, held, seen_by, write_ledger
from tests.support import NO_RULES, NOW, SITEMAP, answered, build_run, listed, rendered

ONE, TWO = SHARDS = Shard(1, 2), Shard(2, 2)
A, B = held(ONE, 5), held(TWO, 5)
RULES = {"loc-not-absolute"}
"""The rules that rows are judged by when they are merged."""

TARGET = "https://www.example.com/target"


def together(folder: Path, *ledgers: Sequence[Any]) -> Run:
    """Return the run that is made of what each shard wrote down."""
    runs = {}
    for shard, items in zip(SHARDS, ledgers, strict=True):
        runs[shard] = folder / str(shard.index)
        seen = [seen_by(shard, item) if isinstance(item, Entries) else item for item in items]
        write_ledger(runs[shard], seen)
    return built(runs, folder / "merged")


def built(runs: dict[Shard, Path], into: Path) -> Run:
    """Merge ledgers, and build the tables."""
    merge(runs, into, Audit(dict.fromkeys(catalogue().keys() - RULES, "off")))
    return build_run(into, [], rules=NO_RULES)


def of_sitemap(number: int, **values: object) -> Sitemap:
    return Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=number, fetched_at=NOW, **values)  # type: ignore[arg-type]


def test_no_url_is_left_out_that_a_shard_took(tmp_path: Path) -> None:
    items = [of_sitemap(4), listed(A[0], B[0], A[1], B[1])]
    run = together(
        tmp_path,
        [*items, *map(answered, A[:2])],
        [*items, *map(answered, B[:2])],
    )
    assert run.urls["left_out"].isna().all()
    assert set(run.urls["verdict"]) == {"indexable"}
    assert run.entries["position"].tolist() == [1, 2, 3, 4]
    assert run.manifest.unchecked == 0


def test_findings_are_there_once(tmp_path: Path) -> None:
    items = [of_sitemap(2), listed(A[0], "not an address")]
    run = together(tmp_path, items, items)
    assert run.findings["rule"].tolist() == ["loc-not-absolute"]


def test_of_a_sitemap_that_changes_each_shard_has_the_word_on_its_urls(tmp_path: Path) -> None:
    first = [of_sitemap(3), listed(A[0], B[0], A[1]), *map(answered, A[:2])]
    second = [of_sitemap(3), listed(A[0], B[1], B[2]), *map(answered, B[1:3])]
    run = together(tmp_path, first, second)
    assert set(run.urls["url"]) == {A[0], A[1], B[1], B[2]}
    assert set(run.urls["verdict"]) == {"indexable"}
    assert len(run.sitemaps) == 1


@pytest.mark.parametrize(
    "reading",
    [
        [of_sitemap(0, error=Error.TIMEOUT)],
        [Sitemap(SITEMAP, status=503, kind=Kind.UNKNOWN)],
        [Sitemap(SITEMAP, status=200, kind=Kind.HTML)],
        [of_sitemap(0, complete=False), listed(A[0])],
        [of_sitemap(2), listed(A[0])],
        [],
    ],
    ids=["timeout", "503", "challenge", "cut short", "entries lost", "not asked for"],
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_best_reading_stands_for_a_shard_that_could_not_read(
    tmp_path: Path, reading: list[Item], order: int
) -> None:
    whole = [of_sitemap(4), listed(A[0], B[0], A[1], B[1])]
    own, others = (A, B) if order == 1 else (B, A)
    good = [*whole, *map(answered, own[:2])]
    run = together(tmp_path, *((good, reading) if order == 1 else (reading, good)))
    assert (run.sitemaps["entries"].tolist(), len(run.entries)) == ([4], 4)
    verdicts = dict(zip(run.urls["url"], run.urls["verdict"], strict=True))
    assert verdicts == dict.fromkeys(own[:2], "indexable") | dict.fromkeys(others[:2], "unchecked")
    # It was to be asked for: nobody chose to leave it out.
    assert run.urls["left_out"].isna().all()
    assert run.manifest.unchecked == 2


def test_the_first_of_equal_readings_counts(tmp_path: Path) -> None:
    first, second = of_sitemap(0, bytes=1), of_sitemap(0, bytes=2)
    assert together(tmp_path, [first], [second]).sitemaps["bytes"].tolist() == [1]


@pytest.mark.parametrize("order", [1, -1])
def test_a_robots_txt_that_spoke_counts(tmp_path: Path, order: int) -> None:
    good = Robots("https://www.example.com", "", permission=Permission.RULES, text="good")
    for number, bad in enumerate(
        [
            Robots(good.site, "", permission=Permission.UNREACHABLE, error=Error.TIMEOUT),
            Robots(good.site, "", permission=Permission.NONE, status=503),
        ]
    ):
        run = together(tmp_path / str(number), *[[good], [bad]][::order])
        assert run.robots["text"].tolist() == ["good"]


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ([answered(TARGET, 200, role=Role.REDIRECT)], [], 200),
        ([], [answered(TARGET, 200, role=Role.CANONICAL)], 200),
        # Of two the first, unless only the other was answered.
        (
            [answered(B[4], 200, role=Role.REDIRECT)],
            [answered(B[4], 404, role=Role.CANONICAL)],
            404,
        ),
        ([answered(A[4], 200)], [answered(A[4], 503, role=Role.REDIRECT)], 200),
        ([answered(A[4], None, error=Error.TIMEOUT)], [answered(A[4], role=Role.REDIRECT)], None),
    ],
)
def test_a_page_that_several_shards_asked_for_is_there_once(
    tmp_path: Path, first: list[Page], second: list[Page], status: int | None
) -> None:
    run = together(tmp_path, first, second)
    assert run.pages["status"].astype(object).where(run.pages["status"].notna(), None).tolist() == [
        status
    ]


def test_of_targets_that_no_shard_holds_the_first_that_was_answered_counts(tmp_path: Path) -> None:
    three = [Shard(index, 3) for index in (1, 2, 3)]
    url = held(three[2], 1)[0]
    for number, (statuses, expected) in enumerate(
        [((None, 404), 404), ((404, None), 404), ((200, 404), 200), ((None, None), None)]
    ):
        runs = {}
        for shard, status in zip(three, statuses, strict=False):
            runs[shard] = tmp_path / str(number) / str(shard.index)
            error = None if status else Error.TIMEOUT
            write_ledger(runs[shard], [answered(url, status, role=Role.REDIRECT, error=error)])
        rows = built(runs, tmp_path / str(number) / "merged").pages
        assert [None if value is None else int(value) for value in rows["status"].fillna(0)] == [
            expected or 0
        ]


def test_of_the_random_addresses_of_a_host_one_is_kept(tmp_path: Path) -> None:
    def probe(name: str, status: int | None) -> Page:
        return answered(f"https://www.example.com/{name}", status, role=Role.PROBE)

    run = together(tmp_path, [probe("a", None)], [probe("b", 404)])
    assert run.pages["url"].tolist() == ["https://www.example.com/b"]


def test_a_rendering_is_that_of_the_answer_that_counts(tmp_path: Path) -> None:
    page = answered(A[0], render=Reason.ALWAYS)
    probes = [
        answered(f"https://www.example.com/{name}", 404, role=Role.PROBE, render=Reason.COMPARISON)
        for name in "ab"
    ]

    def shown(each: Page, title: str) -> Rendering:
        row = rendered(each, title=title, ended_at=NOW)
        row.reason = each.render or Reason.ALWAYS
        return row

    stray = shown(page, "second")
    stray.ended_at = NOW + timedelta(hours=1)
    run = together(
        tmp_path,
        [page, shown(page, "first"), probes[0], shown(probes[0], "probe")],
        [answered(A[0], role=Role.REDIRECT), stray, probes[1], shown(probes[1], "other probe")],
    )
    assert sorted(run.pages["rendered_title"]) == ["first", "probe"]
    assert count_lines(ledger_file(run.path, "renderings")) == 2


def test_limits_are_those_of_the_shard_that_holds_a_url(tmp_path: Path) -> None:
    mine, theirs = listed(A[0], B[0]), listed(A[0], B[0])
    theirs.rows[1].left_out = LeftOut.LIMIT
    run = together(tmp_path, [of_sitemap(2), mine, answered(A[0])], [of_sitemap(2), theirs])
    assert run.manifest.limits == {"AUDIT_MAX_URLS": 1}


def test_a_torn_or_damaged_line_costs_no_more_than_itself(tmp_path: Path) -> None:
    runs = {}
    for shard, urls in zip(SHARDS, (A, B), strict=True):
        runs[shard] = tmp_path / str(shard.index)
        entries = seen_by(shard, listed(A[0], B[0]))
        write_ledger(runs[shard], [of_sitemap(2), entries, *map(answered, urls[:2])])
    pages, entries_file = (ledger_file(runs[TWO], table) for table in ("pages", "entries"))
    lines = pages.read_bytes().splitlines(keepends=True)
    pages.write_bytes(lines[0] + b"{torn\n" + lines[1][:20])
    entries_file.write_bytes(b"\xff\n" + entries_file.read_bytes())
    damage = merge(runs, tmp_path / "merged", Audit())
    assert damage == {TWO: {"pages": 1}}
    run = build_run(tmp_path / "merged", [])
    assert sorted(run.pages["url"]) == sorted([*A[:2], B[0]])
    assert len(run.entries) == 2
