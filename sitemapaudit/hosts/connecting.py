"""The origin of a site: a bare host name can mean https or http."""

from typing import Final

from sitemapaudit.config import Site
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.hosts import Hosts, robots_url
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Robots

_NO_CONNECTION: Final = frozenset({Error.REFUSED, Error.RESET, Error.TIMEOUT})


def restored_robots(hosts: Hosts, site: Site) -> Robots | None:
    """Return the row of a site whose robots.txt was read before the run was resumed."""
    first = hosts.origin(site.origin).row
    second = hosts.origin(site.fallback).row if site.fallback else None
    return first or (second if second and second.audited else None)


async def connect(hosts: Hosts, responses: Responses, site: Site) -> Robots | None:
    """Read the robots.txt of a site; for a bare host name over http if https does not connect.

    Return None if it was already read for another site.
    """
    origin = site.origin
    if site.fallback and _lacks_https(await responses.robots(robots_url(origin))):
        second = await responses.robots(robots_url(site.fallback))
        if second.error is None:
            origin = site.fallback
    hosts.audited.add(origin)
    return await hosts.read(hosts.origin(origin))


def _lacks_https(response: Response) -> bool:
    """Return whether there is no HTTPS server; one with an untrusted certificate counts as one."""
    if response.error is Error.TLS:
        return "certificate" not in (response.error_detail or "")
    return response.error in _NO_CONNECTION
