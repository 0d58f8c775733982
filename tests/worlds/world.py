"""A website drawn from a seed: its pages, its sitemaps, and what an audit must find out."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final, Self

from sitemapaudit.items import Verdict
from tests.worlds.faults import CUTS, NAMES, Fault, Network, Turn
from tests.worlds.files import USUAL, WorldFile, draw_files, roots
from tests.worlds.pages import FILES, FORBIDDEN, OUTSIDE, Kind, WorldPage, draw_page

ROBOTS_FLAWS: Final = ("repeated", "relative", "wrong-type")
"""How robots.txt can differ from a good one.

repeated: it declares its first sitemap twice. relative: it declares paths, and no full URLs.
"""


@dataclass(frozen=True)
class WorldRobots:
    """A robots.txt with the sitemaps that it declares."""

    declared: tuple[str, ...] = ()
    fault: Fault | None = None
    flaw: str = ""


@dataclass(frozen=True)
class World:
    """A website; its robots.txt is missing if it is None, and its name can turn."""

    pages: dict[str, WorldPage]
    files: dict[str, WorldFile] = field(default_factory=dict)
    robots: WorldRobots | None = None
    turn: Turn | None = None

    @classmethod
    def draw(cls, dice: random.Random, network: Network) -> Self:
        """Return a website of at most 60 pages in at most 7 sitemaps."""
        number = min(60, 1 + round(dice.expovariate(1 / 5)))
        paths = _paths(dice, number)
        if network.outside and dice.random() < 0.1:
            paths.append(f"{OUTSIDE}/0")
        pages = _certain({path: draw_page(dice, path, paths, network) for path in paths})
        files = {file.path: file for file in draw_files(dice, paths, network.ways)}
        ways = [each for each in network.ways if each not in CUTS]
        fault = Fault.draw(dice, [*ways, *NAMES * network.names])
        turn = Turn(dice.randint(1, 4), dice.choice([1, 2, 99]))
        turns = network.turns and dice.random() < 0.1
        return cls(pages, files, _robots(dice, roots(files), fault), turn if turns else None)

    def change(self, dice: random.Random) -> Self:
        """Return the website some days later: pages change what they do, or their text."""
        pages = dict(self.pages)
        for path in dice.sample(sorted(pages), len(pages) // 3):
            new = draw_page(dice, path, sorted(pages), Network())
            pages[path] = replace(new, version=pages[path].version + 1)
        return replace(self, pages=_certain(pages))

    @property
    def declared(self) -> tuple[str, ...]:
        """The sitemaps that robots.txt declares."""
        return self.robots.declared if self.robots else ()

    @property
    def robots_fault(self) -> Fault | None:
        return self.robots.fault if self.robots else None

    @property
    def is_closed(self) -> bool:
        """Whether robots.txt cannot be fetched, so that nothing else may be."""
        return self.robots_fault is not None and self.robots_fault.lasts

    def allows(self, path: str) -> bool:
        """Return whether an audit may request a page."""
        disallowed = self.robots is not None and path.startswith(FORBIDDEN)
        return not self.is_closed and not disallowed and not path.startswith(OUTSIDE)

    def verdict(self, path: str) -> Verdict:
        """Return the verdict on a listed path."""
        if self.allows(path) or path.startswith(OUTSIDE):
            return self.pages[path].verdict
        return Verdict.BLOCKED

    @property
    def sends_extra(self) -> bool:
        """Whether it sends more responses than there were requests."""
        return any("extra" in page.manner for page in self.pages.values())

    def redirects(self, path: str) -> tuple[str, ...]:
        """Return the paths of the redirects that begin at a path, and where the last one leads."""
        way = [path]
        while (
            self.allows(way[-1])
            and self.pages[way[-1]].kind is Kind.MOVED
            and (target := self.pages[way[-1]].leads_to)
        ):
            way.append(target)
            if target in way[:-1]:
                break
        return tuple(way)

    @property
    def known_files(self) -> list[WorldFile]:
        """The sitemaps that can be discovered, those that fail included."""
        if self.is_closed or not (self.declared or not self.files[USUAL].fails):
            return []
        found: dict[str, WorldFile] = {}
        waiting = list(self.declared or [USUAL])
        while waiting:
            path = waiting.pop()
            if path not in found and path in self.files:
                found[path] = self.files[path]
                waiting += [each.path for each in found[path].entries if each.path in self.files]
        return list(found.values())

    @property
    def has_sitemap(self) -> bool:
        """Whether one of its sitemaps can be read; an empty file is not a sitemap.

        An index alone does not suffice: it lists no page.
        """
        files = (file for file in self.known_files if not file.children)
        return any(file.is_readable and not file.is_empty for file in files)

    @property
    def listings(self) -> Counter[str]:
        """The listed paths, each with the number of entries that list it."""
        return Counter(
            entry.path
            for file in self.known_files
            if not file.children
            for entry in file.entries
            if entry.has_url
        )

    @property
    def needed(self) -> set[str]:
        """The paths that an audit of all pages must request: the listed, and their targets."""
        listed = {path for path in self.listings if self.allows(path)}
        targets = {self.pages[path].leads_to for path in listed}
        return listed | {each for each in targets if each and self.allows(each)}

    def reachable(self, *, by_links: bool) -> set[str]:
        """Return the paths that it may request: the needed ones, and what these lead to."""
        found, waiting = set[str](), self.needed
        while waiting:
            found |= waiting
            pages = [self.pages[path] for path in waiting]
            next_ones = {page.leads_to for page in pages}
            if by_links:
                next_ones |= {each for page in pages for each in page.followed}
            waiting = {each for each in next_ones if each and self.allows(each)} - found
        return found

    def links(self, fetched: set[str]) -> set[tuple[str, str]]:
        """Return the links that fetched pages have to other pages."""
        return {
            (path, target)
            for path in fetched
            for target in self.pages[path].linked
            if target != path
        }


def _robots(dice: random.Random, declared: set[str], fault: Fault) -> WorldRobots | None:
    """Draw a robots.txt; without one, and without declared sitemaps, the usual place is read."""
    if declared == {USUAL} and dice.random() < 0.5:
        return dice.choice([None, WorldRobots()])
    return WorldRobots(
        tuple(sorted(declared)),
        fault if dice.random() < 0.08 else None,
        dice.choice(ROBOTS_FLAWS) if dice.random() < 0.1 else "",
    )


_ENDS: Final = ("", "/", ".html", "?a=1&b=2", "?sid=5", "/%C3%A9", "/A", "-x~y")


def _paths(dice: random.Random, number: int) -> list[str]:
    """Draw different paths; some differ from another one by a slash or by letter case."""
    paths = dict[str, None]()
    for each in range(number):
        start = FORBIDDEN if dice.random() < 0.08 else "/"
        path = f"{start}{each}{dice.choice(_ENDS)}"
        if paths and dice.random() < 0.05:
            path = dice.choice([str.upper, _with_slash])(dice.choice([*paths]))
        paths[path] = None
    return [*paths]


def _with_slash(path: str) -> str:
    return path.rstrip("/") + "/"


def _certain(pages: dict[str, WorldPage]) -> dict[str, WorldPage]:
    """Return pages of which an audit can find out which response belongs to which request.

    It cannot if one response too many comes later, and then the connection ends: because of a fault
    or a body that is not read.
    """
    if all(page.manner != "late-extra" for page in pages.values()):
        return pages
    return {
        path: replace(
            page,
            fault=None,
            kind=Kind.FINE if page.kind is Kind.ARCHIVE else page.kind,
            variant="" if page.variant in FILES else page.variant,
        )
        for path, page in pages.items()
    }
