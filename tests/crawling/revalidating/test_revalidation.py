"""A second audit asks which pages changed, and says of each page what one in full would say."""

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.config import Config
from sitemapaudit.crawling.reuse import prepare_reuse
from sitemapaudit.crawling.revalidation import MIN_CONTROLS
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.reused_run import ReusedRun
from tests.crawling.revalidating.site import LONG_AGO, Version, VersionedSite
from tests.crawling.sharding.worker import merge
from tests.runs.killing import finish, kill, start, wait_for_pages, wait_for_run
from tests.support.settings import QUICK

PAGES = 12
MANY, NEW = 240, 5
"""More pages than are looked up together."""

NO_CONTROLS = {"AUDIT_CONTROL_SHARE": 0}
FEW_CONTROLS: dict[str, Any] = {"AUDIT_CONTROL_SHARE": 0.001}
ALL_CONTROLS = {"AUDIT_CONTROL_SHARE": 100}
EVERY_RULE: dict[str, Any] = {"AUDIT_RULES": "{}"}

pytestmark = pytest.mark.xdist_group("revalidation")


def audit(
    origin: str,
    audits: Path,
    *arguments: str,
    **settings: Any,
) -> Run:
    """Audit a website, and return the run; no rule is checked."""
    finish(start(audits, f"site={origin}", *arguments, **{**QUICK, **settings}))
    return open_run(audits)


def resume(run: Path) -> Run:
    """Resume an audit, and return its run."""
    finish(start(run.parent.parent, f"resume={run}"))
    return open_run(run)


def again(site: VersionedSite, audits: Path, *arguments: str, **settings: Any) -> Run:
    """Audit a website once more, with the pages of the last run."""
    site.answers.clear()
    return audit(site.origin, audits, "reuse=latest", *arguments, **(NO_CONTROLS | settings))


def rows(run: Run, columns: str, where: str = "role = 'listed'") -> list[tuple[Any, ...]]:
    """Return columns of the pages of a run."""
    with duckdb.connect() as connection:
        source = f"from '{run.path}/pages.parquet' where {where} order by url"
        return connection.execute(f"select {columns} {source}").fetchall()


FACTS = (
    "* exclude (fetched_at, elapsed, date, headers, last_modified, retries, revalidation,"
    " carried_from, hidden_changes)"
)


def facts(run: Run) -> list[tuple[Any, ...]]:
    """Return what pages say, whatever was taken over."""
    return rows(run, FACTS)


def revalidated(run: Run) -> dict[str, int]:
    assert run.manifest.reused is not None
    return run.manifest.reused.revalidated


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[VersionedSite, Run]]:
    """Return a website, and its first audit."""
    with VersionedSite(PAGES) as site:
        yield site, audit(site.origin, tmp_path_factory.mktemp("first"))


@pytest.fixture
def site(audited: tuple[VersionedSite, Run]) -> VersionedSite:
    """Return the website as it was when it was audited first."""
    site = audited[0]
    site.pages = [Version() for _ in range(PAGES)]
    site.answers.clear()
    return site


@pytest.fixture
def first(audited: tuple[VersionedSite, Run], tmp_path: Path) -> Run:
    """Return a copy of the first audit of the website."""
    run = audited[1].path
    shutil.copytree(run, tmp_path / run.parent.name / run.name)
    return open_run(tmp_path)


SECOND = timedelta(seconds=1)


@dataclass(slots=True, frozen=True)
class Cases:
    """A website of all cases, what its pages were answered the second time, and its runs.

    The last one reuses nothing.
    """

    site: VersionedSite
    answers: dict[str, list[int]]
    first: Run
    second: Run
    third: Run
    whole: Run


@dataclass(slots=True, frozen=True)
class Case:
    """A page, what is changed before the second audit, what this gets, and what it says of it."""

    version: Version
    statuses: list[int]
    result: str | None
    changes: Mapping[str, Any] = field(default_factory=dict)
    verdict: str = "indexable"


BODY = b"<title>Not a page</title>"
BODIES = {
    "length": b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY),
    "chunked": b"Transfer-Encoding: chunked\r\n\r\n1a\r\n%b\r\n0\r\n\r\n" % BODY,
    "neither": b"\r\n" + BODY,
    "end of connection": b"Connection: close\r\n\r\n" + BODY,
    "announced only": b"Content-Length: 5000\r\n\r\n",
}
"""The rest of a 304 response, which has no body (RFC 9110 section 15.4.5)."""

NOW = datetime.now(UTC)
CASES = {
    "weak tag": Case(Version(tag='W/"{number}"'), [304], "not-modified"),
    "date": Case(Version(tag=None, modified=LONG_AGO), [304], "not-modified"),
    "date of the request and a tag": Case(Version(dated_now=True), [304], "not-modified"),
    "both": Case(Version(modified=LONG_AGO), [304], "not-modified"),
    "vary by encoding": Case(Version(headers=[("Vary", "Accept-Encoding")]), [304], "not-modified"),
    "noindex": Case(
        Version(head="<meta name=robots content=noindex>"),
        [304],
        "not-modified",
        verdict="noindex",
    ),
    "unavailable by now": Case(
        Version(lifetime=SECOND * 3), [304], "not-modified", verdict="noindex"
    ),
    "disallowed by now": Case(Version(), [], None, verdict="blocked"),
    "no validator": Case(Version(tag=None), [200], None),
    "unquoted tag": Case(Version(tag="unquoted{number}"), [200], None),
    "date of the request": Case(Version(tag=None, dated_now=True), [200], None),
    "date in the future": Case(Version(tag=None, modified=NOW + SECOND * 10_000), [200], None),
    "directive": Case(Version(headers=[("X-Robots-Tag", "nosnippet")]), [200], None),
    "link": Case(Version(headers=[("Link", '</other>; rel="canonical"')]), [200], None),
    "cookie": Case(Version(headers=[("Set-Cookie", "a=b")]), [200], None),
    "vary by program": Case(Version(headers=[("Vary", "User-Agent")]), [200], None),
    "304 with a directive": Case(
        Version(confirms=[("X-Robots-Tag", "noindex")]), [304, 200], "same"
    ),
    "304 with a cookie": Case(Version(confirms=[("Set-Cookie", "a=b")]), [304, 200], "same"),
    "304 that varies": Case(Version(confirms=[("Vary", "Cookie")]), [304, 200], "same"),
    "304 of another version": Case(Version(), [304, 200], "changed", {"number": 2, "lies": True}),
    "304 of another date": Case(
        Version(tag=None, modified=LONG_AGO),
        [304, 200],
        "same",
        {"modified": LONG_AGO + SECOND, "lies": True},
    ),
    "sent again": Case(Version(), [200], "same", {"tag": '"other {number}"'}),
    "changed": Case(Version(), [200], "changed", {"number": 2}),
    # A server that adds the coding of the body to a tag compares with the tag without it.
    "-gzip": Case(Version(tag='"{number}-gzip"'), [304], "not-modified", {"tag": '"{number}"'}),
    "--gzip": Case(Version(tag='"{number}--gzip"'), [304], "not-modified", {"tag": '"{number}"'}),
    ";br": Case(Version(tag='W/"{number};br"'), [304], "not-modified", {"tag": '"{number}"'}),
    **{
        f"304 with a body, {name}, {number}": Case(Version(rest=rest), [304], "not-modified")
        for name, rest in BODIES.items()
        for number in range(4)
    },
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cases]:
    audits = tmp_path_factory.mktemp("cases")
    given, names = [*CASES.values()], [*CASES]
    with VersionedSite(len(given), make=lambda number: replace(given[number].version)) as site:
        first = audit(site.origin, audits, "reuse=latest")
        for page, case in zip(site.pages, given, strict=True):
            for name, value in case.changes.items():
                setattr(page, name, value)
        blocked = names.index("disallowed by now")
        site.robots = f"User-agent: *\nDisallow: /page/{blocked}$\n"
        until = site.pages[names.index("unavailable by now")].until
        assert until
        time.sleep(max((until - datetime.now(UTC)).total_seconds(), 0))
        second = again(site, audits, **EVERY_RULE)
        answers = {name: [*site.answers[number]] for number, name in enumerate(names)}
        third = again(site, audits, **FEW_CONTROLS)
        whole = audit(site.origin, audits / "whole", **EVERY_RULE)
        yield Cases(site, answers, first, second, third, whole)


def by_case(cases: Cases, run: Run, columns: str) -> dict[str, tuple[Any, ...]]:
    """Return columns of the pages of a run, by the names of the cases."""
    found = {url: values for url, *values in rows(run, f"url, {columns}")}
    locs = (f"{cases.site.origin}/page/{number}" for number in range(len(CASES)))
    return {name: tuple(found[loc]) for name, loc in zip(CASES, locs, strict=True)}


def test_only_what_changed_is_downloaded(cases: Cases) -> None:
    found = by_case(cases, cases.second, "revalidation, verdict")
    assert {name: (cases.answers[name], *values) for name, values in found.items()} == {
        name: (case.statuses, case.result, case.verdict) for name, case in CASES.items()
    }
    before = by_case(cases, cases.first, "verdict")
    assert before["unavailable by now"] == before["disallowed by now"] == ("indexable",)
    results = Counter(case.result for case in CASES.values() if case.result)
    assert revalidated(cases.second) == results


def test_waiting_pages_are_found_together(tmp_path: Path) -> None:
    with VersionedSite(MANY) as site:
        first = audit(site.origin, tmp_path)
        site.pages += [Version() for _ in range(NEW)]
        site.pages[1].number = site.pages[MANY - 1].number = 2
        limited: dict[str, Any] = {"CONCURRENT_REQUESTS_PER_DOMAIN": 3}
        second = again(site, tmp_path, **limited)
    assert revalidated(second) == {"not-modified": MANY - 2, "changed": 2}
    assert site.statuses == {304: MANY - 2, 200: 2 + NEW}
    carried = dict(rows(second, "url, content_hash", "carried_from is not null"))
    before = dict(rows(first, "url, content_hash"))
    assert carried == {url: before[url] for url in carried}
    assert len({*carried.values()}) == MANY - 2
    # Nothing but a run that was killed needs them again.
    assert not list(second.path.glob("log/*.sqlite"))


def test_a_second_audit_says_what_one_in_full_says(cases: Cases) -> None:
    assert facts(cases.second) == facts(cases.whole)
    assert sorted(cases.second.findings["rule"]) == sorted(cases.whole.findings["rule"])


def test_pages_name_the_run_that_downloaded_their_content(cases: Cases) -> None:
    first, second, third = cases.first, cases.second, cases.third
    assert first.manifest.reused == ReusedRun(reason="there is no earlier run")
    for run, earlier in ((second, first), (third, second)):
        assert run.manifest.reused
        assert run.manifest.reused.run == earlier.path.name
    before = by_case(cases, second, "carried_from")
    assert before == {
        name: (first.path.name if case.result == "not-modified" else None,)
        for name, case in CASES.items()
    }
    now = by_case(cases, third, "carried_from, revalidation")
    carried = {name: where for name, (where, result) in now.items() if result == "not-modified"}
    assert carried == {name: before[name][0] or second.path.name for name in carried}
    assert {*carried.values()} == {first.path.name, second.path.name}
    assert revalidated(third)["confirmed"] == MIN_CONTROLS


def test_a_control_that_differs_is_a_finding(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    for page, (name, value) in zip(site.pages, CHANGES.values(), strict=False):
        setattr(page, name, value)
    second = again(site, tmp_path, **ALL_CONTROLS, **EVERY_RULE)
    assert site.statuses == {304: PAGES, 200: PAGES}
    assert revalidated(second) == {"confirmed": PAGES - len(CHANGES), "untrue": len(CHANGES)}
    assert {*rows(second, "carried_from")} == {(None,)}
    hidden = rows(second, "url, hidden_changes", "hidden_changes <> []")
    assert hidden == [
        (f"{site.origin}/page/{number}", [column]) for number, column in enumerate(CHANGES)
    ]
    untrue = second.findings[second.findings["rule"] == "revalidation-untrue"]
    assert sorted(untrue["url"]) == [url for url, _ in hidden]


CHANGES: dict[str, tuple[str, Any]] = {
    "content_hash": ("text", "Another text for everybody."),
    "statements": ("headers", [("X-Robots-Tag", "nosnippet")]),
    "alternates": ("head", "<link rel=alternate hreflang=de href=/de>"),
}


def test_a_host_has_four_controls(site: VersionedSite, first: Run, tmp_path: Path) -> None:
    second = again(site, tmp_path, "workers=2", **FEW_CONTROLS)
    expected = {"confirmed": MIN_CONTROLS, "not-modified": PAGES - MIN_CONTROLS}
    assert revalidated(second) == expected
    assert site.statuses == {304: PAGES, 200: MIN_CONTROLS}
    assert second.manifest.reused
    assert second.manifest.reused.refetched == 0
    assert rows(second, "retries, recheck", "revalidation = 'confirmed'") == [(0, None)] * 4


MANY = 48


@dataclass(slots=True, frozen=True)
class Rewritten:
    """Two websites whose servers answer 304 although every page changed, and their runs.

    The pages of the first have another text. Those of the second became noindex by header: as
    with Django and Starlette, its 304 responses carry no other headers.
    """

    sites: tuple[VersionedSite, VersionedSite]
    before: Run
    after: Run

    @property
    def origin(self) -> str:
        return ",".join(site.origin for site in self.sites)


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rewritten]:
    with VersionedSite(MANY) as texts, VersionedSite(MANY, host="localhost") as headers:
        origin = f"{texts.origin},{headers.origin}"
        before = audit(origin, tmp_path_factory.mktemp("before"))
        for page in texts.pages:
            page.text = f"Another text {page.number}."
        for page in headers.pages:
            page.headers = [("X-Robots-Tag", "noindex")]
        after = audit(origin, tmp_path_factory.mktemp("after"))
        yield Rewritten((texts, headers), before, after)


def facts_of_text(run: Run) -> list[tuple[Any, ...]]:
    return rows(run, "url, verdict, content_hash, title")


@pytest.mark.parametrize(
    ("workers", "settings"),
    [
        (1, EVERY_RULE),
        (2, {"AUDIT_CONTROL_SHARE": 20, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}),
    ],
    ids=["defaults", "workers"],
)
def test_a_host_that_is_not_believed_is_fetched_in_full(
    rewritten: Rewritten, tmp_path: Path, workers: int, settings: dict[str, Any]
) -> None:
    for site in rewritten.sites:
        site.answers.clear()
    reuse = f"reuse={rewritten.before.path}"
    second = audit(rewritten.origin, tmp_path, reuse, f"workers={workers}", **settings)
    assert "not-modified" not in revalidated(second)
    assert second.manifest.reused
    assert second.manifest.reused.refetched > 0
    untrue = "revalidation = 'untrue' and url like '{}/%'"
    texts, headers = rewritten.sites
    assert 4 <= len(rows(second, "url", untrue.format(texts.origin))) < MANY * 0.4
    hidden = rows(second, "hidden_changes", untrue.format(headers.origin))
    assert hidden == [(["verdict", "statements"],)] * len(hidden)
    assert 1 <= len(hidden) < MANY * 0.4
    for site in rewritten.sites:
        assert {answers.count(200) for answers in site.answers.values()} == {1}
    assert facts_of_text(second) == facts_of_text(rewritten.after)
    # What is refetched is what had been taken over.
    assert rows(second, "carried_from", "carried_from is not null") == []


@pytest.mark.parametrize("failing", [3, PAGES])
def test_a_host_whose_controls_fail_is_fetched_in_full(
    site: VersionedSite, first: Run, tmp_path: Path, failing: int
) -> None:
    for page in site.pages[:failing]:
        page.fails = True
    controls = ALL_CONTROLS if failing < PAGES else FEW_CONTROLS
    second = again(site, tmp_path, **controls, AUDIT_RECHECK="false")
    verdicts = Counter(verdict for (verdict,) in rows(second, "verdict"))
    assert verdicts["server-error"] == failing
    if failing < PAGES:  # A few failures are those of these pages.
        assert revalidated(second) == {"confirmed": PAGES - failing, "failed": failing}
        return
    assert "not-modified" not in revalidated(second)
    assert second.manifest.reused
    assert second.manifest.reused.refetched > 0


def test_a_killed_run_goes_on_with_the_same_pages_or_without_those_that_were_deleted(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    site.pages[PAGES - 1].number = 2
    given = (f"site={site.origin}", f"reuse={first.path}")
    slow: dict[str, Any] = {"DOWNLOAD_DELAY": 0.1, "CONCURRENT_REQUESTS": 2}
    process = start(tmp_path / "next", *given, **slow, **FEW_CONTROLS)
    killed = wait_for_run(tmp_path / "next", process)
    wait_for_pages(killed, process)
    assert kill(process)
    assert 0 < sum(site.statuses.values()) < PAGES
    alone = shutil.copytree(killed, tmp_path / "alone" / killed.parent.name / killed.name)
    resumed = resume(killed)
    assert revalidated(resumed) == {
        "changed": 1, "confirmed": MIN_CONTROLS, "not-modified": PAGES - 1 - MIN_CONTROLS
    }  # fmt: skip
    assert site.statuses[200] == 1 + MIN_CONTROLS
    # What was requested when the process was killed is requested again.
    assert sum(site.statuses.values()) <= PAGES + MIN_CONTROLS + 2
    # What it had carried gets its controls even without the earlier run.
    shutil.rmtree(first.path)
    for page in site.pages:
        page.headers = [("X-Robots-Tag", "noindex")]
    resumed = resume(alone)
    assert resumed.manifest.complete
    assert resumed.manifest.reused is not None
    assert resumed.manifest.reused.reason == "there is no such run"
    assert {row[0] for row in rows(resumed, "verdict")} == {"noindex"}


def remove_folder(run: Path) -> None:
    shutil.rmtree(run)


def cut_pages(run: Path) -> None:
    file = run / "pages.parquet"
    file.write_bytes(file.read_bytes()[:-100])


def garble_pages(run: Path) -> None:
    file = run / "pages.parquet"
    content = file.read_bytes()
    file.write_bytes(content[:200] + bytes(len(content) // 2) + content[200 + len(content) // 2 :])


def replace_pages(run: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"copy (select 1 as url) to '{run}/pages.parquet'")


def remove_pages(run: Path) -> None:
    (run / "pages.parquet").unlink()


def remove_tables(run: Path) -> None:
    (run / "urls.parquet").unlink()


def change_headers(run: Path) -> None:
    manifest = Manifest.read(run)
    manifest.request_digest = "another"
    manifest.write(run)


def cut_manifest(run: Path) -> None:
    (run / "run.json").write_text('{"arguments": {')


UNUSABLE: dict[Callable[[Path], None], str] = {
    remove_folder: "there is no such run",
    cut_manifest: "its run.json cannot be read",
    remove_tables: "it has no tables",
    remove_pages: "its pages cannot be read (IO Error: No files found",
    cut_pages: "its pages cannot be read (Invalid Input Error: No magic bytes",
    garble_pages: "its pages cannot be read (",
    replace_pages: "another version made it",
    change_headers: "its requests had other headers",
}


@pytest.mark.parametrize("damage", UNUSABLE)
def test_an_unusable_run_is_not_reused(
    first: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    config = Config.read(
        {"site": "www.example.com", "reuse": str(first.path)}, {"DOWNLOAD_TIMEOUT": 30}
    )
    run = AuditRun(tmp_path, "now", first.manifest)
    (run.folder / "log").mkdir(parents=True)
    first.manifest.write(run.folder)
    assert prepare_reuse(config, run) is not None
    damage(first.path)
    assert prepare_reuse(config, run) is None
    assert first.manifest.reused
    assert first.manifest.reused.run == first.path.name
    reason = first.manifest.reused.reason or ""
    assert reason.startswith(UNUSABLE[damage])
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert reason in caplog.text


def test_a_run_of_another_site_costs_reuse_only(first: Run, tmp_path: Path) -> None:
    with VersionedSite(1) as other:
        second = audit(other.origin, tmp_path / "other", f"reuse={first.path}")
    assert second.manifest.complete
    assert second.manifest.reused
    assert second.manifest.reused.reason == "this audit revalidated none of its pages"


def test_a_run_with_other_requests_is_not_reused(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    second = again(site, tmp_path, "agent=Bingbot")
    assert site.statuses == {200: PAGES}
    assert second.manifest.reused == ReusedRun(first.path.name, "its agent was Googlebot")
    assert second.manifest.complete


def test_each_shard_reuses_its_own_run(tmp_path: Path) -> None:
    with VersionedSite(PAGES) as site:
        first = []
        for number in (1, 2):
            audits, given = tmp_path / str(number), (f"site={site.origin}", f"shard={number}/2")
            settings: dict[str, Any] = dict(QUICK)
            finish(start(audits, *given, **settings))
            first.append(find_run(audits).name)
            settings |= {**NO_CONTROLS, "AUDIT_RESULTS": "later"}
            finish(start(audits, *given, "reuse=latest", **settings))
        shards = (find_run(tmp_path / str(number)) for number in (1, 2))
        merged = merge(*shards, into=tmp_path / "merged" / "run")
    assert revalidated(merged) == {"not-modified": PAGES}
    assert {name for (name,) in rows(merged, "carried_from")} == {*first}
    assert merged.manifest.complete
