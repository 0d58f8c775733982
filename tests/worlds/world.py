"""A website drawn from a seed: its pages, its sitemaps, and what an audit must find out."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Self

from sitemapaudit.items import Verdict

FORBIDDEN: Final = "/private/"
"""The start of the paths that robots.txt disallows."""


class Kind(Enum):
    """What a page does, with the verdict on it."""

    FINE = Verdict.INDEXABLE
    GONE = Verdict.NOT_FOUND
    DENIED = Verdict.DENIED
    ODD = Verdict.CLIENT_ERROR
    BROKEN = Verdict.SERVER_ERROR
    MOVED = Verdict.REDIRECTED
    ARCHIVE = Verdict.UNSUPPORTED_TYPE
    HIDDEN = Verdict.NOINDEX
    COPY = Verdict.CANONICALIZED
    FORBIDDEN = Verdict.BLOCKED


_STATUSES: Final = {
    Kind.GONE: (404, 410),
    Kind.DENIED: (401, 403),
    Kind.ODD: (400, 405, 418, 451),
    Kind.BROKEN: (501, 505),
    Kind.MOVED: (301, 302, 303, 307, 308),
}
"""Statuses that are not tried again: those of the others depend on the number of tries."""

_COMMON: Final = (*[Kind.FINE] * 8, *Kind)


@dataclass(frozen=True)
class WorldPage:
    """A page: its path, what it does, and the paths that it leads and links to.

    A flaky page resets the connection of the first request. ``version`` is that of its text.
    """

    path: str
    kind: Kind
    status: int = 200
    target: str | None = None
    links: tuple[str, ...] = ()
    is_flaky: bool = False
    version: int = 0

    @property
    def is_allowed(self) -> bool:
        return not self.path.startswith(FORBIDDEN)

    @property
    def tries(self) -> int:
        """How often an audit may request it: a reset and a server error are checked again."""
        return 1 + self.is_flaky + (self.kind is Kind.BROKEN)

    @property
    def has_links(self) -> bool:
        """Whether an audit that fetches it records its links."""
        return self.kind in (Kind.FINE, Kind.HIDDEN, Kind.COPY)


@dataclass(frozen=True)
class WorldFile:
    """A sitemap: its path, format, the listed paths in order, and the sitemaps of an index."""

    path: str
    format: str
    listed: tuple[str, ...] = ()
    children: tuple[str, ...] = ()


@dataclass(frozen=True)
class World:
    """A website."""

    pages: dict[str, WorldPage]
    files: dict[str, WorldFile] = field(default_factory=dict)
    declared: tuple[str, ...] = ()

    @classmethod
    def draw(cls, dice: random.Random) -> Self:
        """Return a website of at most 60 pages in at most 6 sitemaps."""
        paths = [_path(dice, number) for number in range(dice.randint(1, 60))]
        pages = {path: _page(dice, path, paths) for path in paths}
        files = {file.path: file for file in _files(dice, paths)}
        roots = set(files) - {child for file in files.values() for child in file.children}
        return cls(pages, files, tuple(sorted(roots)))

    def change(self, dice: random.Random) -> Self:
        """Return the website some days later: pages change what they do, or their text."""
        pages = dict(self.pages)
        for path in dice.sample(sorted(pages), len(pages) // 3):
            new = _page(dice, path, sorted(pages))
            pages[path] = replace(new, version=pages[path].version + 1)
        return replace(self, pages=pages)

    @property
    def listings(self) -> list[str]:
        """The listed paths, each as often as it is listed."""
        return [path for file in self.files.values() for path in file.listed]

    def verdicts(self) -> dict[str, Verdict]:
        """Return the verdict on each listed path."""
        return {path: self.pages[path].kind.value for path in self.listings}

    def needed(self) -> set[str]:
        """Return the paths that an audit of all pages must request: the listed, their targets."""
        listed = {path for path in self.listings if self.pages[path].is_allowed}
        targets = {self.pages[path].target for path in listed}
        return listed | {each for each in targets if each and self.pages[each].is_allowed}

    def reachable(self, *, by_links: bool) -> set[str]:
        """Return the paths that it may request: the needed ones, and what these lead to."""
        found, waiting = set[str](), self.needed()
        while waiting:
            found |= waiting
            pages = [self.pages[path] for path in waiting]
            next_ones = {page.target for page in pages}
            if by_links:
                next_ones |= {each for page in pages if page.has_links for each in page.links}
            waiting = {each for each in next_ones if each and self.pages[each].is_allowed} - found
        return found

    def links(self, fetched: set[str]) -> set[tuple[str, str]]:
        """Return the links that fetched pages have to other pages."""
        return {
            (path, target)
            for path in fetched
            if self.pages[path].has_links
            for target in self.pages[path].links
            if target != path
        }


def _path(dice: random.Random, number: int) -> str:
    start = FORBIDDEN if dice.random() < 0.08 else "/"
    return f"{start}{number}" + dice.choice(["", "/", ".html", "?a=1&b=2", "/%C3%A9", "/A", "-x~y"])


def _page(dice: random.Random, path: str, paths: list[str]) -> WorldPage:
    if path.startswith(FORBIDDEN):
        return WorldPage(path, Kind.FORBIDDEN)
    kind = dice.choice([each for each in _COMMON if each is not Kind.FORBIDDEN])
    others = [each for each in paths if each != path]
    if kind in (Kind.MOVED, Kind.COPY) and not others:
        kind = Kind.FINE
    return WorldPage(
        path,
        kind,
        dice.choice(_STATUSES.get(kind, (200,))),
        dice.choice(others) if kind in (Kind.MOVED, Kind.COPY) else None,
        tuple(sorted({dice.choice(paths) for _ in range(dice.randint(0, 4))})),
        is_flaky=dice.random() < 0.05,
    )


def _files(dice: random.Random, paths: list[str]) -> Iterator[WorldFile]:
    """Draw sitemaps; together they list most pages, some of them several times."""
    listed = [path for path in paths if dice.random() < 0.9] or paths[:1]
    listed += dice.choices(paths, k=dice.randint(0, 5))
    dice.shuffle(listed)
    number = dice.randint(1, 5)
    names = []
    for each in range(number):
        kind = dice.choice(["urlset", "urlset", "urlset.gz", "text", "rss", "atom"])
        names.append(f"/sitemaps/{each}.{'txt' if kind == 'text' else 'xml'}")
        yield WorldFile(names[-1], kind, tuple(listed[each::number]))
    if number > 1 and dice.random() < 0.7:
        inner = names[: dice.randint(1, number)]
        yield WorldFile("/sitemaps/index.xml", "index", children=tuple(inner))
