"""robots-redirect-chain: more than five redirects, or a loop; five are allowed."""

import json

import pytest

from sitemapaudit.items import Error, Robots
from tests.rules.robots.files import ROBOTS, SITE
from tests.support.findings import found, severities

RULE = "robots-redirect-chain"


def redirected(hops: int, error: Error | None = None, *, audited: bool = True) -> Robots:
    return Robots(SITE, ROBOTS, audited, hops=hops, error=error)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (redirected(0), []),
        (redirected(1), []),
        (redirected(5), []),
        (redirected(6, Error.TOO_MANY_REDIRECTS), ["warning"]),
        (redirected(6, Error.REDIRECT_INVALID), ["warning"]),
        (redirected(5, Error.REDIRECT_INVALID), []),
        (redirected(5, Error.TIMEOUT), []),
        (redirected(1, Error.REDIRECT_LOOP), ["warning"]),
        (redirected(5, Error.REDIRECT_LOOP), ["warning"]),
        (redirected(6, Error.TOO_MANY_REDIRECTS, audited=False), []),
        (redirected(1, Error.REDIRECT_LOOP, audited=False), []),
    ],
)
def test_hops(row: Robots, expected: list[str]) -> None:
    assert severities(RULE, row) == expected


def test_message_and_evidence_of_a_chain() -> None:
    (finding,) = found(RULE, redirected(6, Error.TOO_MANY_REDIRECTS))
    assert finding.message == "redirects at least 6 times; at most 5 redirects are followed"
    assert finding.url == ROBOTS
    evidence = json.loads(finding.evidence or "")
    assert (evidence["hops"], evidence["limit"]) == (6, 5)


def test_message_of_a_loop() -> None:
    (finding,) = found(RULE, redirected(2, Error.REDIRECT_LOOP))
    assert finding.message == "redirects in a loop; at most 5 redirects are followed"
