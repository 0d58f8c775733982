"""page-not-found: the final status is 404 or 410."""

from tests.pages.responses import URL, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "page-not-found"


def test_message_and_place() -> None:
    tables = tables_of([listed(URL), page_of(status=404)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", "returns 404")]
    assert set(tables.findings["sitemap"]) == {SITEMAP}
