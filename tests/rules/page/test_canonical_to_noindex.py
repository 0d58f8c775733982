"""canonical-to-noindex: the target is noindex for the agent."""

import pytest

from sitemapaudit.items import Page
from tests.pages.responses import (
    SITE,
    URL,
    canonical,
    head,
    page_of,
)  # fmt: skip
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "canonical-to-noindex"
B = f"{SITE}/b"
CANONICALIZED_TO_B = page_of(head(canonical(B)))


def target_saying(*lines: str, body: str = head(), agent: str = "Googlebot") -> Page:
    return page_of(body, *[f"X-Robots-Tag: {line}" for line in lines], at=B, agent=agent)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (target_saying("noindex"), "noindex"),
        (target_saying("none"), "none"),
        (target_saying("nofollow", "noindex"), "nofollow, noindex"),
        (target_saying("googlebot: noindex"), "noindex"),
        (target_saying(body=head("<meta name=robots content=noindex>")), "noindex"),
        (target_saying("unavailable_after: 2026-11-20"), "unavailable_after: 2026-11-20"),
        (target_saying("noindex", body=head(canonical(B))), "noindex"),
    ],
)
def test_a_noindex_target_is_reported(target: Page, expected: str) -> None:
    tables = tables_of([listed(URL), CANONICALIZED_TO_B, target], RULE)
    message = f"is canonicalized to {B}, which says {expected}"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        target_saying(),
        target_saying("nofollow"),
        target_saying("otherbot: noindex"),
        target_saying("googlebot: noindex", agent="Bingbot"),
        target_saying("unavailable_after: 2026-11-22"),
    ],
)
def test_other_directives_are_not_reported(target: Page) -> None:
    assert rule_on(tables_of([listed(URL), CANONICALIZED_TO_B, target], RULE), RULE) == []


def test_a_noindex_of_the_page_itself_is_not_reported() -> None:
    page = page_of(head(canonical(URL)), "X-Robots-Tag: noindex")
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
