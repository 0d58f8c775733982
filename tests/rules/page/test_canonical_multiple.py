"""canonical-multiple: several usable canonicals in one place; notice if they agree."""

import pytest

from tests.pages.responses import SITE, URL, canonical, head, page_of
from tests.support.findings import found, severities

RULE = "canonical-multiple"
B_IN_HEADER = "Link: </b>; rel=canonical"
C_IN_HEADER = "Link: </c>; rel=canonical"


@pytest.mark.parametrize(
    ("hrefs", "lines", "expected"),
    [
        ([], [], []),
        (["/b"], [], []),
        (["/b", "/c"], [], ["error"]),
        (["/b", "/b", "/c"], [], ["error"]),
        (["/b", "/b"], [], ["notice"]),
        (["/b", f"{SITE}:443/%62#part"], [], ["notice"]),
        (["/b", "/b/"], [], ["error"]),
        (["/b"], [B_IN_HEADER], []),
        ([], [B_IN_HEADER, C_IN_HEADER], ["error"]),
        ([], ["Link: </b>; rel=canonical, </c>; rel=canonical"], ["error"]),
        ([], [B_IN_HEADER, B_IN_HEADER], ["notice"]),
        (["/b", "/b"], [B_IN_HEADER], ["notice"]),
        (["/b", "/b"], [B_IN_HEADER, B_IN_HEADER], ["notice", "notice"]),
        (["/b", "/c"], [B_IN_HEADER, C_IN_HEADER], ["error", "error"]),
        (["/b", ""], [], []),
        (["/b", "mailto:b@example.com"], [], []),
    ],
)
def test_targets(hrefs: list[str], lines: list[str], expected: list[str]) -> None:
    assert severities(RULE, page_of(head(*map(canonical, hrefs)), *lines)) == expected


def test_unusable_canonicals_do_not_count() -> None:
    ignored = "<link rel=canonical href=/c media=print>"
    outside = f"<body>{canonical('/d')}"
    assert severities(RULE, page_of(f"{canonical('/b')}{ignored}{outside}")) == []


def test_a_conflict_of_tag_and_header_is_reported_by_its_own_rule() -> None:
    page = page_of(head(canonical("/b")), C_IN_HEADER)
    assert severities(RULE, page) == []
    assert severities("canonical-header-conflict", page) == ["error"]


def test_message_contains_the_place_and_each_target_once() -> None:
    page = page_of(head(canonical("/b"), canonical("/c"), canonical("/b")))
    (finding,) = found(RULE, page)
    assert finding.message == f"declares 3 canonicals in its head: {SITE}/b, {SITE}/c"
    assert finding.url == URL
    (finding,) = found(RULE, page_of(head(), B_IN_HEADER, B_IN_HEADER))
    assert finding.message == f"declares 2 canonicals in its header: {SITE}/b"


def test_headers_on_a_file_that_is_not_html_are_reported() -> None:
    page = page_of("%PDF", B_IN_HEADER, C_IN_HEADER, media="application/pdf")
    assert severities(RULE, page) == ["error"]
