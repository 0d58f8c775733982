"""A website drawn from a seed: its pages, its sitemaps, and what an audit must find out."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, Self

from sitemapaudit.items import Error, Verdict

FORBIDDEN: Final = "/private/"
"""The start of the paths that robots.txt disallows."""

ATTEMPTS: Final = 3
"""The number of times that an audit requests what fails: RETRY_TIMES is 2."""

ERRORS: Final = {
    "reset": Error.RESET,
    "close": Error.RESET,
    "cut": Error.TRUNCATED,
    "cut-chunk": Error.TRUNCATED,
    "garbage": Error.INVALID_HTTP,
    "silence": Error.TIMEOUT,
    "name": Error.DNS,
}
"""How a response can fail, and the error that an audit must record if it always does.

reset, close: the connection ends before a response. cut: the body ends before its announced length,
cut-chunk: before its last chunk. garbage: the response is not HTTP. silence: nothing is sent. name:
the name of the website has no address.
"""

WAYS: Final = tuple(how for how in ERRORS if how not in ("silence", "name"))
"""Those for which an audit does not wait, and which are those of single responses."""

_CUTS: Final = ("cut", "cut-chunk")

MANNERS: Final = ("slow", "chunked", "pieces", "extra", "late-extra")
"""How a response can arrive that is otherwise fine.

slow: after a moment. chunked: without Content-Length. pieces: in several parts. extra: with another
response on the same connection that nothing requested; late-extra: some time after it.
"""


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
    EMPTY = Verdict.SOFT_404

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


_STATUSES: Final = {
    Kind.GONE: (404, 410),
    Kind.DENIED: (401, 403),
    Kind.ODD: (400, 405, 418, 451),
    Kind.BROKEN: (500, 501, 502, 505),
    Kind.MOVED: (301, 302, 303, 307, 308),
}

_COMMON: Final = (*[Kind.FINE] * 8, *[Kind.MOVED] * 2, *Kind)


@dataclass(frozen=True)
class Fault:
    """How the first requests for a path fail, or all of them if ``times`` is None."""

    how: str
    times: int | None = None

    @property
    def lasts(self) -> bool:
        return self.times is None

    @classmethod
    def draw(cls, dice: random.Random, ways: Sequence[str]) -> Self:
        """Return a fault that an audit survives, or one that it must record.

        An audit requests a page that does not respond only twice.
        """
        how = dice.choice(ways)
        times = dice.randint(1, 1 if how == "silence" else ATTEMPTS - 1)
        return cls(how, None if how == "name" or dice.random() < 0.4 else times)


@dataclass(frozen=True)
class WorldPage:
    """A page: its path, what it does, and the paths that it leads and links to.

    ``version`` is that of its text.
    """

    path: str
    kind: Kind
    status: int = 200
    target: str | None = None
    links: tuple[str, ...] = ()
    fault: Fault | None = None
    manner: str = ""
    version: int = 0

    @property
    def fails(self) -> bool:
        """Whether there is never a usable response."""
        return self.fault is not None and self.fault.lasts

    @property
    def verdict(self) -> Verdict:
        return Verdict.UNREACHABLE if self.fails else self.kind.value

    @property
    def error(self) -> Error | None:
        """The error that an audit must record of its response."""
        return ERRORS[self.fault.how] if self.fault and self.fault.lasts else None

    @property
    def tries(self) -> int:
        """How often an audit may request it: failures are repeated, and checked again.

        What is denied is requested as a browser too.
        """
        if self.fails:
            return ATTEMPTS
        times = self.fault.times or 0 if self.fault else 0
        if self.kind is Kind.BROKEN:
            return max(ATTEMPTS, times + 2)
        return 1 + times + (self.kind is Kind.EMPTY or self.status == _DENIED)

    @property
    def leads_to(self) -> str | None:
        """The path that an audit fetches next because of the response."""
        return None if self.fails else self.target

    @property
    def linked(self) -> tuple[str, ...]:
        """The links that an audit that fetches the page records."""
        return self.links if not self.fails and self.is_read else ()

    @property
    def is_read(self) -> bool:
        return self.kind in _READ


_DENIED: Final = 403

_READ: Final = (Kind.FINE, Kind.HIDDEN, Kind.COPY)
"""The kinds of pages whose body an audit reads."""


@dataclass(frozen=True)
class WorldFile:
    """A sitemap: its path, format, the listed paths in order, and the sitemaps of an index.

    The XML of a file with ``whole`` entries breaks off after that many.
    """

    path: str
    format: str
    listed: tuple[str, ...] = ()
    children: tuple[str, ...] = ()
    fault: Fault | None = None
    manner: str = ""
    whole: int | None = None

    @property
    def fails(self) -> bool:
        return self.fault is not None and self.fault.lasts

    @property
    def error(self) -> Error | None:
        return ERRORS[self.fault.how] if self.fault and self.fault.lasts else None

    @property
    def entries(self) -> tuple[str, ...]:
        """The paths in the entries that an audit must read."""
        return () if self.fails else (*self.listed, *self.children)[: self.whole]


@dataclass(frozen=True)
class World:
    """A website. Without ``declared`` sitemaps, it has no robots.txt."""

    pages: dict[str, WorldPage]
    files: dict[str, WorldFile] = field(default_factory=dict)
    declared: tuple[str, ...] = ()
    robots: Fault | None = None

    @classmethod
    def draw(
        cls, dice: random.Random, ways: Sequence[str], manners: Sequence[str], *, named: bool
    ) -> Self:
        """Return a website of at most 60 pages in at most 6 sitemaps.

        Its responses fail in these ways, or arrive in these manners. If it is ``named``, its name
        can have no address.
        """
        number = min(60, 1 + round(dice.expovariate(1 / 6)))
        paths = [_path(dice, number) for number in range(number)]
        pages = _certain({path: _page(dice, path, paths, ways, manners) for path in paths})
        files = {file.path: file for file in _files(dice, paths, ways)}
        roots = set(files) - {child for file in files.values() for child in file.children}
        has_robots = roots != {USUAL} or dice.random() < 0.6
        fault = Fault.draw(dice, [*(how for how in ways if how not in _CUTS), *("name",) * named])
        return cls(
            pages,
            files,
            tuple(sorted(roots)) if has_robots else (),
            fault if has_robots and dice.random() < 0.08 else None,
        )

    def change(self, dice: random.Random) -> Self:
        """Return the website some days later: pages change what they do, or their text."""
        pages = dict(self.pages)
        for path in dice.sample(sorted(pages), len(pages) // 3):
            new = _page(dice, path, sorted(pages), WAYS, MANNERS)
            pages[path] = replace(new, version=pages[path].version + 1)
        return replace(self, pages=_certain(pages))

    @property
    def is_closed(self) -> bool:
        """Whether robots.txt cannot be fetched, so that nothing else may be."""
        return self.robots is not None and self.robots.lasts

    def allows(self, path: str) -> bool:
        """Return whether an audit may request a page."""
        return not self.is_closed and not (self.declared and path.startswith(FORBIDDEN))

    def verdict(self, path: str) -> Verdict:
        """Return the verdict on a listed path."""
        return self.pages[path].verdict if self.allows(path) else Verdict.BLOCKED

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
                waiting += [each for each in found[path].entries if each in self.files]
        return list(found.values())

    @property
    def has_sitemap(self) -> bool:
        """Whether one of its sitemaps can be read."""
        return any(not file.fails for file in self.known_files)

    @property
    def listings(self) -> Counter[str]:
        """The listed paths, each with the number of entries that list it."""
        return Counter(
            path for file in self.known_files if not file.children for path in file.entries
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
                next_ones |= {each for page in pages for each in page.linked}
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


USUAL: Final = "/sitemap.xml"
"""The path where an audit looks for a sitemap if none is declared."""


def _path(dice: random.Random, number: int) -> str:
    start = FORBIDDEN if dice.random() < 0.08 else "/"
    return f"{start}{number}" + dice.choice(["", "/", ".html", "?a=1&b=2", "/%C3%A9", "/A", "-x~y"])


def _certain(pages: dict[str, WorldPage]) -> dict[str, WorldPage]:
    """Return pages of which an audit can find out which response belongs to which request.

    It cannot if one response too many comes later, and then the connection ends: because of a fault
    or a body that is not read.
    """
    if all(page.manner != "late-extra" for page in pages.values()):
        return pages
    return {
        path: replace(page, fault=None, kind=Kind.FINE if page.kind is Kind.ARCHIVE else page.kind)
        for path, page in pages.items()
    }


def _page(
    dice: random.Random,
    path: str,
    paths: list[str],
    ways: Sequence[str],
    manners: Sequence[str],
) -> WorldPage:
    kind = dice.choice(_COMMON)
    others = [each for each in paths if each != path]
    if kind in (Kind.MOVED, Kind.COPY) and not others:
        kind = Kind.FINE
    fault = Fault.draw(dice, [how for how in ways if kind in _READ or how not in _CUTS])
    suitable = [how for how in manners if kind in _READ or how == "slow"]
    return WorldPage(
        path,
        kind,
        dice.choice(_STATUSES.get(kind, (200,))),
        dice.choice(others) if kind in (Kind.MOVED, Kind.COPY) else None,
        tuple(sorted({dice.choice(paths) for _ in range(dice.randint(0, 4))})),
        fault if dice.random() < 0.08 else None,
        dice.choice(suitable) if dice.random() < 0.1 else "",
    )


def _files(dice: random.Random, paths: list[str], ways: Sequence[str]) -> Iterator[WorldFile]:
    """Draw sitemaps; together they list most pages, some of them several times."""
    listed = [path for path in paths if dice.random() < 0.9] or paths[:1]
    listed += dice.choices(paths, k=dice.randint(0, 5))
    dice.shuffle(listed)
    number = dice.randint(1, 5)
    names = []
    for each in range(number):
        kind = dice.choice(["urlset", "urlset", "urlset.gz", "text", "rss", "atom"])
        names.append(f"/sitemaps/{each}.{'txt' if kind == 'text' else 'xml'}")
        own = tuple(listed[each::number])
        breaks = kind == "urlset" and len(own) > 1 and dice.random() < 0.1
        yield WorldFile(
            names[-1],
            kind,
            own,
            fault=Fault.draw(dice, ways) if dice.random() < 0.08 else None,
            manner=dice.choice(MANNERS[:3]) if dice.random() < 0.2 else "",
            whole=dice.randint(1, len(own) - 1) if breaks else None,
        )
    if number > 1 and dice.random() < 0.7:
        inner = names[: dice.randint(1, number)]
        fault = Fault.draw(dice, ways) if dice.random() < 0.08 else None
        yield WorldFile(
            USUAL if len(inner) == number else "/sitemaps/index.xml",
            "index",
            children=tuple(inner),
            fault=fault,
        )
