"""Checks that the names of the audited hosts exist at all."""

import socket
from collections.abc import Iterable

from sitemapaudit import urls
from sitemapaudit.fetching.proxies import proxy_for


class UnknownHostError(Exception):
    """No audited host exists; the message is a sentence without a full stop."""


def find_first_addresses(origins: Iterable[str]) -> dict[str, list[str]]:
    """Return the addresses of the first host that has some. Raises UnknownHostError.

    There is none if that is unknown: a resolver that fails proves nothing, and behind a proxy the
    proxy resolves names.
    """
    names: dict[str, None] = {}
    for origin in origins:
        url = f"{origin}/"
        host = urls.host(url)
        addresses = [] if proxy_for(urls.scheme(url), host) else _look_up(host)
        if addresses is not None:
            return {host: addresses}
        names[host] = None
    if len(names) == 1:
        raise UnknownHostError(f"The host {next(iter(names))} does not exist")
    raise UnknownHostError(f"None of the hosts {', '.join(names)} exists")


def _look_up(host: str) -> list[str] | None:
    """Return the addresses of a host; None if it has none, nothing if that is unknown."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        return None if error.errno in _NO_SUCH_NAME else []
    except UnicodeError:  # Python's codec refuses names that are invalid in DNS.
        return None
    return [str(place[0]) for *_, place in found]


_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
