"""The file of a repository that a finding is about, if the run audited a build folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sitemapaudit import urls
from sitemapaudit.gating.findings import GateFinding
from sitemapaudit.runs.manifest import Manifest


@dataclass(slots=True, frozen=True)
class BuildFolder:
    """The folder that was audited; ``root`` is the one that paths are relative to."""

    folder: Path
    root: Path

    @classmethod
    def of(cls, manifest: Manifest, root: Path) -> Self | None:
        """Return the folder of a run; None if it audited a server."""
        given = manifest.arguments.get("folder")
        return cls(Path(given), root.resolve()) if given else None

    def place(self, finding: GateFinding) -> tuple[str, int]:
        """Return the path of the file that a finding is about, and the line in it."""
        if finding.file:
            return self._relative(finding.file), 1
        if finding.sitemap:
            return self._relative(urls.path(finding.sitemap)[1:]), finding.line or 1
        return self._relative("robots.txt"), 1

    def _relative(self, name: str) -> str:
        path = os.path.relpath(self.folder / name, self.root)
        return Path(path).as_posix()
