"""A response as it arrives: its headers are grouped on first access."""

from typing import Any

from scrapy.http import Headers
from scrapy.http import Response as ScrapyResponse

RawHeaders = tuple[tuple[bytes, bytes], ...]


class PlainResponse(ScrapyResponse):
    """A response that keeps its headers as they came until they are accessed."""

    def __init__(self, *args: Any, raw_headers: RawHeaders = (), **kwargs: Any) -> None:
        self.raw_headers = raw_headers
        self._headers: Headers | None = None
        super().__init__(*args, **kwargs)

    @property
    def headers(self) -> Headers:
        """The headers in Scrapy's form."""
        if self._headers is None:
            self._headers = Headers(group_headers(self.raw_headers))
        return self._headers

    @headers.setter
    def headers(self, headers: Any) -> None:
        if headers:  # Without an argument, Scrapy sets none.
            self._headers = headers


def group_headers(raw: RawHeaders) -> dict[bytes, list[bytes]]:
    """Return the values of each header by its lower-case name."""
    grouped: dict[bytes, list[bytes]] = {}
    for name, value in raw:
        grouped.setdefault(name.lower(), []).append(value)
    return grouped
