"""Failed pages are fetched once more at the end of the run, within limits."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask, FirstResult
from sitemapaudit.crawling.rechecks import MAX_PER_FAILURE, SAMPLE, Rechecks, may_be_transient
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.items import Error, Page, RecheckResult, RenderReason, Role, Verdict
from tests.hostile.attacks import urlset
from tests.support.audits import Audited, crawl

SITE = "https://www.example.com"
HTML = [("Content-Type", "text/html")]
GOOD = Reply("<!doctype html><title>Page</title><main>Text of the page.</main>", headers=HTML)
SOFT = Reply("<!doctype html><title>Page not found</title><main>Sorry.</main>", headers=HTML)
FAILING, HANGING, RESET = Reply("", 503, HTML), Reply(delay=3), Reply(reset=True)
MOVED, GONE = Reply("", 301, [("Location", "/end")]), Reply("", 404, HTML)

REPLIES = {
    "/fine": [GOOD],
    "/recovers": [FAILING, FAILING, GOOD],
    "/moves": [FAILING, FAILING, MOVED],
    "/changes": [FAILING, FAILING, GONE],
    "/down": [FAILING],
    "/hangs": [HANGING],
    "/wakes": [HANGING, GOOD],
    "/reset": [RESET, RESET, GOOD],
    "/soft": [SOFT, GOOD],
    "/missing": [SOFT],
}
"""The replies of each page, one after another; the last one is repeated."""

EXPECTED = {
    "/fine": (None, "indexable", 0),
    "/recovers": ("recovered", "indexable", 2),
    "/moves": ("recovered", "redirected", 2),
    "/changes": ("intermittent", "not-found", 2),
    "/down": ("confirmed", "server-error", 2),
    "/hangs": ("confirmed", "unreachable", 1),
    "/wakes": ("recovered", "indexable", 1),
    "/reset": ("recovered", "indexable", 2),
    "/soft": ("recovered", "indexable", 1),
    "/missing": ("confirmed", "soft-404", 1),
}
"""What the recheck of each page shows, its verdict, and how often it was fetched again."""


class Website:
    """Fails as ``REPLIES`` says; a context manager that serves it."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self._server = Server(self._reply)

    @property
    def origin(self) -> str:
        return self._server.origin

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def _reply(self, request: ServerRequest) -> Reply:
        path = request.path
        if path == "/robots.txt":
            return Reply(
                f"Sitemap: {self.origin}/sitemap.xml", headers=[("Content-Type", "text/plain")]
            )
        if path == "/sitemap.xml":
            listed = urlset(self.origin + each for each in REPLIES)
            return Reply(listed, headers=[("Content-Type", "application/xml")])
        replies = REPLIES.get(path, [GOOD if path == "/end" else GONE])
        seen = self.paths.count(path)
        self.paths.append(path)
        return replies[min(seen, len(replies) - 1)]


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website() as served:
        yield served


@pytest.fixture(scope="module")
def audited(website: Website, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return audit(tmp_path_factory.mktemp("rechecks"), site=website.origin)


def audit(folder: Path, **arguments: str) -> Audited:
    return crawl(folder, arguments, {"DOWNLOAD_TIMEOUT": "1"})


def outcomes(audited: Audited, website: Website) -> dict[str, tuple[str | None, str, int]]:
    pages = audited.run.pages.query("role == 'listed'").astype(object)
    rows = zip(pages["url"], pages["recheck"], pages["verdict"], pages["retries"], strict=True)
    return {
        url.removeprefix(website.origin): (recheck if isinstance(recheck, str) else None, *rest)
        for url, recheck, *rest in rows
    }


@pytest.mark.xdist_group("rechecks")
def test_what_rechecks_show(audited: Audited, website: Website) -> None:
    assert outcomes(audited, website) == EXPECTED
    assert "Traceback" not in audited.log


@pytest.mark.xdist_group("rechecks")
def test_each_request_is_counted_on_the_row(audited: Audited, website: Website) -> None:
    assert audited.run.urls["verdict"].notna().all()
    made = Counter(website.paths)
    assert {path: made[path] - 1 for path in REPLIES} == {
        path: retries for path, (_, _, retries) in EXPECTED.items()
    }


@pytest.mark.xdist_group("rechecks")
def test_rechecks_come_after_everything_else(audited: Audited, website: Website) -> None:
    assert audited.status == 0
    last = website.paths[-sum(bool(result) for result, *_ in EXPECTED.values()) - 1 :]
    assert {path for path in last if path != "/end"} == {
        path for path, (result, *_) in EXPECTED.items() if result
    }


@pytest.mark.xdist_group("rechecks")
def test_the_verdict_and_the_findings_are_those_of_the_last_response(
    audited: Audited, website: Website
) -> None:
    found = audited.run.findings
    places = found["url"].str.removeprefix(website.origin)
    assert {*places[found["rule"] == "page-intermittent"]} == {
        path for path, (result, *_) in EXPECTED.items() if result not in (None, "confirmed")
    }
    assert {*places[found["rule"] == "page-server-error"]} == {"/down"}
    assert {*places[found["rule"] == "page-timeout"]} == {"/hangs"}
    moved = audited.run.urls.set_index("url").loc[f"{website.origin}/moves"]
    assert (moved["final_url"], moved["final_status"]) == (f"{website.origin}/end", 200)
    pages = audited.run.pages.set_index("url")
    assert pages.loc[f"{website.origin}/wakes", "first_error"] == "timeout"
    assert pages.loc[f"{website.origin}/recovers", "first_status"] == 503


@pytest.mark.xdist_group("rechecks")
def test_a_resumed_run_makes_the_missing_rechecks_only(audited: Audited, website: Website) -> None:
    run = audited.run.path
    made = Counter(website.paths)
    log = run / "log" / "rechecks.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    lost = {json.loads(line)["url"].removeprefix(website.origin) for line in lines[3:]}
    log.write_text("".join(lines[:3]) + lines[3][:40])
    manifest = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(manifest | {"status": "running"}))
    resumed = audit(run.parent.parent, resume=str(run))
    assert (resumed.status, "Traceback" in resumed.log) == (0, False)
    assert {path for path in REPLIES if Counter(website.paths)[path] > made[path]} == lost
    assert len(resumed.run.pages) == len(resumed.run.pages["url"].unique())
    assert outcomes(resumed, website) == EXPECTED
    assert not resumed.run.findings.duplicated(["rule", "url", "message"]).any()


def failed(number: int = 0, **values: Any) -> Page:
    given = {"verdict": Verdict.SERVER_ERROR, "status": 500, **values}
    return Page(f"{SITE}/{number}", **given)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, True),
        ({"verdict": Verdict.SOFT_404, "status": 200}, True),
        *(
            ({"verdict": Verdict.UNREACHABLE, "status": None, "error": error}, expected)
            for error, expected in [
                (Error.TIMEOUT, True),
                (Error.RESET, True),
                (Error.REFUSED, True),
                (Error.DNS, True),
                (Error.TRUNCATED, True),
                (Error.TLS, False),
                (Error.ENCODING, False),
                (Error.PRIVATE_ADDRESS, False),
            ]
        ),
        *(
            ({"verdict": verdict}, False)
            for verdict in Verdict
            if verdict not in (Verdict.SERVER_ERROR, Verdict.SOFT_404)
        ),
        ({"role": Role.REDIRECT}, True),
        ({"role": Role.PROBE}, False),
        ({"render_reason": RenderReason.ALWAYS}, False),
    ],
)
def test_which_failures_are_rechecked(values: dict[str, Any], expected: bool) -> None:
    assert may_be_transient(failed(**values)) is expected


def record(rechecks: Rechecks, task: FetchTask, **values: Any) -> Page:
    page = failed(**values)
    page.url = task.url
    assert task.first is not None
    rechecks.record_result(page, task.first)
    return page


def waiting(number: int) -> Rechecks:
    rechecks = Rechecks(enabled=True)
    for each in range(number):
        rechecks.add(failed(each), 0)
    return rechecks


def test_a_host_that_is_down_costs_a_sample() -> None:
    rechecks = waiting(500)
    sample = [*rechecks.next_tasks()]
    assert len(sample) == SAMPLE
    assert len({task.url for task in sample}) == SAMPLE
    for task in sample:
        record(rechecks, task)
    assert [*rechecks.next_tasks()] == []


def test_if_one_page_of_the_sample_recovers_all_are_rechecked() -> None:
    rechecks = waiting(500)
    sample = [*rechecks.next_tasks()]
    for task in sample[1:]:
        record(rechecks, task)
    record(rechecks, sample[0], verdict=Verdict.INDEXABLE, status=200)
    rest = [*rechecks.next_tasks()]
    assert len({task.url for task in (*sample, *rest)}) == 500
    assert [*rechecks.next_tasks()] == []


def test_the_number_of_rechecks_is_limited() -> None:
    rechecks = waiting(MAX_PER_FAILURE + 5)
    tasks = [*rechecks.next_tasks()]
    record(rechecks, tasks[0], verdict=Verdict.INDEXABLE, status=200)
    assert len(tasks) + len([*rechecks.next_tasks()]) == MAX_PER_FAILURE


def test_which_pages_are_rechecked_does_not_depend_on_the_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sitemapaudit.crawling.rechecks.MAX_PER_FAILURE", 40)
    monkeypatch.setattr("sitemapaudit.crawling.rechecks.MAX_PAGES", 60)
    statuses = [Verdict.SERVER_ERROR] * 100 + [Verdict.SOFT_404] * 50 + [Verdict.UNREACHABLE] * 5
    pages = [
        failed(number, verdict=verdict, error=Error.RESET if number >= 150 else None)
        for number, verdict in enumerate(statuses)
    ]
    chosen = []
    for seed in range(20):
        random.Random(seed).shuffle(pages)
        rechecks = Rechecks(enabled=True)
        for page in pages:
            rechecks.add(page, 0)
        sample = [*rechecks.next_tasks()]
        for task in sample:
            record(rechecks, task, verdict=Verdict.INDEXABLE, status=200)
        chosen.append(({task.url for task in sample}, {task.url for task in rechecks.next_tasks()}))
    assert [len(urls) for urls in chosen[0]] == [2 * SAMPLE + 5, 60 - 2 * SAMPLE - 5 - 1]
    assert chosen == chosen[:1] * 20


def test_each_failure_of_a_host_has_a_sample() -> None:
    rechecks = waiting(50)
    hanging = {"verdict": Verdict.UNREACHABLE, "status": None, "error": Error.TIMEOUT}
    for number in range(100, 150):
        rechecks.add(failed(number, **hanging), 0)
    assert len([*rechecks.next_tasks()]) == 2 * SAMPLE


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ({}, RecheckResult.CONFIRMED),
        ({"status": 502}, RecheckResult.CONFIRMED),
        ({"verdict": Verdict.NOT_FOUND, "status": 404}, RecheckResult.INTERMITTENT),
        ({"verdict": Verdict.DENIED, "status": 403}, RecheckResult.INTERMITTENT),
        ({"verdict": Verdict.SOFT_404, "status": 200}, RecheckResult.INTERMITTENT),
        (
            {"verdict": Verdict.UNREACHABLE, "status": None, "error": Error.RESET},
            RecheckResult.INTERMITTENT,
        ),
        ({"verdict": Verdict.INDEXABLE, "status": 200}, RecheckResult.RECOVERED),
        ({"verdict": Verdict.NOINDEX, "status": 200}, RecheckResult.RECOVERED),
        ({"verdict": Verdict.REDIRECTED, "status": 301}, RecheckResult.RECOVERED),
    ],
)
def test_results(values: dict[str, Any], result: RecheckResult) -> None:
    rechecks = waiting(1)
    (task,) = rechecks.next_tasks()
    page = record(rechecks, task, retries=0, **values)
    assert (page.recheck, page.first_status, page.retries) == (result, 500, 1)


def test_our_own_failure_leaves_the_first_row() -> None:
    rechecks = waiting(1)
    first = FirstResult(Verdict.SERVER_ERROR, 500, None, 0)
    assert (
        rechecks.record_result(failed(verdict=Verdict.UNCHECKED, error=Error.INTERNAL), first)
        is False
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, True),
        ({"AUDIT_RECHECK": "False"}, False),
        ({"AUDIT_RECHECK": False}, False),
        ({"RETRY_TIMES": 0}, False),
        ({"RETRY_ENABLED": False}, False),
        ({"RETRY_ENABLED": "False"}, False),
    ],
)
def test_when_pages_are_rechecked(settings: dict[str, Any], expected: bool) -> None:
    given = {"DOWNLOAD_TIMEOUT": 30, "RETRY_TIMES": 2, "RETRY_ENABLED": True, **settings}
    assert Config.read({"site": "www.example.com"}, given).rechecks is expected
