"""A list of sites to audit, as a text file."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.options import ConfigError
from sitemapaudit.given_files import read_text
from sitemapaudit.redaction import hide_passwords

ENDINGS: Final[Mapping[int | None, str]] = {
    0: "complete",
    1: "complete, with findings as severe as AUDIT_FAIL_ON",
    2: "refused, see its log",
    3: "incomplete",
    75: "refused, another process has the run",
    None: "ended without an exit status, see its log",
}
"""The endings of audits, by their exit status."""

_COMMENT: Final = re.compile(r"(?:^|\s)#.*")


class ListedSite(Struct, frozen=True):
    """A line of the list: a site or sitemap to audit, and all arguments of its audit."""

    name: str
    arguments: Mapping[str, str]


def read_sites(
    file: Path, common: Mapping[str, str], settings: Mapping[str, Any]
) -> list[ListedSite]:
    """Read a file with a list, and check every audit of it; no two may be the same.

    Raises ConfigError.
    """
    try:
        lines = read_text(file).splitlines()
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}.") from None
    sites = read_list(lines, common)
    known: dict[bytes, str] = {}
    for site in sites:
        name = hide_passwords(site.name)
        try:
            config = Config.read(site.arguments, {"DOWNLOAD_TIMEOUT": 0, **settings})
        except ConfigError as error:
            raise ConfigError(f"{name}: {error}") from None
        audit = msgspec.json.encode(config.arguments, enc_hook=str)
        if (before := known.setdefault(audit, name)) is not name:
            raise ConfigError(f"{name} is listed twice{f', also as {before}' * (before != name)}.")
    return sites


def read_list(lines: Iterable[str], common: Mapping[str, str]) -> list[ListedSite]:
    """Read a list: one site or ``sitemap=…`` per line, with its own arguments (``pages=500``).

    ``#`` begins a comment. ``common`` are the arguments of every site. Raises ConfigError.
    """
    sites = []
    for number, line in enumerate(lines, start=1):
        name, *pairs = _COMMENT.sub("", line).split() or [""]
        wrong = [pair for pair in pairs if "=" not in pair]
        if wrong:
            raise ConfigError(f"line {number}: {wrong[0]!r} is not an argument such as pages=500.")
        if name:
            own = dict(pair.split("=", 1) for pair in pairs)
            if len(own) < len(pairs) or not own.keys().isdisjoint(("site", "sitemap", "urls")):
                raise ConfigError(
                    f"line {number}: each argument once, and one site or sitemap for each line."
                )
            kind, address = ("sitemap", name[8:]) if name.startswith("sitemap=") else ("site", name)
            sites.append(ListedSite(address, {**common, kind: address, **own}))
    if not sites:
        raise ConfigError("the list contains no sites.")
    return sites
