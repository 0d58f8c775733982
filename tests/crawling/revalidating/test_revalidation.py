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
from sitemapaudit.demo.server import Reply, ServerRequest
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.reused_run import ReusedRun
from tests.crawling.revalidating.site import LONG_AGO, Version, VersionedSite
from tests.crawling.sharding.worker import merge
from tests.runs.killing import (
    CONCURRENCY,
    finish,
    kill,
    start,
    wait_for_pages,
    wait_for_run,
)
from tests.support.settings import QUICK

PAGES = 12
NO_CONTROLS = {"AUDIT_CONTROL_SHARE": 0}
FEW_CONTROLS: dict[str, Any] = {"AUDIT_CONTROL_SHARE": 0.001}
ALL_CONTROLS = {"AUDIT_CONTROL_SHARE": 100}
EVERY_RULE: dict[str, Any] = {"AUDIT_RULES": "{}"}

pytestmark = pytest.mark.xdist_group("revalidation")


def audit(
    site: VersionedSite,
    audits: Path,
    *arguments: str,
    resume: Path | None = None,
    **settings: Any,
) -> Run:
    """Audit a website, or resume an audit, and return the run; no rule is checked."""
    given = f"resume={resume}" if resume else f"site={site.origin}"
    chosen = settings if resume else {**QUICK, **settings}
    finish(start(audits, given, *arguments, **chosen))
    return open_run(audits)


def again(site: VersionedSite, audits: Path, *arguments: str, **settings: Any) -> Run:
    """Audit a website once more, with the pages of the last run."""
    site.answers.clear()
    return audit(site, audits, "reuse=latest", *arguments, **(NO_CONTROLS | settings))


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
        yield site, audit(site, tmp_path_factory.mktemp("first"))


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


def test_only_what_changed_is_downloaded(site: VersionedSite, first: Run, tmp_path: Path) -> None:
    site.pages[3].number = site.pages[7].number = 2
    second = again(site, tmp_path, **EVERY_RULE)
    assert site.statuses == {304: PAGES - 2, 200: 2}
    assert revalidated(second) == {"changed": 2, "not-modified": PAGES - 2}
    assert second.manifest.reused
    assert second.manifest.reused.run == first.path.name
    carried = [row[0] for row in rows(second, "carried_from")]
    assert carried.count(first.path.name) == PAGES - 2
    assert carried[rows(second, "url").index((f"{site.origin}/page/7",))] is None
    whole = audit(site, tmp_path / "whole", **EVERY_RULE)
    assert facts(second) == facts(whole)
    assert sorted(second.findings["rule"]) == sorted(whole.findings["rule"])


def test_chains_name_the_run_that_downloaded_the_content(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    site.pages[0].number = 2
    second = again(site, tmp_path)
    third = again(site, tmp_path)
    assert site.statuses == {304: PAGES}
    carried = [row[0] for row in rows(third, "carried_from")]
    assert sorted(carried) == sorted([first.path.name] * (PAGES - 1) + [second.path.name])
    assert third.manifest.reused
    assert third.manifest.reused.run == second.path.name


SECOND = timedelta(seconds=1)


@dataclass(slots=True, frozen=True)
class Case:
    """A page, what is changed before the second audit, what this gets, and what it says of it."""

    version: Version
    statuses: list[int]
    result: str | None
    changes: Mapping[str, Any] = field(default_factory=dict)


NOW = datetime.now(UTC)
CASES = {
    "weak tag": Case(Version(tag='W/"{number}"'), [304], "not-modified"),
    "date": Case(Version(tag=None, modified=LONG_AGO), [304], "not-modified"),
    "date of the request and a tag": Case(Version(dated_now=True), [304], "not-modified"),
    "both": Case(Version(modified=LONG_AGO), [304], "not-modified"),
    "vary by encoding": Case(Version(headers=[("Vary", "Accept-Encoding")]), [304], "not-modified"),
    "noindex": Case(Version(head="<meta name=robots content=noindex>"), [304], "not-modified"),
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
}


def test_what_is_revalidated(tmp_path: Path) -> None:
    cases = [*CASES.values()]
    with VersionedSite(len(cases), make=lambda number: replace(cases[number].version)) as site:
        audit(site, tmp_path)
        for page, case in zip(site.pages, cases, strict=True):
            for name, value in case.changes.items():
                setattr(page, name, value)
        second = again(site, tmp_path)
        answers = {number: [*sent] for number, sent in site.answers.items()}
        whole = audit(site, tmp_path / "whole")
    results = dict(rows(second, "url, revalidation"))
    found = {
        name: (answers[number], results[f"{site.origin}/page/{number}"])
        for number, name in enumerate(CASES)
    }
    assert found == {name: (case.statuses, case.result) for name, case in CASES.items()}
    assert facts(second) == facts(whole)


BODY = b"<title>Not a page</title>"
BODIES = {
    "length": b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY),
    "chunked": b"Transfer-Encoding: chunked\r\n\r\n1a\r\n%b\r\n0\r\n\r\n" % BODY,
    "neither": b"\r\n" + BODY,
    "end of connection": b"Connection: close\r\n\r\n" + BODY,
    "announced only": b"Content-Length: 5000\r\n\r\n",
}
"""The rest of a 304 response, which has no body (RFC 9110 section 15.4.5)."""


class Talkative(VersionedSite):
    """Sends the body of each 304 in another way."""

    def _page(self, request: ServerRequest, version: Version) -> Reply:
        reply = super()._page(request, version)
        if reply.status == 304:
            rest = [*BODIES.values()][int(request.path.removeprefix("/page/")) % len(BODIES)]
            head = f"HTTP/1.1 304 Not Modified\r\nETag: {version.etag}\r\n".encode()
            reply.raw = head + rest
        return reply


def test_a_304_with_a_body_is_a_304(tmp_path: Path) -> None:
    with Talkative(4 * len(BODIES)) as site:
        audit(site, tmp_path)
        second = again(site, tmp_path)
    assert revalidated(second) == {"not-modified": 4 * len(BODIES)}
    assert {row[0] for row in rows(second, "verdict")} == {"indexable"}


def test_verdicts_are_those_of_today(tmp_path: Path) -> None:
    tomorrow = datetime.now(UTC) + SECOND * 4
    until = f"<meta name=robots content='unavailable_after: {tomorrow.isoformat()}'>"
    with VersionedSite(3) as site:
        site.pages[0].head = until
        first = audit(site, tmp_path)
        assert [row[0] for row in rows(first, "verdict")] == ["indexable"] * 3
        site.robots = "User-agent: *\nDisallow: /page/1\n"
        time.sleep(max((tomorrow - datetime.now(UTC)).total_seconds(), 0))
        assert datetime.now(UTC) >= tomorrow
        second = again(site, tmp_path)
        assert [row[0] for row in rows(second, "verdict")] == ["noindex", "blocked", "indexable"]
        assert site.statuses == {304: 2}


def test_controls_that_confirm(site: VersionedSite, first: Run, tmp_path: Path) -> None:
    second = again(site, tmp_path, **ALL_CONTROLS)
    assert site.statuses == {304: PAGES, 200: PAGES}
    assert revalidated(second) == {"confirmed": PAGES}
    assert rows(second, "carried_from, hidden_changes") == [(None, [])] * PAGES


CHANGES: dict[str, tuple[str, Any]] = {
    "content_hash": ("text", "Another text for everybody."),
    "statements": ("headers", [("X-Robots-Tag", "nosnippet")]),
    "alternates": ("head", "<link rel=alternate hreflang=de href=/de>"),
}


def test_a_control_that_differs_is_a_finding(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    for page, (name, value) in zip(site.pages, CHANGES.values(), strict=False):
        setattr(page, name, value)
    second = again(site, tmp_path, **ALL_CONTROLS, **EVERY_RULE)
    assert revalidated(second) == {"confirmed": PAGES - 3, "untrue": 3}
    hidden = rows(second, "hidden_changes", "revalidation = 'untrue'")
    assert [columns for (columns,) in hidden] == [[column] for column in CHANGES]
    untrue = second.findings[second.findings["rule"] == "revalidation-untrue"]
    assert sorted(untrue["url"]) == [f"{site.origin}/page/{number}" for number in range(3)]


def test_a_site_that_became_noindex_by_header_is_not_believed(tmp_path: Path) -> None:
    """As with Django and Starlette: its 304 responses carry no other headers."""
    with VersionedSite(60) as site:
        audit(site, tmp_path)
        for page in site.pages:
            page.headers = [("X-Robots-Tag", "noindex")]
        site.answers.clear()
        second = audit(site, tmp_path, "reuse=latest", **EVERY_RULE)
    assert Counter(row[0] for row in rows(second, "verdict")) == {"noindex": 60}
    untrue = second.findings[second.findings["rule"] == "revalidation-untrue"]
    assert set(untrue["message"]) == {
        "not modified according to the server (304), but it differs: verdict, statements"
    }


def test_a_host_has_four_controls(site: VersionedSite, first: Run, tmp_path: Path) -> None:
    second = again(site, tmp_path, "workers=2", **FEW_CONTROLS)
    expected = {"confirmed": MIN_CONTROLS, "not-modified": PAGES - MIN_CONTROLS}
    assert revalidated(second) == expected
    assert site.statuses == {304: PAGES, 200: MIN_CONTROLS}
    assert second.manifest.reused
    assert second.manifest.reused.refetched == 0
    assert rows(second, "retries, recheck", "revalidation = 'confirmed'") == [(0, None)] * 4
    third = again(site, tmp_path, **FEW_CONTROLS)
    assert revalidated(third) == expected


MANY = 80


@dataclass(slots=True, frozen=True)
class Rewritten:
    """A website whose server answers 304 although every page changed, its runs before and after."""

    site: VersionedSite
    before: Run
    after: Run


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rewritten]:
    with VersionedSite(MANY) as site:
        before = audit(site, tmp_path_factory.mktemp("before"))
        for page in site.pages:
            page.text = f"Another text {page.number}."
        yield Rewritten(site, before, audit(site, tmp_path_factory.mktemp("after")))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_host_that_is_not_believed_is_fetched_in_full(
    rewritten: Rewritten, tmp_path: Path, workers: int
) -> None:
    run = rewritten.before.path
    shutil.copytree(run, tmp_path / run.parent.name / run.name)
    settings = {"AUDIT_CONTROL_SHARE": 20, "CONCURRENT_REQUESTS_PER_DOMAIN": 4}
    second = again(rewritten.site, tmp_path, f"workers={workers}", **settings)
    found = revalidated(second)
    assert 4 <= found["untrue"] < MANY * 0.3
    assert "not-modified" not in found
    assert second.manifest.reused
    assert second.manifest.reused.refetched > 0
    assert {answers.count(200) for answers in rewritten.site.answers.values()} == {1}
    assert facts_of_text(second) == facts_of_text(rewritten.after)
    # What is refetched is what had been taken over.
    assert rows(second, "carried_from", "carried_from is not null") == []


def facts_of_text(run: Run) -> list[tuple[Any, ...]]:
    return rows(run, "url, verdict, content_hash, title")


def test_a_killed_run_goes_on_with_the_same_pages(tmp_path: Path) -> None:
    pages = 60
    with VersionedSite(pages) as site:
        first = audit(site, tmp_path)
        site.pages[7].number = 2
        site.answers.clear()
        given = (f"site={site.origin}", f"reuse={first.path}")
        process = start(tmp_path / "next", *given, DOWNLOAD_DELAY=0.05, **FEW_CONTROLS)
        killed = wait_for_run(tmp_path / "next", process)
        wait_for_pages(killed, process)
        assert kill(process)
        assert 0 < sum(site.statuses.values()) < pages
        resumed = audit(site, tmp_path / "next", resume=killed)
        assert resumed.path == killed
        assert revalidated(resumed) == {
            "changed": 1, "confirmed": MIN_CONTROLS, "not-modified": pages - 1 - MIN_CONTROLS
        }  # fmt: skip
        assert site.statuses[200] == 1 + MIN_CONTROLS
        # What was requested when the process was killed is requested again.
        assert sum(site.statuses.values()) < pages + MIN_CONTROLS + CONCURRENCY


def test_a_resumed_run_goes_on_without_an_earlier_one_that_was_deleted(
    site: VersionedSite, first: Run, tmp_path: Path
) -> None:
    """What it had carried gets its controls nevertheless."""
    given = (f"site={site.origin}", f"reuse={first.path}")
    process = start(tmp_path / "next", *given, DOWNLOAD_DELAY=0.1, **FEW_CONTROLS)
    killed = wait_for_run(tmp_path / "next", process)
    wait_for_pages(killed, process)
    assert kill(process)
    shutil.rmtree(first.path)
    for page in site.pages:
        page.headers = [("X-Robots-Tag", "noindex")]
    resumed = audit(site, tmp_path / "next", resume=killed)
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
        second = audit(other, tmp_path / "other", f"reuse={first.path}")
    assert second.manifest.complete
    assert second.manifest.reused
    assert second.manifest.reused.reason == "this audit revalidated none of its pages"


@pytest.mark.parametrize(
    ("arguments", "settings", "reason"),
    [
        (("agent=Bingbot",), {}, "its agent was Googlebot"),
        ((), {"USER_AGENT": "other"}, "its requests had other headers"),
    ],
    ids=["agent", "headers"],
)
def test_a_run_with_other_requests_is_not_reused(
    site: VersionedSite,
    first: Run,
    tmp_path: Path,
    arguments: tuple[str, ...],
    settings: dict[str, Any],
    reason: str,
) -> None:
    second = again(site, tmp_path, *arguments, **settings)
    assert site.statuses == {200: PAGES}
    assert second.manifest.reused == ReusedRun(first.path.name, reason)
    assert second.manifest.complete


def test_the_first_run_reuses_nothing_and_says_so(tmp_path: Path) -> None:
    with VersionedSite(1) as site:
        first = again(site, tmp_path)
    assert first.manifest.reused == ReusedRun(reason="there is no earlier run")


def test_each_shard_reuses_its_own_run(tmp_path: Path) -> None:
    with VersionedSite(PAGES) as site:
        for number in (1, 2):
            audit(site, tmp_path / str(number), f"shard={number}/2")
        shards = [again(site, tmp_path / str(number), f"shard={number}/2") for number in (1, 2)]
        merged = merge(*(shard.path for shard in shards), into=tmp_path / "merged" / "run")
    assert sum(len(rows(shard, "url", "carried_from is not null")) for shard in shards) == PAGES
    assert revalidated(merged) == {"not-modified": PAGES}
    assert merged.manifest.complete
