"""The sitemaps of a drawn website: their entries, as written, and what an audit must read."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from sitemapaudit.items import Error
from tests.worlds.faults import ERRORS, MANNERS, Fault

USUAL: Final = "/sitemap.xml"
"""The path where an audit looks for a sitemap if none is declared."""

SPELLINGS: Final[Mapping[str, Callable[[str], str]]] = {
    "": lambda url: url,
    "spaces": lambda url: f"\n  {url} ",
    "fragment": lambda url: f"{url}#part",
    "raw": unquote,
    "upper": lambda url: url.replace("http", "HTTP", 1),
    "relative": lambda url: "/" + url.split("/", 3)[3],
    "none": lambda _: "",
}
"""How a loc can be written. An audit reads the same URL, but for the last two: they have none."""

WITHOUT_URL: Final = ("relative", "none")

LASTMODS: Final = (
    "2020-05-05",
    "2020-05-05T10:00:00+00:00",
    "2020-05-05T10:00:00",
    "2020",
    "2020-13-01",
    "1969-12-31",
    "2999-01-01",
    "",
)
CHANGEFREQS: Final = ("daily", "Daily", "")
PRIORITIES: Final = ("0.5", ".50", "1,5", "2")

READABLE_FLAWS: Final = ("no-namespace", "doctype", "leading", "wrong-type", "unordered", "moved")
UNREADABLE_FLAWS: Final = {"html": 200, "missing": 404, "error": 500, "denied": 403}
"""What is sent in place of a sitemap, with its status."""

UNREAD_FLAWS: Final = ("error", "denied")
"""Those after which it is not known which URLs the sitemap lists."""

_XML: Final = ("urlset", "urlset.gz", "index")


@dataclass(frozen=True)
class WorldEntry:
    """An entry of a sitemap: the path of its page, how its loc is written, and other elements."""

    path: str
    spelling: str = ""
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None

    @property
    def has_url(self) -> bool:
        return self.spelling not in WITHOUT_URL

    def loc(self, url: str) -> str:
        """Return the loc for the URL of the page, as written."""
        return SPELLINGS[self.spelling](url)


@dataclass(frozen=True)
class WorldFile:
    """A sitemap: its path, format, entries in order, and the sitemaps of an index.

    The XML of a file with ``whole`` entries breaks off after that many. ``flaw`` is how it differs
    from a good sitemap.
    """

    path: str
    format: str
    listed: tuple[WorldEntry, ...] = ()
    children: tuple[str, ...] = ()
    fault: Fault | None = None
    manner: str = ""
    whole: int | None = None
    flaw: str = ""

    @property
    def fails(self) -> bool:
        """Whether it is unknown what it lists."""
        return self.error is not None or self.flaw in UNREAD_FLAWS

    @property
    def is_readable(self) -> bool:
        return self.error is None and self.flaw not in UNREADABLE_FLAWS

    @property
    def is_empty(self) -> bool:
        """Whether its response has no body, so that it has no format."""
        return self.is_readable and self.format == "text" and not self.entries

    @property
    def is_xml(self) -> bool:
        return self.format in _XML

    @property
    def error(self) -> Error | None:
        return ERRORS[self.fault.how] if self.fault and self.fault.lasts else None

    @property
    def entries(self) -> tuple[WorldEntry, ...]:
        """The entries that an audit must read; those of an index name sitemaps."""
        if not self.is_readable:
            return ()
        return (*self.listed, *map(WorldEntry, self.children))[: self.whole]

    @property
    def places(self) -> Iterator[tuple[int, WorldEntry]]:
        """The entries that an audit must read, with their positions."""
        return enumerate(self.entries, start=1)


def draw_files(dice: random.Random, paths: list[str], ways: Sequence[str]) -> Iterator[WorldFile]:
    """Draw sitemaps; together they list most pages, some of them several times."""
    listed = [path for path in paths if dice.random() < 0.9] or paths[:1]
    listed += dice.choices(paths, k=dice.randint(0, 5))
    dice.shuffle(listed)
    number = dice.randint(1, 5)
    names = []
    for each in range(number):
        kind = dice.choice(["urlset", "urlset", "urlset.gz", "text", "rss", "atom"])
        names.append(f"/sitemaps/{each}.{'txt' if kind == 'text' else 'xml'}")
        own = tuple(_entries(dice, listed[each::number], kind))
        breaks = kind == "urlset" and len(own) > 1 and dice.random() < 0.1
        yield WorldFile(
            names[-1],
            kind,
            own,
            fault=Fault.draw(dice, ways) if dice.random() < 0.08 else None,
            manner=dice.choice(MANNERS[:3]) if dice.random() < 0.2 else "",
            whole=dice.randint(1, len(own) - 1) if breaks else None,
            flaw=_flaw(dice, kind),
        )
    if number > 1 and dice.random() < 0.7:
        yield from _indexes(dice, names, ways)


def _indexes(dice: random.Random, names: list[str], ways: Sequence[str]) -> Iterator[WorldFile]:
    """Draw an index of some sitemaps, and sometimes another one that lists it."""
    children = names[: dice.randint(1, len(names))]
    path = USUAL if len(children) == len(names) else "/sitemaps/index.xml"
    if dice.random() < 0.1:
        children.append(dice.choice([children[0], path]))
    fault = Fault.draw(dice, ways) if dice.random() < 0.08 else None
    flaw = _flaw(dice, "index") if path != USUAL else ""
    yield WorldFile(path, "index", children=tuple(children), fault=fault, flaw=flaw)
    if path != USUAL and dice.random() < 0.2:
        yield WorldFile("/sitemaps/outer/index.xml", "index", children=(path,))


def _flaw(dice: random.Random, kind: str) -> str:
    if dice.random() > 0.1:
        return ""
    flaws: Sequence[str] = READABLE_FLAWS if kind in _XML[:2] else ("wrong-type", "moved")
    return dice.choice([*flaws, *UNREADABLE_FLAWS])


def _entries(dice: random.Random, paths: list[str], kind: str) -> Iterator[WorldEntry]:
    """Draw the entries of a sitemap; those of a generator have the same date."""
    if not kind.startswith("urlset"):
        yield from map(WorldEntry, paths)
        return
    style = dice.choice(["plain", "plain", "dated", "generated", "full"])
    for path in paths:
        yield WorldEntry(
            path,
            dice.choice([*SPELLINGS]) if dice.random() < 0.06 else "",
            lastmod=_lastmod(dice, style),
            changefreq=_one_of(dice, CHANGEFREQS) if style == "full" else None,
            priority=_one_of(dice, PRIORITIES) if style == "full" else None,
        )


def _lastmod(dice: random.Random, style: str) -> str | None:
    if style == "generated":
        return LASTMODS[1]
    if style == "plain" or dice.random() < 0.2:
        return None
    return _one_of(dice, LASTMODS)


def _one_of(dice: random.Random, values: Sequence[str]) -> str:
    """Return the first value mostly, and sometimes another one."""
    chosen: str = values[0] if dice.random() < 0.7 else dice.choice(values)
    return chosen


def roots(files: Mapping[str, WorldFile]) -> set[str]:
    """Return the paths of the sitemaps that no other one lists."""
    return set(files) - {
        child for file in files.values() for child in file.children if child != file.path
    }
