"""hreflang-outside-head: hreflang links after the end of the parsed head have no effect."""

import pytest

from tests.pages.responses import SITE, head, page_of
from tests.support.findings import found, severities

RULE = "hreflang-outside-head"
DE = f"<link rel=alternate hreflang=de href={SITE}/de>"
EN = f"<link rel=alternate hreflang=en href={SITE}/en>"


@pytest.mark.parametrize("end", ["<p>", "<img src=/p.gif>", "<iframe></iframe>", "text", "<body>"])
def test_links_behind_the_end_of_the_head_are_counted(end: str) -> None:
    page = page_of(head(DE, end, EN, DE))
    assert [alternate.hreflang for alternate in page.alternates] == ["de"]
    [finding] = found(RULE, page)
    assert finding.message == "has 2 hreflang links outside the head"
    assert severities(RULE, page) == ["warning"]


@pytest.mark.parametrize(
    "link",
    [
        "<link rel=alternate href=/feed type=application/rss+xml>",
        "<link rel=alternate hreflang=de type=application/rss+xml href=/feed>",
        "<link rel=alternate hreflang=de media='(max-width: 640px)' href=/m>",
        "<link rel=canonical hreflang=de href=/de>",
        "<a rel=alternate hreflang=de href=/de>Deutsch</a>",
        "<!-- <link rel=alternate hreflang=de href=/de> -->",
    ],
)
def test_other_links_do_not_count(link: str) -> None:
    assert severities(RULE, page_of(head("<p>", link))) == []


def test_links_in_the_head_are_not_reported() -> None:
    assert severities(RULE, page_of(head(DE, EN, "<p>"))) == []


def test_only_pages_that_were_read_are_checked() -> None:
    assert severities(RULE, page_of(head("<p>", DE), status=404)) == []
