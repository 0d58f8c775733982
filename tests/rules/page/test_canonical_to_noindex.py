"""canonical-to-noindex: the target says noindex to the agent."""

from pathlib import Path

import pytest

from sitemapaudit.items import Page
from tests.pages.answers import (
    SITE,
    URL,
    WITHHELD,
    canonical,
    head,
    page_of,
    withheld,
)  # fmt: skip
from tests.support import build_run, listed, rule_on

RULE = "canonical-to-noindex"
B = f"{SITE}/b"
NAMING_B = page_of(head(canonical(B)))


def saying(*lines: str, body: str = head(), agent: str = "Googlebot") -> Page:
    return page_of(body, *[f"X-Robots-Tag: {line}" for line in lines], at=B, agent=agent)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (saying("noindex"), "noindex"),
        (saying("none"), "none"),
        (saying("nofollow", "noindex"), "nofollow, noindex"),
        (saying("googlebot: noindex"), "noindex"),
        (saying(body=head("<meta name=robots content=noindex>")), "noindex"),
        (saying("unavailable_after: 2026-11-20"), "unavailable_after: 2026-11-20"),
        (saying("noindex", body=head(canonical(B))), "noindex"),
    ],
)
def test_noindex(tmp_path: Path, target: Page, expected: str) -> None:
    run = build_run(tmp_path, [listed(URL), NAMING_B, target])
    message = f"names the canonical {B}, which says {expected}"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        saying(),
        saying("nofollow"),
        saying("otherbot: noindex"),
        saying("googlebot: noindex", agent="Bingbot"),
        saying("unavailable_after: 2026-11-22"),
    ],
)
def test_no_noindex(tmp_path: Path, target: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), NAMING_B, target]), RULE) == []


@pytest.mark.parametrize("how", WITHHELD)
def test_silent_where_the_target_is_not_known(tmp_path: Path, how: str) -> None:
    body = head("<meta name=robots content=noindex>")
    target = withheld(how, body, "X-Robots-Tag: noindex", at=B)
    assert rule_on(build_run(tmp_path, [listed(URL), NAMING_B, target]), RULE) == []


def test_a_noindex_of_the_page_itself_is_not_told_here(tmp_path: Path) -> None:
    page = page_of(head(canonical(URL)), "X-Robots-Tag: noindex")
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
