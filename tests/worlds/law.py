"""The law: the tables of an audit are those that the model of its websites predicts."""

from collections import Counter
from typing import Any, Final

from sitemapaudit import Run
from sitemapaudit.items import Verdict
from tests.worlds.served import Served
from tests.worlds.story import COMPLETE, INCOMPLETE, Story
from tests.worlds.world import ATTEMPTS

Place = tuple[int, str]
"""A website, by its number, and a path."""


def check(story: Story, site: Served, run: Run, status: int) -> None:
    """Check the tables of a run, its manifest, and the requests for it; raises AssertionError."""
    checked = _check_urls(story, site, run)
    _check_files(site, run)
    _check_complete(site, run, status)
    _check_requests(story, site, checked)
    if story.links != "none":
        _check_links(site, run)


def _check_urls(story: Story, site: Served, run: Run) -> set[Place]:
    """Check listed URLs and their verdicts; return those that were checked."""
    urls: Any = run.urls
    places = [_place(site, url) for url in urls.url]
    found = dict(zip(places, urls.verdict, strict=True))
    expected = {
        (number, path): str(world.verdict(path))
        for number, world in enumerate(site.worlds)
        for path in world.listings
    }
    same(found.keys(), expected.keys())
    checked = {place for place, verdict in found.items() if verdict != Verdict.UNCHECKED}
    same({place: found[place] for place in checked}, {place: expected[place] for place in checked})
    ways = {
        place: (hops, *(_place(site, each)[1] for each in chain[:hops]), _place(site, final)[1])
        for place, chain, hops, final in zip(
            places, urls.redirect_chain, urls.hops, urls.final_url, strict=True
        )
        if place in checked
    }
    expected_ways = {(at, path): site.worlds[at].redirects(path) for at, path in checked}
    same(ways, {place: (len(way) - 1, *way) for place, way in expected_ways.items()})
    listings = {
        (number, path): times
        for number, world in enumerate(site.worlds)
        for path, times in world.listings.items()
    }
    same(dict(zip(places, urls.listings, strict=True)), listings)
    errors = {
        (number, path): error
        for number, path in checked
        if (error := site.worlds[number].pages[path].error) and site.worlds[number].allows(path)
    }
    same(
        {
            place: error
            for place, error in zip(places, urls.error, strict=True)
            if isinstance(error, str) and found[place] == Verdict.UNREACHABLE
        },
        errors,
    )
    _check_number(story, site, checked)
    return checked


def _check_number(story: Story, site: Served, checked: set[Place]) -> None:
    """Check how many listed pages have a verdict: the sample, and targets that are listed too."""
    listed = sum(len(world.listings) for world in site.worlds)
    if story.pages == "all":
        assert len(checked) == listed, (len(checked), listed)
        return
    expected = min(0 if story.pages == "none" else int(story.pages), listed)
    targets = {
        (number, world.pages[path].leads_to)
        for number, world in enumerate(site.worlds)
        for path in world.reachable(by_links=False)
    }
    assert len(checked - targets) <= expected <= len(checked), (len(checked), expected)


def _check_files(site: Served, run: Run) -> None:
    """Check sitemaps, their errors, and their entries."""
    sitemaps, entries = _frame(run.sitemaps), _frame(run.entries)
    found = {
        _place(site, each.sitemap): each.error if isinstance(each.error, str) else None
        for each in sitemaps.itertuples()
    }
    known = {
        (number, file.path): file
        for number, world in enumerate(site.worlds)
        for file in world.known_files
    }
    same(found, {place: file.error for place, file in known.items()})
    locs = Counter(zip(entries.sitemap, entries["loc"], strict=True))
    origins = site.origins
    same(
        locs,
        Counter(
            (origins[number] + file.path, origins[number] + path)
            for (number, _), file in known.items()
            for path in file.entries
        ),
    )


def _check_complete(site: Served, run: Run, status: int) -> None:
    """Check that the run is complete, or says which website or file is missing."""
    manifest = run.manifest
    failed = [file for world in site.worlds for file in world.known_files if file.fails]
    without = [
        origin
        for origin, world in zip(site.origins, site.worlds, strict=True)
        if not world.has_sitemap
    ]
    same(manifest.failed_sitemaps, len(failed))
    several = len(site.worlds) > 1
    same(manifest.sites_without_sitemap, sorted(without) if several else [])
    reason = manifest.reason or ""
    assert manifest.complete == (not failed and not without), reason
    assert all(origin in reason for origin in without if several), reason
    assert not failed or "could not be read" in reason, reason
    assert status == (COMPLETE if manifest.complete else INCOMPLETE), (status, reason)


def _check_requests(story: Story, site: Served, checked: set[Place]) -> None:
    """Check that nothing forbidden was requested, and nothing twice.

    A stop may repeat what was under way, and two shards can need the same target. Pages are
    requested once more where a server sent too many responses, and some by a reused run.
    """
    again = dict[Place, int]()
    for number, (world, fetched) in enumerate(zip(site.worlds, site.fetched, strict=True)):
        assert all(map(world.allows, fetched)), (number, fetched)
        reachable = world.reachable(by_links=story.links == "crawl")
        own = {path for at, path in checked if at == number and world.allows(path)}
        assert own <= fetched.keys() <= reachable, (number, own ^ fetched.keys(), reachable)
        if story.links == "crawl":
            same(fetched.keys(), reachable)
        more = story.is_reused + any("extra" in world.pages[path].manner for path in fetched)
        targets = {world.pages[path].leads_to for path in fetched}
        again |= {
            (number, path): times
            for path, times in fetched.items()
            if times
            > world.pages[path].tries * (1 + more) * (story.shards if path in targets else 1)
        }
        for path, times in site.files[number].items():
            assert times <= ATTEMPTS * (len(story.stops) + 1) * story.shards, (path, times)
    assert len(again) <= story.may_repeat, again


def _check_links(site: Served, run: Run) -> None:
    links = _frame(run.links)
    pairs = {
        (_place(site, source), _place(site, target))
        for source, target in zip(links.source, links.target, strict=True)
    }
    expected = {
        ((number, source), (number, target))
        for number, world in enumerate(site.worlds)
        for source, target in world.links(set(site.fetched[number]))
    }
    same(pairs, expected)


def _place(site: Served, url: str) -> Place:
    origin, slash, rest = url.rpartition("/") if url.count("/") == 3 else _split(url)
    return site.origins.index(origin), slash + rest


def _split(url: str) -> tuple[str, str, str]:
    end = url.index("/", 8)
    return url[:end], "/", url[end + 1 :]


def _frame(table: Any) -> Any:
    return table


_MOST: Final = 5


def same(found: Any, expected: Any) -> None:
    """Raise AssertionError with the first differences of two sets, mappings or values."""
    if found == expected:
        return
    if not hasattr(found, "__iter__") or isinstance(found, str):
        raise AssertionError(f"found {found!r}, expected {expected!r}")
    one = set(found.items()) if hasattr(found, "items") else set(found)
    two = set(expected.items()) if hasattr(expected, "items") else set(expected)
    more, missing = (sorted(map(repr, each))[:_MOST] for each in (one - two, two - one))
    raise AssertionError(f"unexpected: {', '.join(more)}; missing: {', '.join(missing)}")
