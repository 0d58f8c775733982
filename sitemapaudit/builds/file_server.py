"""Serves the files of a folder by the rules of a hosting."""

import re
from pathlib import Path

from sitemapaudit.builds.content_types import content_type
from sitemapaudit.builds.file_rules import FileRules, NotFoundPage, Served
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, encode, location_of, resolve_dots


class FileServer:
    """Finds the file for a path, without any rules of the site."""

    def __init__(self, folder: Folder, rules: FileRules) -> None:
        self._folder = folder
        self._rules = rules

    def find(self, request: HostedRequest) -> HostedReply | None:
        """Return the file of a path, or the redirect to its URL; None if there is neither."""
        path = request.decoded
        if self._rules.resolves_decoded:
            path = resolve_dots(re.sub("/+", "/", path))
        if path.endswith("/"):
            return self._find_in_folder(path, request)
        file = self._file(path)
        if file is None or (path.endswith(".html") and self._rules.extension is Served.NO):
            return self._find_by_name(path, request)
        return self._redirect_extension(path, request) or self.serve(file)

    def not_found(self, request: HostedRequest) -> HostedReply:
        """Return the reply for a path without a file."""
        page = self._not_found_page(request.decoded)
        if page is not None:
            return self.serve(page, 404)
        index = self._file(f"{self._folder.mount}/index.html") if self._rules.single_page else None
        return HostedReply(404) if index is None else self.serve(index)

    def serve(self, file: Path, status: int = 200) -> HostedReply:
        """Return a file, with its content type."""
        media_type = content_type(file.name, charset=self._rules.charset)
        return HostedReply(status, (("Content-Type", media_type),), file)

    def _find_in_folder(self, path: str, request: HostedRequest) -> HostedReply | None:
        index = self._index(path)
        page = self._file_for_slash(path)
        if index is not None and (page is None or not self._rules.slash_prefers_file):
            return self.serve(index)
        if self._rules.index_name is Served.BY_REDIRECT and path.endswith("/index/"):
            return self._redirect(path.removesuffix("index/"), request)
        if page is not None:
            if self._rules.html_for_slash is Served.DIRECTLY:
                return self.serve(page)
            return self._redirect(path[:-1], request)
        return self._list_folder(path)

    def _list_folder(self, path: str) -> HostedReply | None:
        other = self._rules.other_index
        if other is not None and self._file(path + other):
            return unknown(f"depends on a setting of the server: whether {other} is an index file")
        if self._rules.listing_status != 404 and self._has_folder(path[:-1]):
            return HostedReply(self._rules.listing_status)
        return None

    def _index(self, path: str) -> Path | None:
        files = (self._file(path + name) for name in self._rules.index_names)
        return next(filter(None, files), None)

    def _file_for_slash(self, path: str) -> Path | None:
        name = path[:-1]
        if self._rules.html_for_slash is Served.NO or name.endswith("/") or not name:
            return None
        if self._rules.folder_first and self._has_folder(name):
            return None
        return self._file(name + ".html")

    def _find_by_name(self, path: str, request: HostedRequest) -> HostedReply | None:
        if self._rules.index_name is Served.BY_REDIRECT and path.endswith("/index"):
            return self._redirect(path.removesuffix("index"), request)
        is_folder = self._has_folder(path)
        page = self._file(path + ".html") if self._rules.html_for_file else None
        if page is not None and not (is_folder and self._rules.folder_first):
            return self.serve(page)
        return self._find_folder(path, request) if is_folder else None

    def _find_folder(self, path: str, request: HostedRequest) -> HostedReply | None:
        index = self._index(path + "/")
        if index is None and self._rules.folder_needs_index:
            return None
        if index is not None and self._rules.folder is Served.DIRECTLY:
            return self.serve(index)
        return self._redirect(path + "/", request)

    def _redirect_extension(self, path: str, request: HostedRequest) -> HostedReply | None:
        if self._rules.index_name is Served.BY_REDIRECT and path.endswith("/index.html"):
            return self._redirect(path.removesuffix("index.html"), request)
        name = path.removesuffix(".html")
        if self._rules.extension is not Served.BY_REDIRECT or name in (path, "/"):
            return None
        # With a file of the shorter name, the redirect would lead to another page.
        return None if self._file(name) else self._redirect(name, request)

    def _redirect(self, path: str, request: HostedRequest) -> HostedReply:
        host = f"//{encode(request.host)}" if self._rules.location_has_host else ""
        return redirect(self._rules.slash_status, host + location_of(path, request.query))

    def _not_found_page(self, path: str) -> Path | None:
        if self._rules.not_found is NotFoundPage.NONE:
            return None
        if self._rules.not_found is NotFoundPage.ROOT:
            path = f"{self._folder.mount}/"
        while path:
            path = path.rpartition("/")[0]
            page = self._file(path + "/404.html")
            if page is not None:
                return page
        return None

    def _file(self, path: str) -> Path | None:
        return None if self._is_hidden(path) else self._folder.file(path)

    def _has_folder(self, path: str) -> bool:
        return not self._is_hidden(path) and self._folder.has_folder(path)

    def _is_hidden(self, path: str) -> bool:
        names = path.removeprefix(self._folder.mount).strip("/").split("/")
        return names[0] in self._rules.hidden or not self._rules.hidden_anywhere.isdisjoint(names)
