"""page-not-found: the final status is 404 or 410."""

from tests.pages.responses import SITE, URL, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, fetched_page, listed

RULE = "page-not-found"


def test_message_and_place() -> None:
    tables = tables_of([listed(URL), page_of(status=404)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", "returns 404")]
    assert set(tables.findings["sitemap"]) == {SITEMAP}


def test_other_statuses_and_challenges() -> None:
    pages = [fetched_page(f"{SITE}/{status}", status) for status in (200, 403, 405, 411, 500)]
    pages.append(fetched_page(f"{SITE}/challenge", 404, challenge="a challenge"))
    tables = tables_of([listed(*(page.url for page in pages)), *pages], RULE)
    assert rule_on(tables, RULE) == []
