"""A generator: a program that makes the pages of a site, or their sitemap."""

import fnmatch
from enum import StrEnum
from typing import Final

from msgspec import Struct

MOVED: Final = (
    *("page-redirect-permanent", "page-redirect-temporary", "page-redirect-chain"),
    *("duplicate-trailing-slash", "listed-twin"),
)
"""Rules about listed URLs that differ in form from those that the host serves."""

OTHER_HOST: Final = (
    *("built-for-other-host", "loc-host-mismatch", "loc-scheme-mismatch", "loc-not-absolute"),
    *("canonical-offsite", "staging-origin-leaked", "robots-sitemap-invalid"),
)
"""Rules about addresses of another host than that of the site."""

NOT_TO_LIST: Final = ("noindex-*", "render-noindex-differs", "page-soft-404")
"""Rules about pages that are listed by mistake."""

OTHER_FORM: Final = ("canonical-elsewhere", "canonical-to-redirect", "canonical-chain")
"""Rules about canonicals that differ in form from the listed URLs."""

NO_SITEMAP: Final = ("sitemap-not-found",)
"""Rules about sites without a sitemap."""

SAME_DATES: Final = ("lastmod-identical", "lastmod-untrue", "lastmod-disagrees")
"""Rules about dates that are those of the build."""


class Setting(Struct, frozen=True):
    """A setting of a generator that corrects what rules find; ``source`` is a page of its manual.

    ``rules`` are patterns of their ids, and ``how`` says what to set, with code in backticks.
    A setting for the ``whole_site`` is not the reason where any URL is indexable.
    """

    rules: tuple[str, ...]
    how: str
    source: str
    whole_site: bool = False

    def corrects(self, rule: str) -> bool:
        """Return whether the setting corrects what a rule finds."""
        return any(fnmatch.fnmatchcase(rule, pattern) for pattern in self.rules)


class Where(StrEnum):
    """The places of signs, the most certain first."""

    META = "meta element `generator`, at its beginning"
    HEADER = "`X-Powered-By` or `X-Generator`, at its beginning"
    ASSET = "address of a script or a style sheet"
    COMMENT = "comment of a page"
    SITEMAP = "comment or style sheet of a sitemap"
    FILE = "file of a build"
    PROJECT = "file next to a build, or above it"


class Sign(Struct, frozen=True):
    """A sign of a generator: a text in lower case, or the path of a file.

    ``source`` is the code or the manual of the generator that shows it.
    """

    where: Where
    text: str
    source: str


class Generator(Struct, frozen=True):
    """A generator, its settings, and the signs by which it is recognized."""

    name: str
    settings: tuple[Setting, ...]
    signs: tuple[Sign, ...]

    def settings_for(self, rule: str) -> list[Setting]:
        """Return the settings that correct what a rule finds."""
        return [each for each in self.settings if each.corrects(rule)]
