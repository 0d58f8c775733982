"""page-timeout: no complete response within the time limit."""

import pytest

from sitemapaudit.items import Error
from tests.pages.responses import URL, failed
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "page-timeout"


@pytest.mark.parametrize("detail", ["20 seconds", "robots.txt: 20 seconds"])
def test_message_contains_the_time_limit(detail: str) -> None:
    tables = tables_of([listed(URL), failed(Error.TIMEOUT, detail)], RULE)
    assert rule_on(tables, RULE) == [
        (URL, "error", f"returns no complete response in time ({detail})")
    ]
    assert list(tables.urls["verdict"]) == ["unreachable"]
    assert list(tables.urls["indexable"].isna()) == [True]
