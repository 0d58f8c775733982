"""canonical-to-noindex: the target is noindex for the agent."""

from sitemapaudit.items import Page
from tests.pages.responses import (
    SITE,
    URL,
    canonical,
    head,
    page_of,
)  # fmt: skip
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, sentences
from tests.support.rows import listed

RULE = "canonical-to-noindex"
B = f"{SITE}/b"
CANONICALIZED_TO_B = page_of(head(canonical(B)))


def target_saying(*lines: str, body: str = head(), agent: str = "Googlebot") -> Page:
    return page_of(body, *[f"X-Robots-Tag: {line}" for line in lines], at=B, agent=agent)


def test_a_noindex_target_is_reported() -> None:
    cases = [
        (target_saying("noindex"), "noindex"),
        (target_saying("none"), "none"),
        (target_saying("nofollow", "noindex"), "nofollow, noindex"),
        (target_saying("googlebot: noindex"), "noindex"),
        (target_saying(body=head("<meta name=robots content=noindex>")), "noindex"),
        (target_saying("unavailable_after: 2026-11-20"), "unavailable_after: 2026-11-20"),
        (target_saying("noindex", body=head(canonical(B))), "noindex"),
    ]
    start = listed(URL), CANONICALIZED_TO_B
    message = f"is canonicalized to {B}, which says "
    expected = [(target, [(URL, "error", message + said)]) for target, said in cases]
    check(RULE, expected, lambda target: [*start, target], sentences)


def test_other_directives_are_not_reported() -> None:
    cases = [
        target_saying(),
        target_saying("nofollow"),
        target_saying("otherbot: noindex"),
        target_saying("googlebot: noindex", agent="Bingbot"),
        target_saying("unavailable_after: 2026-11-22"),
    ]
    start = listed(URL), CANONICALIZED_TO_B
    check(RULE, [(target, 0) for target in cases], lambda target: [*start, target], len)


def test_a_noindex_of_the_page_itself_is_not_reported() -> None:
    page = page_of(head(canonical(URL)), "X-Robots-Tag: noindex")
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
