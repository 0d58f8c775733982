"""page-server-error: the final status, after retries, is 500 to 599."""

import pytest

from tests.pages.responses import URL, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "page-server-error"


@pytest.mark.parametrize(("retries", "attempts"), [(0, 1), (2, 3)])
def test_message_contains_the_number_of_attempts(retries: int, attempts: int) -> None:
    tables = tables_of([listed(URL), page_of(status=503, retries=retries)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"returns 503 (attempts: {attempts})")]
