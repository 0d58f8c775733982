"""The responses that are recorded as evidence: the same ones however pages arrive."""

import random
from typing import Any

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.first_pages import MAX_PAGES, FirstPages, choose_first, kinds_of
from sitemapaudit.runs.ledger.records import Recorder
from tests.pages.responses import make_response, page_of
from tests.support.rows import fetched_page

SITE = "https://www.example.com"
RULE = "canonical-missing"


@pytest.mark.parametrize("processes", [1, 3])
def test_neither_the_order_nor_the_number_of_processes_matters(processes: int) -> None:
    given = random.Random(7)
    pages = {
        page.url: (page, {f"rule-{kind}" for kind in range(4) if given.random() < 0.6})
        for page in (fetched_page(f"{SITE}/{number}") for number in range(300))
    }
    every = {(kind, url) for url, (_, kinds) in pages.items() for kind in kinds}
    for _ in range(5):
        keepers = [FirstPages() for _ in range(processes)]
        arrived = given.sample(sorted(pages), len(pages))
        kept = {url for url in arrived if given.choice(keepers).add(*pages[url])}
        assert len(kept) < 4 * processes * 45
        assert choose_first(each for each in every if each[1] in kept) == choose_first(every)


def read(recorder: Recorder, response: Response, **values: Any) -> Page:
    page = page_of(response.body, at=response.url, status=response.status, **values)
    record = recorder.record(page, response=response)
    assert (b'"headers":' in record.lines) is bool(page.headers)
    found: Page = record.item
    return found


def test_pages_without_findings_record_no_response() -> None:
    recorder = Recorder(Audit({"*": "off", RULE: "notice"}))
    fine = make_response('<link rel="canonical" href="/"><p>Enough text', at=f"{SITE}/")
    for number in range(3 * MAX_PAGES):
        assert read(recorder, fine).headers == []
        read(recorder, make_response("<p>x", at=f"{SITE}/{number}"))
    late = read(recorder, make_response("<p>x", at=f"{SITE}/late"), role=Role.PROBE)
    assert kinds_of(late, []) == set()
    assert late.headers == []


def test_an_error_is_recorded_with_the_beginning_of_its_body() -> None:
    body = "  <h1>Down\t for</h1>\r\n\n  maintenance" + "x" * 5_000
    lines = (
        "Retry-After: 120",
        "Set-Cookie: id=1",
        "Location: https://user:secret@www.example.com/",
    )
    page = read(Recorder(Audit({})), make_response(body, *lines, status=503))
    assert page.headers[1:] == [
        "location: https://user:***@www.example.com/",
        "retry-after: 120",
        "set-cookie: ***",
    ]
    assert page.body_start is not None
    assert page.body_start.startswith("<h1>Down for</h1>\nmaintenancexxx")
    assert len(page.body_start) == 300


def test_a_build_and_an_error_have_no_response() -> None:
    recorder = Recorder(Audit({}))
    built = make_response("gone", status=404, file="404.html")
    assert read(recorder, built).headers == []
