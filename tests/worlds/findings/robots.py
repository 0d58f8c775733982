"""Predictions of the rules about robots.txt."""

from collections.abc import Iterator

from sitemapaudit.items import Severity
from tests.worlds.findings.seen import Found, Seen

_ROBOTS = "/robots.txt"


def robots_missing(seen: Seen) -> Iterator[Found]:
    if seen.world.robots is None:
        yield Found(Severity.NOTICE, _ROBOTS)


def robots_unreachable(seen: Seen) -> Iterator[Found]:
    if seen.world.is_closed:
        yield Found(Severity.ERROR, _ROBOTS)


def robots_no_sitemap_line(seen: Seen) -> Iterator[Found]:
    robots = seen.world.robots
    if robots is not None and not robots.declared and not seen.world.is_closed:
        yield Found(Severity.NOTICE, _ROBOTS)


def robots_not_text(seen: Seen) -> Iterator[Found]:
    if _flaw(seen) == "wrong-type":
        yield Found(Severity.NOTICE, _ROBOTS)


def robots_sitemap_duplicate(seen: Seen) -> Iterator[Found]:
    if _flaw(seen) == "repeated":
        yield Found(Severity.NOTICE, _ROBOTS)


def robots_sitemap_invalid(seen: Seen) -> Iterator[Found]:
    if _flaw(seen) == "relative":
        for _ in seen.world.declared:
            yield Found(Severity.ERROR, _ROBOTS)


def _flaw(seen: Seen) -> str:
    """Return how a robots.txt that was read differs from a good one."""
    world = seen.world
    return world.robots.flaw if world.robots and not world.is_closed else ""
