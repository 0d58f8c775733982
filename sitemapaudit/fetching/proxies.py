"""The proxies of the environment: ``http_proxy``, ``https_proxy`` and ``no_proxy``."""

from typing import Final, Self
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from msgspec import Struct

SCHEMES: Final = ("http", "https")
"""URL schemes that can have a proxy."""

_PORTS: Final = {"http": 80, "https": 443}


class Proxy(Struct, frozen=True):
    """The address of a proxy, with its user name and password if it needs them."""

    host: str
    port: int
    tls: bool
    credentials: str | None

    @classmethod
    def parse(cls, address: str) -> Self:
        """Read the address of a proxy; without a scheme it is http."""
        parts = urlsplit(address if "://" in address else f"http://{address}")
        credentials = None
        if parts.username is not None:
            credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        port = parts.port or _PORTS.get(parts.scheme, 80)
        return cls(parts.hostname or "", port, parts.scheme == "https", credentials)


def proxies() -> dict[str, Proxy]:
    """Return the proxies by the scheme of URLs; Scrapy uses the same."""
    found = getproxies()
    return {scheme: Proxy.parse(found[scheme]) for scheme in SCHEMES if found.get(scheme)}


def proxy_for(scheme: str, host: str) -> Proxy | None:
    """Return the proxy for a host; None if there is none, or if ``no_proxy`` names the host."""
    proxy = proxies().get(scheme)
    return None if proxy is None or proxy_bypass(host) else proxy
