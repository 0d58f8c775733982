"""Presets: rules of Vercel for the builds of single frameworks.

The presets of other static generators only add headers for caches (``frameworks.ts`` of
``packages/frameworks`` in vercel/vercel).
"""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.builds.file_rules import FileRules, Served
from sitemapaudit.builds.folder import Folder


class Preset(Struct, frozen=True):
    """The rules for a framework; ``missing`` matches paths that give 404 in spite of a file."""

    name: str
    trailing_slash: bool
    missing: re.Pattern[str]

    def adapt(self, rules: FileRules) -> FileRules:
        """Return rules with which files are found without ``.html``, and not with it."""
        return replace(rules, html_for_file=True, extension=Served.NO)


_NOT_FOUND: Final = re.compile("/404/?")


def find_preset(folder: Folder) -> Preset | None:
    """Return the preset for the framework that made a build; None if it has none.

    A static export of Next.js has ``404/index.html`` only with its setting ``trailingSlash``.
    """
    if not folder.has_folder(f"{folder.mount}/_next/static"):
        return None
    has_slashes = folder.file(f"{folder.mount}/404/index.html") is not None
    return Preset("Next.js", has_slashes, _NOT_FOUND)
