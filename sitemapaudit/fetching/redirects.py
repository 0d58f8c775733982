"""Redirects of robots.txt and sitemaps, followed to their end within limits."""

from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error


class FollowedResponse(Struct, frozen=True):
    """The response at the end of a redirect chain; ``hops`` counts the redirects."""

    response: Response
    hops: int


async def follow(
    url: str, limit: int, fetch: Callable[[str], Awaitable[Response]]
) -> FollowedResponse:
    """Fetch a URL, and follow up to ``limit`` redirects."""
    response, hops, seen = await fetch(url), 0, {url}
    while response.status in REDIRECT_STATUSES:
        hops += 1
        target = response.redirect_target()
        error = _redirect_error(target, seen, exhausted=hops > limit)
        if error is not None or target is None:
            return FollowedResponse(replace(response, error=error), hops)
        seen.add(target)
        response = await fetch(target)
    return FollowedResponse(response, hops)


def _redirect_error(target: str | None, seen: set[str], *, exhausted: bool) -> Error | None:
    if target is None:
        return Error.REDIRECT_INVALID
    if target in seen:
        return Error.REDIRECT_LOOP
    return Error.TOO_MANY_REDIRECTS if exhausted else None
