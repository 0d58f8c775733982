"""A list of sites to audit, as a text file."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from sitemapaudit.config.options import ConfigError

_COMMENT: Final = re.compile(r"(?:^|\s)#.*")


class ListedSite(Struct, frozen=True):
    """A line of the list: a site or sitemap to audit, and all arguments of its audit."""

    name: str
    arguments: Mapping[str, str]


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
            kind, address = ("sitemap", name[8:]) if name.startswith("sitemap=") else ("site", name)
            sites.append(ListedSite(address, {**common, kind: address, **own}))
    if not sites:
        raise ConfigError("the list contains no sites.")
    return sites
