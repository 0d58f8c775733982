"""Rows that several shards have are merged into one: which row wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.items import (
    Entries,
    Error,
    Kind,
    Page,
    Permission,
    RecheckedPage,
    RecheckResult,
    Rendering,
    RenderReason,
    Robots,
    Role,
    Sitemap,
    SkipReason,
    Verdict,
)
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file
from sitemapaudit.runs.merging.merging import merge
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import Item, entries_of, owned_urls, write_ledger
from tests.support.rows import NOW, SITEMAP, fetched_page, listed, rendered
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

ONE, TWO = SHARDS = Shard(1, 2), Shard(2, 2)
A, B = owned_urls(ONE, 5), owned_urls(TWO, 5)
RULES = {"loc-not-absolute"}
"""The rules that check the rows when they are merged."""

TARGET = "https://www.example.com/target"


def merged(folder: Path, *ledgers: Sequence[Any]) -> Run:
    """Return the run that is merged from the ledgers of two shards."""
    runs = {}
    for shard, items in zip(SHARDS, ledgers, strict=True):
        runs[shard] = folder / str(shard.index)
        own = [entries_of(shard, item) if isinstance(item, Entries) else item for item in items]
        write_ledger(runs[shard], own)
    return merge_and_build(runs, folder / "merged")


def merge_and_build(runs: dict[Shard, Path], into: Path) -> Run:
    """Merge ledgers, and build the tables."""
    merge(runs, into, Audit(dict.fromkeys(catalog().keys() - RULES, "off")))
    return build_run(into, [], rules=NO_RULES)


def sitemap_row(number: int, **values: object) -> Sitemap:
    return Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=number, fetched_at=NOW, **values)  # type: ignore[arg-type]


def test_a_url_that_a_shard_fetched_is_not_skipped(tmp_path: Path) -> None:
    items = [sitemap_row(4), listed(A[0], B[0], A[1], B[1])]
    run = merged(
        tmp_path,
        [*items, *map(fetched_page, A[:2])],
        [*items, *map(fetched_page, B[:2])],
    )
    assert run.urls["skip_reason"].isna().all()
    assert set(run.urls["verdict"]) == {"indexable"}
    assert run.entries["position"].tolist() == [1, 2, 3, 4]
    assert run.manifest.unchecked_urls == 0


def test_a_finding_occurs_once(tmp_path: Path) -> None:
    items = [sitemap_row(2), listed(A[0], "not a url")]
    run = merged(tmp_path, items, items)
    assert run.findings["rule"].tolist() == ["loc-not-absolute"]


def test_of_a_sitemap_that_changes_each_shard_decides_on_its_urls(tmp_path: Path) -> None:
    first = [sitemap_row(3), listed(A[0], B[0], A[1]), *map(fetched_page, A[:2])]
    second = [sitemap_row(3), listed(A[0], B[1], B[2]), *map(fetched_page, B[1:3])]
    run = merged(tmp_path, first, second)
    assert set(run.urls["url"]) == {A[0], A[1], B[1], B[2]}
    assert set(run.urls["verdict"]) == {"indexable"}
    assert len(run.sitemaps) == 1


def poor_readings(sitemap: str, loc: str) -> dict[str, list[Item]]:
    """Return what a shard can have of a sitemap that it could not read, by the reason."""
    return {
        "timeout": [Sitemap(sitemap, error=Error.TIMEOUT, kind=Kind.URLSET, entries=0)],
        "503": [Sitemap(sitemap, status=503, kind=Kind.UNKNOWN)],
        "challenge": [Sitemap(sitemap, status=200, kind=Kind.HTML)],
        "incomplete": [
            Sitemap(sitemap, status=200, kind=Kind.URLSET, entries=0, complete=False),
            listed(loc, sitemap=sitemap),
        ],
        "entries lost": [
            Sitemap(sitemap, status=200, kind=Kind.URLSET, entries=2),
            listed(loc, sitemap=sitemap),
        ],
        "not fetched": [],
    }


READINGS = list(poor_readings(SITEMAP, A[0]))


@dataclass(frozen=True)
class OneSided:
    """A run of two shards: one has read every sitemap, the other none, each in another way."""

    run: Run
    own: list[str]
    others: list[str]


@pytest.fixture(scope="module", params=[1, 2])
def one_sided(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OneSided:
    first = request.param == 1
    own, others = (owned_urls(shard, 12) for shard in (SHARDS if first else SHARDS[::-1]))
    good: list[Item] = [*map(fetched_page, own)]
    poor: list[Item] = []
    for number, reading in enumerate(READINGS):
        sitemap = sitemap_of(reading)
        locs = own[2 * number : 2 * number + 2] + others[2 * number : 2 * number + 2]
        good += [
            Sitemap(sitemap, status=200, kind=Kind.URLSET, entries=4, fetched_at=NOW),
            listed(*locs, sitemap=sitemap),
        ]
        poor += poor_readings(sitemap, locs[0])[reading]
    run = merged(tmp_path_factory.mktemp("sides"), *((good, poor) if first else (poor, good)))
    return OneSided(run, own, others)


def sitemap_of(reading: str) -> str:
    return f"https://www.example.com/{reading.replace(' ', '-')}.xml"


@pytest.mark.parametrize("reading", READINGS)
def test_the_best_reading_replaces_that_of_a_shard_that_could_not_read(
    one_sided: OneSided, reading: str
) -> None:
    run, number = one_sided.run, READINGS.index(reading)
    own, others = (each[2 * number : 2 * number + 2] for each in (one_sided.own, one_sided.others))
    files, entries = (each.groupby("sitemap") for each in (run.sitemaps, run.entries))
    assert files.get_group(sitemap_of(reading))["entries"].tolist() == [4]
    assert entries.get_group(sitemap_of(reading))["url"].tolist() == own + others
    verdicts = dict(zip(run.urls["url"], run.urls["verdict"], strict=True))
    assert {url: verdicts[url] for url in own + others} == (
        dict.fromkeys(own, "indexable") | dict.fromkeys(others, "unchecked")
    )


def test_urls_of_a_shard_that_could_not_read_should_have_been_fetched(one_sided: OneSided) -> None:
    # No user chose to skip them.
    run = one_sided.run
    assert set(run.urls["url"]) == {*one_sided.own, *one_sided.others}
    assert run.urls["skip_reason"].isna().all()
    assert run.manifest.unchecked_urls == 12


def test_the_first_of_equal_readings_wins(tmp_path: Path) -> None:
    first, second = sitemap_row(0, bytes=1), sitemap_row(0, bytes=2)
    assert merged(tmp_path, [first], [second]).sitemaps["bytes"].tolist() == [1]


@pytest.mark.parametrize("order", [1, -1])
def test_a_readable_robots_txt_wins(tmp_path: Path, order: int) -> None:
    good = Robots("https://www.example.com", "", permission=Permission.RULES, text="good")
    for number, bad in enumerate(
        [
            Robots(good.site, "", permission=Permission.UNREACHABLE, error=Error.TIMEOUT),
            Robots(good.site, "", permission=Permission.NONE, status=503),
        ]
    ):
        run = merged(tmp_path / str(number), *[[good], [bad]][::order])
        assert run.robots["text"].tolist() == ["good"]


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ([fetched_page(TARGET, 200, role=Role.REDIRECT)], [], 200),
        ([], [fetched_page(TARGET, 200, role=Role.CANONICAL)], 200),
        # The first wins, unless only the other has a response.
        (
            [fetched_page(B[4], 200, role=Role.REDIRECT)],
            [fetched_page(B[4], 404, role=Role.CANONICAL)],
            404,
        ),
        ([fetched_page(A[4], 200)], [fetched_page(A[4], 503, role=Role.REDIRECT)], 200),
        (
            [fetched_page(A[4], None, error=Error.TIMEOUT)],
            [fetched_page(A[4], role=Role.REDIRECT)],
            None,
        ),
    ],
)
def test_a_page_that_several_shards_fetched_occurs_once(
    tmp_path: Path, first: list[Page], second: list[Page], status: int | None
) -> None:
    run = merged(tmp_path, first, second)
    assert run.pages["status"].astype(object).where(run.pages["status"].notna(), None).tolist() == [
        status
    ]


def test_of_targets_that_no_shard_owns_the_first_with_a_response_wins(tmp_path: Path) -> None:
    three = [Shard(index, 3) for index in (1, 2, 3)]
    url = owned_urls(three[2], 1)[0]
    for number, (statuses, expected) in enumerate(
        [((None, 404), 404), ((404, None), 404), ((200, 404), 200), ((None, None), None)]
    ):
        runs = {}
        for shard, status in zip(three, statuses, strict=False):
            runs[shard] = tmp_path / str(number) / str(shard.index)
            error = None if status else Error.TIMEOUT
            write_ledger(runs[shard], [fetched_page(url, status, role=Role.REDIRECT, error=error)])
        rows = merge_and_build(runs, tmp_path / str(number) / "merged").pages
        assert [None if value is None else int(value) for value in rows["status"].fillna(0)] == [
            expected or 0
        ]


def test_one_probe_per_host_is_kept(tmp_path: Path) -> None:
    def probe(name: str, status: int | None) -> Page:
        return fetched_page(f"https://www.example.com/{name}", status, role=Role.PROBE)

    run = merged(tmp_path, [probe("a", None)], [probe("b", 404)])
    assert run.pages["url"].tolist() == ["https://www.example.com/b"]


def test_the_rendering_is_that_of_the_response_that_wins(tmp_path: Path) -> None:
    page = fetched_page(A[0], render_reason=RenderReason.ALWAYS)
    probes = [
        fetched_page(
            f"https://www.example.com/{name}",
            404,
            role=Role.PROBE,
            render_reason=RenderReason.COMPARISON,
        )
        for name in "ab"
    ]

    def rendering_of(page: Page, title: str) -> Rendering:
        row = rendered(page, title=title, ended_at=NOW)
        row.render_reason = page.render_reason or RenderReason.ALWAYS
        return row

    stray = rendering_of(page, "second")
    stray.ended_at = NOW + timedelta(hours=1)
    run = merged(
        tmp_path,
        [page, rendering_of(page, "first"), probes[0], rendering_of(probes[0], "probe")],
        [
            fetched_page(A[0], role=Role.REDIRECT),
            stray,
            probes[1],
            rendering_of(probes[1], "other probe"),
        ],
    )
    assert sorted(run.pages["rendered_title"]) == ["first", "probe"]
    assert count_lines(ledger_file(run.path, "renderings")) == 2


def test_the_shard_that_owns_a_url_decides_on_limits(tmp_path: Path) -> None:
    own, others = listed(A[0], B[0]), listed(A[0], B[0])
    others.rows[1].skip_reason = SkipReason.LIMIT
    run = merged(tmp_path, [sitemap_row(2), own, fetched_page(A[0])], [sitemap_row(2), others])
    assert run.manifest.limits == {"AUDIT_MAX_URLS": 1}


def test_a_torn_or_damaged_line_loses_only_that_row(tmp_path: Path) -> None:
    runs = {}
    for shard, urls in zip(SHARDS, (A, B), strict=True):
        runs[shard] = tmp_path / str(shard.index)
        entries = entries_of(shard, listed(A[0], B[0]))
        write_ledger(runs[shard], [sitemap_row(2), entries, *map(fetched_page, urls[:2])])
    pages, entries_file = (ledger_file(runs[TWO], table) for table in ("pages", "entries"))
    lines = pages.read_bytes().splitlines(keepends=True)
    pages.write_bytes(lines[0] + b"{torn\n" + lines[1][:20])
    entries_file.write_bytes(b"\xff\n" + entries_file.read_bytes())
    damage = merge(runs, tmp_path / "merged", Audit())
    assert damage == {TWO: {"pages": 1}}
    run = build_run(tmp_path / "merged", [])
    assert sorted(run.pages["url"]) == sorted([*A[:2], B[0]])
    assert len(run.entries) == 2


def test_a_recheck_is_merged_with_its_page(tmp_path: Path) -> None:
    def failed(url: str, **values: Any) -> Page:
        return fetched_page(url, 503, **values)

    def recovered(url: str, role: Role = Role.LISTED) -> RecheckedPage:
        page = RecheckedPage(url, role=role, status=200, recheck=RecheckResult.RECOVERED)
        page.verdict = Verdict.INDEXABLE
        return page

    items, target = [sitemap_row(2), listed(A[0], B[0])], {"role": Role.REDIRECT}
    run = merged(
        tmp_path,
        [*items, failed(A[0]), failed(TARGET, **target), recovered(A[0])],
        [*items, failed(B[0]), failed(TARGET, **target), recovered(TARGET, Role.REDIRECT)],
    )
    rechecks = run.pages.set_index("url")["recheck"]
    assert len(rechecks) == 3
    assert rechecks[A[0]] == "recovered"
    assert rechecks.drop(A[0]).isna().all() == (shard_of(TARGET) == ONE)


def shard_of(url: str) -> Shard:
    return ONE if ONE.owns(url) else TWO
