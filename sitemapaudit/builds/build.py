"""A build folder, and what its host would reply for a path of the site."""

from __future__ import annotations

from pathlib import Path

from sitemapaudit.builds.edge import find_reason
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.replies import HostedReply, Problem, unknown
from sitemapaudit.builds.requests import read_request
from sitemapaudit.builds.sites import open_site
from sitemapaudit.builds.table import HOSTINGS


class Build:
    """The files of a site, and the rules of its host."""

    def __init__(self, folder: Path, hosting: str) -> None:
        """Read the rules of the site.

        Raises ``ValueError`` for a folder that is missing and for a host that is not known; the
        message continues a sentence that begins with the name of the option.
        """
        if hosting not in HOSTINGS:
            raise ValueError(f"must be one of {', '.join(HOSTINGS)}, not {hosting!r}")
        if not folder.is_dir():
            raise ValueError(f"must be a folder that exists, not {str(folder)!r}")
        self._site = open_site(Folder(folder), hosting)

    def reply(self, host: str, target: str) -> HostedReply:
        """Return what the host replies to a GET request for a path and its query."""
        request = read_request(host, target)
        reason = find_reason(request, self._site.edge)
        return self._site.respond(request) if reason is None else unknown(reason)

    def problems(self) -> list[Problem]:
        """Return the lines of the rules that the host ignores."""
        return list(self._site.problems)
