"""robots-redirect-chain: more than five redirects, or a loop; five pass."""

import json

import pytest

from sitemapaudit.items import Error, Robots
from tests.rules.robots.files import ROBOTS, SITE
from tests.support import found, severities

RULE = "robots-redirect-chain"


def moved(hops: int, error: Error | None = None, *, judged: bool = True) -> Robots:
    return Robots(SITE, ROBOTS, judged, hops=hops, error=error)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (moved(0), []),
        (moved(1), []),
        (moved(5), []),
        (moved(6, Error.TOO_MANY_REDIRECTS), ["warning"]),
        (moved(6, Error.REDIRECT_INVALID), ["warning"]),
        (moved(5, Error.REDIRECT_INVALID), []),
        (moved(5, Error.TIMEOUT), []),
        (moved(1, Error.REDIRECT_LOOP), ["warning"]),
        (moved(5, Error.REDIRECT_LOOP), ["warning"]),
        (moved(6, Error.TOO_MANY_REDIRECTS, judged=False), []),
        (moved(1, Error.REDIRECT_LOOP, judged=False), []),
    ],
)
def test_hops(row: Robots, expected: list[str]) -> None:
    assert severities(RULE, row) == expected


def test_message_and_evidence_of_a_chain() -> None:
    (finding,) = found(RULE, moved(6, Error.TOO_MANY_REDIRECTS))
    assert finding.message == "redirects 6 times or more, and 5 redirects are followed"
    assert finding.url == ROBOTS
    evidence = json.loads(finding.evidence or "")
    assert (evidence["hops"], evidence["limit"]) == (6, 5)


def test_message_of_a_loop() -> None:
    (finding,) = found(RULE, moved(2, Error.REDIRECT_LOOP))
    assert finding.message == "redirects in a circle, and 5 redirects are followed"
