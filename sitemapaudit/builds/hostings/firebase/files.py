"""The files of Firebase Hosting, by ``cleanUrls`` and ``trailingSlash``."""

import re
from pathlib import Path

from sitemapaudit.builds.file_rules import FileRules
from sitemapaudit.builds.file_server import FileServer
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hostings.firebase.config import FirebaseConfig, decode_path
from sitemapaudit.builds.replies import HostedReply, redirect, unknown
from sitemapaudit.builds.requests import HostedRequest, location_of


class FirebaseFiles(FileServer):
    """Finds the file for a path."""

    def __init__(self, folder: Folder, rules: FileRules, config: FirebaseConfig) -> None:
        super().__init__(folder, rules)
        self._config = config

    def find(self, request: HostedRequest) -> HostedReply | None:
        """Return the file of a path, or the redirect to its URL."""
        path = re.sub("/+", "/", decode_path(request))
        if self._depends_on_language(path):
            return unknown("depends on the language or the country of the visitor")
        found = self._find_name(path) or self._find_folder_index(path) or self._find_page(path)
        if isinstance(found, str):
            return redirect(301, location_of(found or "/", request.query))
        return None if found is None else self.serve(found)

    def serve(self, file: Path, status: int = 200) -> HostedReply:
        """Return a file; the page of errors has their status."""
        is_error = file == self._folder.root / "404.html"
        return super().serve(file, 404 if is_error else status)

    def serve_name(self, name: str) -> HostedReply | None:
        """Return the file that a rewrite names, if there is one."""
        file = self._file(f"{self._folder.mount}/{name.lstrip('/')}")
        return None if file is None else self.serve(file)

    def _find_name(self, path: str) -> Path | str | None:
        file = self._file(path)
        if file is None or not self._config.clean_urls or not path.endswith(".html"):
            return file
        name = path.removesuffix(".html").removesuffix("/index")
        return f"{name.rstrip('/')}/" if self._config.trailing_slash else name or "/"

    def _find_folder_index(self, path: str) -> Path | str | None:
        """Return the index file of a folder."""
        index = self._file(f"{path.rstrip('/')}/index.html")
        slash, has_slash = self._config.trailing_slash, path.endswith("/")
        if index is None:
            return None
        if not has_slash and (slash or (slash is None and not self._config.clean_urls)):
            return f"{path}/"
        if slash is False and has_slash and path != "/":
            return path[:-1]
        return index

    def _find_page(self, path: str) -> Path | str | None:
        """Return the file of a path without its extension."""
        slash, has_slash = self._config.trailing_slash, path.endswith("/")
        if not self._config.clean_urls or (has_slash and slash is None):
            return None
        name = path.removesuffix("/")
        page = self._file(f"{name}.html")
        if page is None:
            return None
        if slash is False and has_slash:
            return name
        if slash and not has_slash:
            return f"{name.removesuffix('/index')}/"
        return name.removesuffix("/index") or "/" if name.endswith("/index") else page

    def _depends_on_language(self, path: str) -> bool:
        """Return whether a folder for a language or a country has a file for a path."""
        root = self._config.i18n
        if root is None:
            return False
        inside = path.removeprefix(self._folder.mount).rstrip("/")
        places = (place for place in (self._folder.root / root).glob("*") if place.is_dir())
        names = (f"{self._folder.mount}/{root}/{place.name}{inside}" for place in places)
        ends = ("", "/index.html", *([".html"] if self._config.clean_urls else []))
        return any(self._file(name + end) for name in names for end in ends)

    def _is_hidden(self, path: str) -> bool:
        name = path.removeprefix(self._folder.mount).strip("/")
        return super()._is_hidden(path) or any(glob.matches(name) for glob in self._config.ignored)
