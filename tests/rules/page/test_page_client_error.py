"""page-client-error: a 4xx status other than 401, 403, 404, 407, 410 and 429."""

from tests.pages.responses import SITE, URL, page_of, redirect
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed

RULE = "page-client-error"


def test_message_with_and_without_a_redirect() -> None:
    teapot = page_of(at=f"{SITE}/b", status=418)
    tables = tables_of([listed(URL, teapot.url), redirect(URL, "/b"), teapot], RULE)
    assert rule_on(tables, RULE) == [
        (URL, "error", f"redirects to {SITE}/b, which returns 418"),
        (teapot.url, "error", "returns 418"),
    ]


def test_statuses_that_other_rules_report() -> None:
    """A file of a build is not denied to anybody."""
    statuses = (399, 401, 403, 404, 407, 410, 429, 500)
    pages = [fetched_page(f"{SITE}/{status}", status) for status in statuses]
    built = [fetched_page(f"{SITE}/{status}b", status, file="a") for status in (403, 404)]
    rows = [*pages, *built]
    tables = tables_of([listed(*(page.url for page in rows)), *rows], RULE)
    assert rule_on(tables, RULE) == [(f"{SITE}/403b", "error", "returns 403")]
