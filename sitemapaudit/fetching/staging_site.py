"""Requests to staging: their URLs and headers, and the headers that are ignored in responses."""

from __future__ import annotations

import gzip
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, Self

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.config import Config
from sitemapaudit.fetching.failures import NotOnStagingError
from sitemapaudit.fetching.plain_response import RawHeaders
from sitemapaudit.runs import stats
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.statscollectors import StatsCollector

    from sitemapaudit.urls.staging import Staging

_GZIP: Final = b"\x1f\x8b"
_BLOCKING: Final = (b"noindex", b"none")


def _unpacked(body: bytes) -> bytes:
    """Return the content of a gzip file; nothing if it is damaged, or too large for a sitemap."""
    with gzip.open(BytesIO(body)) as file:
        try:
            content = file.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error):
            return b""
    return content if len(content) <= MAX_BYTES else b""


class StagingSite(Struct, frozen=True):
    """The staging of a run; ``as_site`` means that requests name the host of the site.

    ``renames``: addresses of staging in its responses are read as those of the site.
    """

    staging: Staging
    headers: dict[str, str]
    as_site: bool
    ignores_block: bool
    stats: StatsCollector
    renames: bool = False

    @classmethod
    def create(cls, config: Config, stats_of_run: StatsCollector) -> Self | None:
        """Return the staging of a run; None if it has none."""
        if not config.arguments.staging:
            return None
        settings = config.settings
        return cls(
            config.staging,
            settings.staging_headers,
            settings.staging_host == "site",
            config.arguments.ignore_staging_block,
            stats_of_run,
            config.arguments.staging_names_itself,
        )

    def request_url(self, request: Request) -> str:
        """Return the URL to request. Raises NotOnStagingError."""
        url = self.staging.request_url(request.url)
        if url is None:
            host = urls.authority(request.url)
            raise NotOnStagingError(f"{host} has no staging, and its live server is not requested")
        return url

    def request_values(self, request: Request) -> tuple[dict[str, str], dict[str, Any]]:
        """Return more headers of a request, and more arguments for the client."""
        if self.staging.origin_for(request.url) is None:
            return {}, {}
        # Addresses in compressed bodies cannot be renamed.
        headers = {"Accept-Encoding": "identity"} if self.renames else {}
        headers |= self.headers
        if not self.as_site:
            return headers, {}
        host = {"Host": urls.authority(request.url)}
        return {**host, **headers}, {"server_hostname": urls.host(request.url)}

    def response_body(self, request: Request, body: bytes) -> bytes:
        """Return the body of a response as the site would send it, a gzip file too."""
        if not self.renames or not body.startswith(_GZIP):
            return self._renamed(request, body)
        unpacked = _unpacked(body)
        renamed = self._renamed(request, unpacked)
        return body if renamed == unpacked else gzip.compress(renamed, 1)

    def _renamed(self, request: Request, text: bytes) -> bytes:
        if not self.renames or self.staging.origin_for(request.url) is None:
            return text
        renamed = self.staging.rename(text, request.url)
        if renamed != text:
            self.stats.inc_value(stats.RENAMED_ADDRESSES)
        return renamed

    def response_headers(self, request: Request, raw: RawHeaders) -> RawHeaders:
        """Return the headers of a response as the site would send them.

        A server builds ``Location`` from the requested host. If that was the site's, the name of
        staging is hard-coded, and stays.
        """
        if self.staging.origin_for(request.url) is None:
            return raw
        kept = (pair for pair in raw if not self._sets_aside(*pair))
        if self.renames:
            return tuple((name, self._renamed(request, value)) for name, value in kept)
        if self.as_site:
            return tuple(kept)
        return tuple((name, self._mapped_back(request, name, value)) for name, value in kept)

    def _mapped_back(self, request: Request, name: bytes, value: bytes) -> bytes:
        if name.lower() != b"location":
            return value
        target = value.decode("latin-1")
        origin = self.staging.origin_for(request.url)
        if origin is None or not (target == origin or target.startswith(f"{origin}/")):
            return value
        return (urls.origin(request.url) + target.removeprefix(origin)).encode("latin-1")

    def _sets_aside(self, name: bytes, value: bytes) -> bool:
        if not self.ignores_block or name.lower() != b"x-robots-tag":
            return False
        if not any(word in value.lower() for word in _BLOCKING):
            return False
        self.stats.inc_value(stats.SET_ASIDE_HEADERS)
        return True
