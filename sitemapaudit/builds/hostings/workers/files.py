"""The files of static assets, by the setting ``html_handling``.

Each page has one URL: that of ``page.html`` and of ``page/index.html`` is ``/page``, with or
without a slash at its end. Other paths that mean the page redirect to it, unless that URL serves
another file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from msgspec.structs import replace

from sitemapaudit.builds.content_types import UNKNOWN_TYPE
from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.file_server import FileServer
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.replies import HostedReply, redirect
from sitemapaudit.builds.requests import HostedRequest, add_query

ENDS: Final = {
    "auto-trailing-slash": ("", "/"),
    "force-trailing-slash": ("/", "/"),
    "drop-trailing-slash": ("", ""),
    "none": None,
}
"""The ends of the URLs of ``page.html`` and ``page/index.html``; with None, files have their names.
"""

_FORM: Final = re.compile(r"(.*?)(/index|/index\.html|/|(?<!/)\.html|)", re.DOTALL)
"""A path without the end that may differ from that of its page, and this end."""


class AssetServer(FileServer):
    """Finds the page for a path."""

    def __init__(self, folder: Folder, rules: FileRules, html_handling: str) -> None:
        super().__init__(folder, rules)
        self._ends = ENDS[html_handling]

    def find(self, request: HostedRequest) -> HostedReply | None:
        """Return the page of a path, or the redirect to its URL."""
        path = _decode(request.path)
        found = self._find_page(path, redirects=True)
        if isinstance(found, str):
            return _redirect(found, request)
        return None if found is None else _encoded_once(path, request, self.serve(found))

    def not_found(self, request: HostedRequest) -> HostedReply:
        """Return the page for missing paths, which redirect to their usual encoding as well."""
        reply = super().not_found(request)
        if reply.file is None:
            return reply
        return _encoded_once(_decode(request.path), request, reply)

    def serve(self, file: Path, status: int = 200) -> HostedReply:
        """Return a file; one of an unknown type has no content type."""
        reply = super().serve(file, status)
        has_type = dict(reply.headers)["Content-Type"] != UNKNOWN_TYPE
        return reply if has_type else replace(reply, headers=())

    def _find_page(self, path: str, *, redirects: bool) -> Path | str | None:
        """Return the file of a path, or the path of its URL."""
        exact = self._file(path)
        stem, end = _split(path)
        if self._ends is None or (exact is not None and end in ("", "/index")):
            return exact
        for name, url in self._pages(stem, end):
            page = self._file(name)
            if page is not None and url == path:
                return page
            if page is not None and redirects and self._serves(url, page):
                return url
            if page is not None and page == exact and len({*self._ends}) == 1:
                return exact  # The URL of both pages serves the other one.
        return exact

    def _pages(self, stem: str, end: str) -> Iterator[tuple[str, str]]:
        """Yield the files that a path may mean, and the paths of their URLs."""
        assert self._ends is not None
        file = (f"{stem}.html", stem + self._ends[0])
        index = (f"{stem}/index.html", (stem + self._ends[1]) or "/")
        if stem:
            yield from (file, index) if end in ("", ".html") else (index, file)
        else:
            yield index
        if end not in ("", "/"):
            yield from self._pages(stem + end, "")

    def _serves(self, url: str, page: Path) -> bool:
        return self._file(url) is None and self._find_page(url, redirects=False) == page


def _split(path: str) -> tuple[str, str]:
    match = _FORM.fullmatch(path)
    assert match is not None  # The end may be empty.
    return match[1], match[2]


def _decode(path: str) -> str:
    """Decode each part that is UTF-8, and merge slashes."""
    return re.sub("/+", "/", "/".join(map(_decode_part, path.split("/"))))


def _decode_part(part: str) -> str:
    try:
        return unquote(part, errors="strict")
    except UnicodeDecodeError:
        return part


def _encode(path: str) -> str:
    return quote(path, safe="/!~*'()")


def _encoded_once(path: str, request: HostedRequest, reply: HostedReply) -> HostedReply:
    """Return the reply if the path is encoded as its URL is, or the redirect to that."""
    return reply if _encode(path) == request.path else _redirect(path, request)


def _redirect(path: str, request: HostedRequest) -> HostedReply:
    return redirect(307, add_query(_encode(path), request.query))
