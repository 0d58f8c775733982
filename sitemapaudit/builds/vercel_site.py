"""What Vercel replies: redirects, then headers, then files, then rewrites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from sitemapaudit.builds.header_rules import HeaderRule, add_headers
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import (
    ABSOLUTE,
    HostRequest,
    add_query,
    encode,
    host_of,
    stay_on_host,
)
from sitemapaudit.builds.serving import FileServer
from sitemapaudit.builds.vercel_conditions import Unknowable
from sitemapaudit.builds.vercel_config import VercelConfig
from sitemapaudit.builds.vercel_sources import fill_in

_INDEX: Final = re.compile(r"/(?:(.+)/)?index(?:\.html)?/?")
_HTML: Final = re.compile(r"/(.*)\.html/?")
_ANY_NAME: Final = re.compile(r"/(?!\.well-known(?:/|$))(?:[^/]+/)*[^/.]+")
_FILE_WITH_SLASH: Final = re.compile(r"/(?:[^/]+/)*[^/]+\.\w+/")
_EVERY_PATH: Final = re.compile(r".*", re.DOTALL)


class VercelSite:
    """Applies a vercel.json to the files of a build."""

    def __init__(self, config: VercelConfig, files: FileServer) -> None:
        self._config = config
        self._files = files

    def reply(self, request: HostRequest) -> HostedReply:
        """Return the reply to a request."""
        if self._config.has_routes:
            return unknown("vercel.json has routes, which are not read")
        try:
            return self._redirect(request) or self._add_headers(self._serve(request), request)
        except Unknowable as condition:
            return unknown(f"depends on the visitor: {condition}")

    def _redirect(self, request: HostRequest) -> HostedReply | None:
        path = self._preferred_path(request.path)
        if path is not None:
            location = add_query(stay_on_host(path), request.query)
            return redirect(308, location, "vercel.json")
        for rule in self._config.redirects:
            values = rule.match(request)
            if values is not None:
                location = stay_on_host(encode(fill_in(rule.destination, values)))
                return redirect(rule.status, add_query(location, request.query), rule.name)
        return None

    def _preferred_path(self, path: str) -> str | None:
        """Return the path that ``cleanUrls`` and ``trailingSlash`` want instead."""
        slash = self._config.trailing_slash
        if self._config.clean_urls:
            match = _INDEX.fullmatch(path) or _HTML.fullmatch(path)
            if match is not None:
                return f"/{match[1] or ''}{'/' if slash else ''}"
        if slash is False and path.endswith("/") and path != "/":
            return path[:-1]
        if slash and _ANY_NAME.fullmatch(path):
            return path + "/"
        return path[:-1] if slash and _FILE_WITH_SLASH.fullmatch(path) else None

    def _serve(self, request: HostRequest) -> HostedReply:
        found = self._files.find(request)
        if found is not None:
            return found
        return next(self._rewritten(request), None) or self._files.not_found(request)

    def _rewritten(self, request: HostRequest) -> Iterator[HostedReply]:
        """Yield the rewrites that lead somewhere: one without a file leaves it to the next."""
        for rule in self._config.rewrites:
            values = rule.match(request)
            if values is None:
                continue
            target = fill_in(rule.destination, values)
            if ABSOLUTE.match(target):
                yield unknown(f"is forwarded to {host_of(target)}", rule.name)
            elif re.match(r"/api(?:/|$)", target):
                yield unknown("is made by a function", rule.name)
            else:
                path = re.split("[?#]", target, maxsplit=1)[0]
                found = self._files.find(request.with_path(path))
                if found is not None:
                    yield replace(found, rule=rule.name)

    def _add_headers(self, reply: HostedReply, request: HostRequest) -> HostedReply:
        if reply.unknown is not None:
            return reply
        blocks = []
        for rule in self._config.headers:
            values = rule.match(request)
            if values is not None:
                headers = tuple((name, fill_in(text, values)) for name, text in rule.headers)
                blocks.append(HeaderRule(_EVERY_PATH, headers))
        return add_headers(reply, request, blocks, joins=False)
