"""What a 304 confirms depends only on the columns of the earlier page that are kept for it."""

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Role, Verdict
from sitemapaudit.pages.revalidating import READ_COLUMNS, carry, conditions, differences, is_usable

URL = "https://www.example.com/a"
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
EARLIER = Page(
    URL, verdict=Verdict.INDEXABLE, status=200, is_html=True, noindex=False, title="A", etag='"a"',
    fetched_at=NOW, content_hash="a", words=5,
)  # fmt: skip
OTHER: dict[str, Any] = {"role": Role.REDIRECT, "allowed": False, "retries": 9, "elapsed": 9.9}
"""Values of columns that no text can have."""


def carried(earlier: Page) -> tuple[Any, ...]:
    response = Response(url=URL, status=304, headers={"etag": ['"a"']}, fetched_at=NOW)
    page = carry(earlier, response, Page(URL), "Googlebot", "run")
    return conditions(earlier), is_usable(response, earlier), differences(earlier, page), page


@pytest.mark.parametrize("name", sorted({each.name for each in fields(Page)} - READ_COLUMNS))
def test_columns_that_are_not_kept_have_no_effect(name: str) -> None:
    changed = replace(EARLIER, **{name: OTHER.get(name, "other")})
    assert getattr(changed, name) != getattr(EARLIER, name)
    assert carried(changed) == carried(EARLIER)
