"""Checks that the names of the audited hosts exist at all."""

import socket
from collections.abc import Iterable

from sitemapaudit import urls
from sitemapaudit.fetching.proxies import proxy_for


def find_unknown_hosts(origins: Iterable[str]) -> str | None:
    """Return a message if none of the hosts has an address; None if one has, or if that is unknown.

    A resolver that fails proves nothing, and behind a proxy the proxy resolves names.
    """
    names: dict[str, None] = {}
    for origin in origins:
        url = f"{origin}/"
        if proxy_for(urls.scheme(url), urls.host(url)) or _may_exist(urls.host(url)):
            return None
        names[urls.host(url)] = None
    if len(names) == 1:
        return f"The host {next(iter(names))} does not exist"
    return f"None of the hosts {', '.join(names)} exists"


def _may_exist(host: str) -> bool:
    try:
        socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        return error.errno not in _NO_SUCH_NAME
    except UnicodeError:  # Python's codec refuses names that are invalid in DNS.
        return False
    return True


_NO_SUCH_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
