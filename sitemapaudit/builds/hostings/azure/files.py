"""The files of Azure Static Web Apps, by the setting ``trailingSlash``."""

from pathlib import Path
from typing import Final

from msgspec.structs import replace

from sitemapaudit.builds.file_rules import FileRules, Served
from sitemapaudit.builds.file_server import FileServer
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.hostings.azure.config import AzureConfig
from sitemapaudit.builds.replies import HostedReply, redirect
from sitemapaudit.builds.requests import HostedRequest, location_of

RULES: Final = FileRules(
    html_for_slash=Served.BY_REDIRECT,
    folder=Served.DIRECTLY,
    hidden=frozenset({"staticwebapp.config.json"}),
)
"""The rules without the setting."""

_AUTO: Final = replace(
    RULES,
    folder=Served.BY_REDIRECT,
    extension=Served.BY_REDIRECT,
    index_name=Served.BY_REDIRECT,
)


class AzureFiles(FileServer):
    """Finds the file for a path."""

    def __init__(self, folder: Folder, config: AzureConfig) -> None:
        self._slash = {"always": "/", "never": ""}.get(config.trailing_slash or "")
        self._types = config.mime_types
        super().__init__(folder, _AUTO if config.trailing_slash == "auto" else RULES)

    def find(self, request: HostedRequest) -> HostedReply | None:
        """Return the file of a path, or the redirect to its URL."""
        if self._slash is None:
            return super().find(request)
        path = request.decoded
        stem = path.removesuffix(".html") if path.endswith(".html") else path.removesuffix("/")
        stem = stem.removesuffix("/index") if path.endswith("/index.html") else stem
        page = self._file(f"{stem}/index.html") or self._file(f"{stem}.html")
        if not path.endswith("/") and not path.endswith(".html") and self._file(path):
            return super().find(request)
        if page is None:
            return None
        url = (stem + self._slash) or "/"
        if path == url:
            return self.serve(page)
        return redirect(301, location_of(url, request.query))

    def find_name(self, name: str) -> HostedReply | None:
        """Return the file that a rule names, by any of its names."""
        path = f"{self._folder.mount}/{name.lstrip('/')}"
        ends = ("index.html",) if path.endswith("/") else ("", ".html", "/index.html")
        files = (self._file(path + end) for end in ends)
        found = next(filter(None, files), None)
        return None if found is None else self.serve(found)

    def serve(self, file: Path, status: int = 200) -> HostedReply:
        """Return a file, with the content type of the site for its extension."""
        reply = super().serve(file, status)
        own = self._types.get(file.suffix)
        return reply if own is None else replace(reply, headers=(("Content-Type", own),))
