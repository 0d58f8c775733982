"""From a case that breaks the law to a smaller one that breaks it too."""

import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from tests.worlds.case import Case
from tests.worlds.files import USUAL, WorldEntry, WorldFile
from tests.worlds.pages import Kind, WorldPage
from tests.worlds.story import Story
from tests.worlds.world import World, WorldRobots

T = TypeVar("T")

SECONDS: Final = 300
"""The time in which a smaller case is searched."""


def shrink(case: Case, fails: Callable[[Case], bool], seconds: float = SECONDS) -> Case:
    """Return the smallest case that is found: what can be dropped is dropped while it fails."""
    end = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(case):
            if time.monotonic() > end:
                return case
            if fails(candidate):
                case, smaller = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Yield cases with fewer parts; those that lack most are first."""
    places = range(len(case.worlds))
    for kept in _fewer(places):
        worlds = tuple(case.worlds[place] for place in kept)
        yield replace(case, worlds=worlds, later=tuple(case.later[place] for place in kept))
    for story in _simpler_stories(case.story):
        yield replace(case, story=story)
    for place in places:
        before, after = case.worlds[place], case.later[place]
        for world in _simpler_worlds(before):
            known = {path: page for path, page in after.pages.items() if path in world.pages}
            changed = _with_pages(replace(world, pages=known), list(known))
            yield replace(
                case,
                worlds=(*case.worlds[:place], world, *case.worlds[place + 1 :]),
                later=(*case.later[:place], changed, *case.later[place + 1 :]),
            )


def _fewer(parts: Sequence[T]) -> Iterator[list[T]]:
    """Yield the parts without a half of them, without a quarter, and so on."""
    length = len(parts) // 2
    while length and len(parts) > 1:
        for start in range(0, len(parts), length):
            yield [*parts[:start], *parts[start + length :]]
        length //= 2


def _simpler_stories(story: Story) -> Iterator[Story]:
    if story.stops:
        yield replace(story, stops=())
    for stops in _fewer(story.stops):
        yield replace(story, stops=tuple(stops))
    for field in fields(story):
        values: dict[str, Any] = {field.name: field.default}
        simpler = replace(story, **values)
        if field.name != "stops" and simpler != story:
            yield simpler


def _simpler_worlds(world: World) -> Iterator[World]:
    for paths in _fewer(list(world.pages)):
        yield _with_pages(world, paths)
    for paths in _fewer(list(world.files)):
        if smaller := _with_files(world, paths):
            yield smaller
    if world.robots and world.robots != WorldRobots(world.declared):
        yield replace(world, robots=WorldRobots(world.declared))
    if world.turn:
        yield replace(world, turn=None)
    for path, page in world.pages.items():
        for simpler in _simpler_pages(page):
            yield replace(world, pages={**world.pages, path: simpler})
    for path, file in world.files.items():
        for changed in _simpler_files(file):
            yield replace(world, files={**world.files, path: changed})


def _simpler_pages(page: WorldPage) -> Iterator[WorldPage]:
    if page.kind is Kind.OUTSIDE:
        return
    plain = WorldPage(page.path, Kind.FINE, links=page.links)
    leads = page.kind is Kind.MOVED and page.target is None
    for changed in (
        plain,
        replace(page, fault=None),
        replace(page, manner=""),
        replace(page, links=()),
        page if leads or page.variant in ("refresh", "later") else replace(page, variant=""),
    ):
        if changed != page:
            yield changed


def _simpler_files(file: WorldFile) -> Iterator[WorldFile]:
    for changed in (
        file if file.children else WorldFile(file.path, "urlset", file.listed),
        replace(file, fault=None),
        replace(file, manner=""),
        replace(file, flaw=""),
        replace(file, listed=tuple(WorldEntry(entry.path) for entry in file.listed)),
    ):
        if changed != file:
            yield changed
    for kept in _fewer(file.listed) if file.whole is None else ():
        yield replace(file, listed=tuple(kept))


def _with_files(world: World, paths: Sequence[str]) -> World | None:
    """Return a website with only these sitemaps, if they can be discovered."""
    files = dict[str, WorldFile]()
    for file in (world.files[path] for path in paths):
        children = tuple(each for each in file.children if each in paths)
        if children or not file.children:
            files[file.path] = replace(file, children=children)
    if world.robots is None or not world.robots.declared:
        return replace(world, files=files) if USUAL in files else None
    declared = tuple(path for path in world.robots.declared if path in files)
    robots = replace(world.robots, declared=declared)
    return replace(world, files=files, robots=robots) if declared else None


def _with_pages(world: World, paths: Sequence[str]) -> World:
    """Return a website with only these pages: nothing leads to the others."""
    kept = set(paths)
    pages = {}
    for path in paths:
        page = world.pages[path]
        page = replace(page, links=tuple(each for each in page.links if each in kept))
        if page.target is not None and page.target not in kept:
            page = replace(page, kind=Kind.FINE, status=200, target=None, variant="")
        pages[path] = page
    files = {path: _listing(file, kept) for path, file in world.files.items()}
    return replace(world, pages=pages, files=files)


def _listing(file: WorldFile, kept: AbstractSet[str]) -> WorldFile:
    """Return a sitemap that lists only these pages."""
    listed = tuple(each for each in file.listed if each.path in kept)
    return file if listed == file.listed else replace(file, listed=listed, whole=None)
