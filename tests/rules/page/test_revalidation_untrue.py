"""revalidation-untrue: a 304 for a page that changed."""

import pytest

from sitemapaudit.items import Entries, Page, Revalidation
from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities
from tests.support.rows import listed

RULE = "revalidation-untrue"


def untrue(result: Revalidation | None = Revalidation.UNTRUE, *columns: str) -> Page:
    page = page_of(head())
    page.revalidation, page.hidden_changes = result, [*columns]
    return page


def example() -> list[Entries | Page]:
    """Return items that break the rule."""
    return [listed(URL), untrue(Revalidation.UNTRUE, "title", "content_hash")]


@pytest.mark.parametrize("result", [None, *Revalidation])
def test_only_what_is_untrue(result: Revalidation | None) -> None:
    expected = ["warning"] if result is Revalidation.UNTRUE else []
    assert severities(RULE, untrue(result, "title")) == expected


def test_message() -> None:
    (finding,) = found(RULE, untrue(Revalidation.UNTRUE, "title", "content_hash"))
    assert finding.message == (
        "not modified according to the server (304), but it differs: title, content_hash"
    )
