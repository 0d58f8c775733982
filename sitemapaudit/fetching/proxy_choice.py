"""Scrapy's choice of a proxy, which costs nothing where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware

if TYPE_CHECKING:
    from scrapy import Request


class ProxyChoice(HttpProxyMiddleware):
    """Chooses the proxy of the environment, or the one that the meta of a request names.

    Scrapy's middleware gives each request headers to look at, even if there is no proxy.
    """

    def process_request(self, request: Request) -> Any:  # type: ignore[override]
        """Set the proxy of a request, if it has one."""
        if self.proxies or "proxy" in request.meta:
            return super().process_request(request)
        return None
