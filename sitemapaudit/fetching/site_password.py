"""HTTP authentication: the password of a site goes to its origin, and nowhere else."""

from collections.abc import Set as AbstractSet
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from w3lib.http import basic_auth_header

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.engine.audits import config_of

_AUTHORIZATION = "Authorization"


class SitePassword:
    """Adds HTTPAUTH_USER and HTTPAUTH_PASS to requests to the origins that may have them."""

    def __init__(self, credentials: bytes, origins: AbstractSet[str]) -> None:
        self._credentials = credentials
        self._origins = origins

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware. Raises NotConfigured without a password, or without an audit."""
        config = config_of(crawler)
        settings = crawler.settings
        user, password = settings.get("HTTPAUTH_USER", ""), settings.get("HTTPAUTH_PASS", "")
        if config.is_demo or not (user or password):
            raise NotConfigured
        return cls(
            basic_auth_header(user, password),
            password_origins(config, settings.get("HTTPAUTH_DOMAIN")),
        )

    def process_request(self, request: Request) -> None:
        """Add the password to a request to one of the origins."""
        if urls.origin(request.url) in self._origins:
            request.headers.setdefault(_AUTHORIZATION, self._credentials)


def password_origins(config: Config, domain: str | None) -> frozenset[str]:
    """Return the origins that get the password: scheme, host and port must be the same.

    It is the first audited origin; with HTTPAUTH_DOMAIN, the audited origins in this domain. The
    http origin that is tried if a site does not connect over https does not get it.
    """
    if not domain:
        return frozenset({config.first_origin})
    name = domain.lower()
    hosts = {origin: urls.host(f"{origin}/") for origin in config.origins}
    return frozenset(
        origin
        for origin, host in hosts.items()
        if host == name or host.endswith(f".{name}") or urls.authority(f"{origin}/") == name
    )
