"""The part of a drawn website that an audit has seen, as far as findings depend on it."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitemapaudit.items import Severity, Verdict
from tests.worlds.files import WorldEntry, WorldFile
from tests.worlds.pages import WorldPage
from tests.worlds.world import World


class Found(NamedTuple):
    """A finding without its rule: its severity, and the paths and the position of its place."""

    severity: Severity
    url: str | None = None
    sitemap: str | None = None
    position: int | None = None


class Listing(NamedTuple):
    """An entry with a URL: its sitemap, its position and itself."""

    file: WorldFile
    position: int
    entry: WorldEntry


@dataclass(frozen=True)
class Seen:
    """A website, and the paths of the pages of which an audit has rows.

    ``checked`` are the listed ones, ``fetched`` those that were requested. ``links``: the audit
    recorded links.
    """

    world: World
    checked: AbstractSet[str]
    fetched: AbstractSet[str]
    links: bool

    @cached_property
    def files(self) -> list[WorldFile]:
        """The sitemaps that can be discovered, in the order of their paths."""
        return sorted(self.world.known_files, key=lambda file: file.path)

    @cached_property
    def listings(self) -> list[Listing]:
        """The entries that list a URL, in the order of the sitemaps and positions."""
        return [
            Listing(file, position, entry)
            for file in self.files
            if not file.children
            for position, entry in file.places
            if entry.has_url
        ]

    @cached_property
    def by_path(self) -> dict[str, list[Listing]]:
        """The listings of each listed path."""
        found: dict[str, list[Listing]] = {}
        for each in self.listings:
            found.setdefault(each.entry.path, []).append(each)
        return found

    @cached_property
    def pages(self) -> list[WorldPage]:
        """The listed pages whose own response is known."""
        return [self.world.pages[path] for path in sorted(self.checked) if self.responds(path)]

    @cached_property
    def unlisted(self) -> list[WorldPage]:
        """The other pages whose own response is known."""
        paths = sorted(self.fetched - self.by_path.keys())
        return [self.world.pages[path] for path in paths if self.responds(path)]

    @cached_property
    def ends(self) -> list[tuple[str, WorldPage]]:
        """The checked paths, each with the page at the end of its redirects, unless blocked."""
        ends = [(path, self.world.redirects(path)[-1]) for path in sorted(self.checked)]
        blocked = Verdict.BLOCKED
        return [(path, self.world.pages[end]) for path, end in ends if self.verdict(end) != blocked]

    def responds(self, path: str) -> bool:
        """Return whether a page can be requested, and sends a response in the end."""
        return self.world.allows(path) and not self.world.pages[path].fails

    def verdict(self, path: str) -> Verdict:
        """Return the verdict on a page, listed or not; it is unchecked if it was not fetched."""
        verdict = self.world.verdict(path)
        is_known = path in self.checked or path in self.fetched or not self.world.allows(path)
        return verdict if is_known else Verdict.UNCHECKED

    def hops(self, path: str) -> int:
        """Return the number of redirects that begin at a path."""
        return len(self.world.redirects(path)) - 1

    def is_loop(self, path: str) -> bool:
        """Return whether the redirects that begin at a path lead back to one of them."""
        *way, last = self.world.redirects(path)
        return last in way

    def on_page(self, path: str, severity: Severity) -> Found:
        """Return a finding on a page, whose place is the first entry that lists it."""
        if path not in self.by_path:
            return Found(severity, path)
        first = self.by_path[path][0]
        return Found(severity, path, first.file.path, first.position)

    def entries(self) -> Iterator[tuple[WorldFile, int, WorldEntry]]:
        """Yield the entries of urlsets: each with its sitemap and position."""
        for file in self.files:
            if file.format.startswith("urlset"):
                for position, entry in file.places:
                    yield file, position, entry

    @property
    def may_list_more(self) -> bool:
        """Whether a sitemap was not read, which can list any URL."""
        return any(file.fails for file in self.files)


def on_entry(file: WorldFile, position: int, entry: WorldEntry, severity: Severity) -> Found:
    """Return a finding on an entry."""
    return Found(severity, entry.path if entry.has_url else None, file.path, position)
