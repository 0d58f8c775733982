"""noindex-header: a line of X-Robots-Tag says noindex or none to no agent in particular."""

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities

RULE = "noindex-header"


@pytest.mark.parametrize(
    "lines",
    [
        ["noindex"],
        ["NoIndex"],
        ["none"],
        ["nofollow, noindex"],
        ["noarchive,none"],
        ["*: noindex"],
        ["nofollow", "noindex"],
        ["googlebot: nofollow", "noindex"],
        ["noindex, googlebot: index"],
        ["max-snippet: 20, noindex"],
        ["max-image-preview: large, noindex"],
        ["max-video-preview: -1, noindex"],
        ["unavailable_after: 2037-11-21, noindex"],
        ["unavailable_after: 21 Nov 2037 12:00:00 GMT, noindex"],
        ["unavailable_after: Saturday, 21-Nov-37 12:00:00 GMT, noindex"],
        ["index, noindex"],
    ],
)
def test_noindex_for_every_agent_is_reported(lines: list[str]) -> None:
    page = page_of(head(), *[f"X-Robots-Tag: {line}" for line in lines])
    assert severities(RULE, page) == ["error"]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["index"],
        ["all, follow"],
        ["nofollow"],
        ["googlebot: noindex"],
        ["googlebot: nofollow, noindex"],
        ["googlebot: nofollow, max-snippet: 5, noindex"],
        ["otherbot: noindex", "otherbot: none"],
        ["otherbot: nofollow, noindex", "follow"],
        ["max-image-preview: none"],
        ["noimageindex"],
    ],
)
def test_other_lines_are_not_reported(lines: list[str]) -> None:
    page = page_of(head(), *[f"X-Robots-Tag: {line}" for line in lines])
    assert severities(RULE, page) == []


def test_a_header_on_a_file_that_is_not_html_is_reported() -> None:
    page = page_of("%PDF", "X-Robots-Tag: noindex", media="application/pdf", skipped=True)
    assert severities(RULE, page) == ["error"]


def test_a_tag_is_not_reported() -> None:
    assert severities(RULE, page_of(head("<meta name=robots content=noindex>"))) == []


def test_message_contains_the_first_token() -> None:
    (finding,) = found(RULE, page_of(head(), "X-Robots-Tag: NONE", "X-Robots-Tag: noindex"))
    assert finding.message == "says none in the X-Robots-Tag header"
    assert finding.url == URL
