"""The affected file of a repository, if the run audited a build folder."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.builds.sources import find_source
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.runs.manifest import Manifest

_ROOTS: Final = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")
"""Environment variables that name the checkout: GitHub's and GitLab's."""


_OF_SITE: Final = ("robots.txt", "sitemap.xml", "index.html")
"""Files of a build at which a finding about the whole site is shown: the first that exists."""


def find_root(environment: Mapping[str, str]) -> Path:
    """Return the folder of the repository around the working folder, or the working folder."""
    here = Path.cwd()
    roots = (Path(environment[name]).resolve() for name in _ROOTS if environment.get(name))
    return next((root for root in roots if here.is_relative_to(root)), here)


class BuildFolder(Struct, frozen=True):
    """The folder that was audited; paths are relative to ``root``.

    ``mount`` is the path of the URL at which it is published.
    """

    folder: Path
    root: Path
    mount: str = ""

    @classmethod
    def of(cls, manifest: Manifest, root: Path) -> Self | None:
        """Return the folder of a run; None if it audited a server."""
        given = manifest.arguments.get("folder")
        return cls(Path(given), root.resolve(), manifest.build_path) if given else None

    def locate(self, finding: GateFinding) -> tuple[str, int]:
        """Return the path of the affected file, and the line in it.

        For a page, that is its source if it is known, and otherwise the file of the build.
        """
        if finding.file:
            source = find_source(self.folder, finding.file)
            return self._relative(source or self.folder / finding.file), 1
        if finding.sitemap and not urls.is_address(finding.sitemap):
            return finding.sitemap, finding.line or 1
        if finding.sitemap:
            path = urls.path(finding.sitemap).removeprefix(self.mount)
            return self._relative(self.folder / unquote(path[1:])), finding.line or 1
        files = [self.folder / name for name in _OF_SITE]
        return self._relative(next(filter(Path.is_file, files), files[0])), 1

    def _relative(self, file: Path) -> str:
        return Path(os.path.relpath(file, self.root)).as_posix()
