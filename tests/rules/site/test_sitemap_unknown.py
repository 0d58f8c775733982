"""sitemap-unknown: a site that shows no sitemap may have one, because something was denied."""

import pytest

from sitemapaudit.items import Error, Robots
from tests.pages.responses import SITE
from tests.rules.tables import rule_on, tables_of

RULE, OTHER = "sitemap-unknown", "sitemap-not-found"
TRIED = [f"{SITE}/sitemap.xml", f"{SITE}/sitemap_index.xml"]


def robots(status: int, *outcomes: str, found: int = 0, audited: bool = True) -> Robots:
    row = Robots(SITE, f"{SITE}/robots.txt", audited, status)
    row.well_known_tried, row.well_known_found = TRIED, found
    row.well_known_outcomes = list(outcomes)
    return row


def example() -> list[Robots]:
    """Return a site that denies access to everything."""
    return [robots(403, "403", "403")]


def test_all_usual_places_are_disallowed() -> None:
    row = Robots(SITE, f"{SITE}/robots.txt", status=200)
    row.well_known_tried, row.well_known_found, row.well_known_outcomes = [], 0, []
    ((_, _, message),) = rule_on(tables_of([row], RULE), RULE)
    assert message.endswith(": robots.txt declares none, and disallows the usual places")
    assert not rule_on(tables_of([row], OTHER), OTHER)


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (robots(403, "403", "403"), RULE),
        (robots(401, "404", "404"), RULE),
        (robots(404, "404", "403"), RULE),
        (robots(200, "429", "404"), RULE),
        (robots(200, "503", "404"), RULE),
        (robots(200, Error.TIMEOUT.value, "404"), RULE),
        (robots(200, "404", "404"), OTHER),
        (robots(404, "410", "200"), OTHER),
        (robots(404, "404", "403", found=1), None),
        (robots(403, "403", "403", audited=False), None),
    ],
)
def test_outcomes(row: Robots, rule: str | None) -> None:
    for each in (RULE, OTHER):
        found = rule_on(tables_of([row], each), each)
        assert [severity for _, severity, _ in found] == ["warning"] * (each == rule)


def test_message_names_what_each_url_returned() -> None:
    ((url, _, message),) = rule_on(tables_of(example(), RULE), RULE)
    assert url == SITE
    assert message == (
        "may have a sitemap that is hidden from this audit:"
        f" robots.txt (403), {TRIED[0]} (403), {TRIED[1]} (403)"
    )


def test_a_request_for_robots_txt_without_a_response() -> None:
    row = robots(0, "timeout", "404")
    row.status, row.error = None, Error.REDIRECT_LOOP
    ((_, _, message),) = rule_on(tables_of([row], RULE), RULE)
    assert "robots.txt (redirect-loop)" in message
