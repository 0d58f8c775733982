"""page-status-unusual: 1xx, 2xx other than 200, 3xx without redirect, or 200 without a body."""

from sitemapaudit.items import Page
from tests.pages.responses import SITE, URL, page_of, redirect
from tests.rules.tables import tables_of
from tests.rules.together import check, messages
from tests.support.rows import fetched_page, listed

RULE = "page-status-unusual"


def test_empty_body() -> None:
    empty = ["returns 200 with an empty body"]
    cases: list[tuple[Page, list[str]]] = [
        (page_of(""), empty),
        (page_of("", media="application/pdf"), empty),
        (page_of("x"), []),
        (page_of(" "), []),
        (page_of("", "Content-Length: 0", media="image/png", skipped=True), empty),
        (page_of("", "Content-Length: 1", media="image/png", skipped=True), []),
        (page_of("", media="image/png", skipped=True), []),
        (page_of("", status=204), ["returns 204"]),
        (page_of("", status=404), []),
        (page_of(b"\x1f\x8b", "Content-Encoding: gzip"), []),
    ]
    check(RULE, cases, lambda page: [listed(URL), page], messages)


def test_statuses_and_their_cause() -> None:
    """A redirect without a target has another rule."""
    pages = [fetched_page(f"{SITE}/{status}", status) for status in (300, 304, 308, 399, 400, 600)]
    rows = [*pages, redirect(URL, "/399")]
    tables = tables_of([listed(*(page.url for page in rows)), *rows], RULE)
    assert {(row["url"].rpartition("/")[2], row["cause"]) for row in tables.rows} == {
        *((str(status), f"return {status}") for status in (300, 304, 399, 600)),
        (URL.rpartition("/")[2], "redirect to URLs that return 399"),
    }
