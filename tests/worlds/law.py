"""The law: the tables of an audit are those that the model of its websites predicts."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from sitemapaudit import Run
from sitemapaudit.items import Error, Verdict
from sitemapaudit.runs.manifest import Manifest, Status
from tests.worlds.faults import ATTEMPTS
from tests.worlds.findings import ALONE, NOT_PREDICTED, predict
from tests.worlds.findings.seen import Seen
from tests.worlds.results import Finding, Place, Results
from tests.worlds.served import Served
from tests.worlds.story import COMPLETE, INCOMPLETE, Story
from tests.worlds.world import World


def check(story: Story, site: Served, run: Run, status: int) -> None:
    """Check the tables of a run, its manifest, and the requests for it; raises AssertionError."""
    same(site.intrusions, 0)
    assert run.manifest.status is Status.FINISHED, run.manifest.reason
    results = Results(site, run)
    checked = _check_urls(story, site, results)
    _check_files(site, results)
    _check_complete(story, site, results, run.manifest, status)
    _check_requests(story, site, checked)
    _check_findings(story, site, results, checked)
    if story.links != "none":
        _check_links(site, results)


def _check_urls(story: Story, site: Served, results: Results) -> set[Place]:
    """Check listed URLs and their verdicts; return those that were checked."""
    found = _steady(site, results.verdicts)
    expected = _expected_verdicts(_worlds(site))
    same(found.keys(), expected.keys())
    checked = {place for place, verdict in found.items() if verdict != Verdict.UNCHECKED}
    same({place: found[place] for place in checked}, {place: expected[place] for place in checked})
    ways = {(at, path): site.worlds[at].redirects(path) for at, path in checked}
    same({place: results.ways[place] for place in checked}, ways)
    listings = {
        (number, path): times
        for number, world in _worlds(site)
        for path, times in world.listings.items()
    }
    same(_steady(site, results.listings), listings)
    unreachable = [place for place in checked if found[place] == Verdict.UNREACHABLE]
    errors = {(at, path): site.worlds[at].pages[path].error for at, path in unreachable}
    same({place: results.errors.get(place) for place in unreachable}, errors)
    if not site.turned:
        _check_number(story, site, checked)
    return checked


def _expected_verdicts(worlds: Iterator[tuple[int, World]]) -> dict[Place, str]:
    return {
        (number, path): str(world.verdict(path))
        for number, world in worlds
        for path in world.listings
    }


def _check_number(story: Story, site: Served, checked: set[Place]) -> None:
    """Check how many listed pages have a verdict: the sample, and targets that are listed too."""
    listed = sum(len(world.listings) for world in site.worlds)
    if story.pages == "all":
        same(len(checked), listed)
        return
    expected = min(0 if story.pages == "none" else int(story.pages), listed)
    targets = {
        (number, world.pages[path].leads_to)
        for number, world in enumerate(site.worlds)
        for path in world.reachable(by_links=False)
    }
    assert len(checked - targets) <= expected <= len(checked), (len(checked), expected)


def _check_files(site: Served, results: Results) -> None:
    """Check sitemaps, their errors, and their entries."""
    known = {
        (number, file.path): file for number, world in _worlds(site) for file in world.known_files
    }
    same(_steady(site, results.files), {place: file.error for place, file in known.items()})
    locs = {each: times for each, times in results.locs.items() if each[0][0] not in site.turned}
    expected = Counter(
        (place, entry.loc(site.address(place[0], entry.path)))
        for place, file in known.items()
        for entry in file.entries
    )
    same(locs, expected)


def _check_complete(
    story: Story, site: Served, results: Results, manifest: Manifest, status: int
) -> None:
    """Check that the run is complete, or says which website or file is missing."""
    reason = manifest.reason or ""
    failed = [file for _, world in _worlds(site) for file in world.known_files if file.fails]
    without = [site.origins[number] for number, world in _worlds(site) if not world.has_sitemap]
    turned = {site.origins[number] for number in site.turned}
    if site.is_alone:
        assert "no sitemap could be read" in reason or not without, reason
    else:
        same({*manifest.sites_without_sitemap} - turned, {*without})
        assert all(origin in reason for origin in without), reason
    assert "could not be read" in reason or not failed or (site.is_alone and without), reason
    unanswered = _is_unanswered(results)
    assert "no listed page could be read" in reason or not unanswered, reason
    damaged = _is_damaged(story, site, results)
    assert manifest.complete == (not (failed or without or unanswered or damaged)), reason
    if not damaged:
        same(manifest.failed_sitemaps, len(failed))
    same(status, COMPLETE if manifest.complete else INCOMPLETE)


def _is_unanswered(results: Results) -> bool:
    """Return whether no response says anything about a listed page."""
    checked = {*results.verdicts.values()} - {Verdict.UNCHECKED}
    return bool(checked) and checked <= {Verdict.UNREACHABLE, Verdict.DENIED}


def _is_damaged(story: Story, site: Served, results: Results) -> bool:
    """Return whether websites whose names turned lack rows; those that they have must be true."""
    turned = [(number, world) for number, world in enumerate(site.worlds) if number in site.turned]
    known = [(at, file) for at, world in turned for file in world.known_files]
    files = {(at, file.path): file.error for at, file in known}
    found = {place: each for place, each in results.verdicts.items() if place[0] in site.turned}
    expected = _expected_verdicts(iter(turned))
    assert found.keys() <= expected.keys(), found.keys() - expected.keys()
    refused = {place for place in found if results.errors.get(place) == Error.ADDRESS_REFUSED}
    for place, verdict in found.items():
        allowed = [expected[place]]
        if place in refused or story.pages != "all":
            allowed = [*allowed, Verdict.UNCHECKED]
        if site.worlds[place[0]].pages[place[1]].fault:  # It could not be checked again.
            allowed = [*allowed, Verdict.UNREACHABLE]
        assert verdict in allowed, (place, verdict, allowed)
    failed = any(not world.has_sitemap for _, world in turned) or any(x.fails for _, x in known)
    is_whole = files.items() <= results.files.items() and found.keys() == expected.keys()
    return failed or bool(refused) or not is_whole


def _check_requests(story: Story, site: Served, checked: set[Place]) -> None:
    """Check that nothing forbidden was requested, and nothing twice.

    A stop may repeat what was under way, and two shards can need the same target. Pages are
    requested once more where a server sent too many responses, and some by a reused run; and once
    more if the response to another request was that access is denied.
    """
    again = dict[Place, int]()
    for number, (world, fetched) in enumerate(zip(site.worlds, site.fetched, strict=True)):
        assert all(map(world.allows, fetched)), (number, fetched)
        reachable = world.reachable(by_links=story.links == "crawl")
        own = {path for at, path in checked if at == number and world.allows(path)}
        assert own <= fetched.keys() <= reachable, (number, own ^ fetched.keys(), reachable)
        if story.links == "crawl" and number not in site.turned:
            same(fetched.keys(), reachable)
        more = story.is_reused + world.sends_extra
        targets = {world.pages[path].leads_to for path in fetched}
        for path, times in fetched.items():
            most = world.pages[path].tries * (1 + more) * (story.shards if path in targets else 1)
            if times > most + world.sends_extra:
                again[number, path] = times
        for path, times in site.files[number].items():
            most = ATTEMPTS + (path in world.files and world.files[path].flaw == "denied")
            assert times <= most * (len(story.stops) + 1) * story.shards, (path, times)
    assert len(again) <= story.may_repeat, again


def _check_findings(story: Story, site: Served, results: Results, checked: set[Place]) -> None:
    """Check the rule, severity and place of each finding."""
    found = Counter[Finding]()
    for finding, times in results.findings.items():
        rule, _, url, sitemap, _ = finding
        number = (url or sitemap or (0, ""))[0]
        is_predicted = rule not in NOT_PREDICTED and number not in site.turned
        is_predicted = is_predicted and not (site.is_alone and rule in ALONE)
        if is_predicted and _is_certain(rule, story, site.worlds[number]):
            found[finding] = times
    expected = Counter(
        (
            rule,
            str(each.severity),
            None if each.url is None else (number, each.url),
            None if each.sitemap is None else (number, each.sitemap),
            each.position,
        )
        for number, world in _worlds(site)
        for rule, each in predict(_seen(story, site, checked, number))
        if _is_certain(rule, story, world)
    )
    same(found, expected)


def _seen(story: Story, site: Served, checked: set[Place], number: int) -> Seen:
    paths = {path for at, path in checked if at == number}
    return Seen(site.worlds[number], paths, {*site.fetched[number]}, story.links != "none")


def _is_certain(rule: str, story: Story, world: World) -> bool:
    """Return whether the findings of a rule can be predicted.

    It is not known which request is the first one of a page that several processes request, or of
    which a server sent too many responses.
    """
    repeats = story.ends or story.shards > 1 or world.sends_extra
    return rule != "page-intermittent" or not repeats


def _check_links(site: Served, results: Results) -> None:
    expected = {
        ((number, source), (number, target))
        for number, world in _worlds(site)
        for source, target in world.links(set(site.fetched[number]))
    }
    same({link for link in results.links if link[0][0] not in site.turned}, expected)


def _worlds(site: Served) -> Iterator[tuple[int, World]]:
    """Yield the websites whose names have not turned, with their numbers."""
    worlds = enumerate(site.worlds)
    return ((number, world) for number, world in worlds if number not in site.turned)


def _steady(site: Served, rows: dict[Place, Any]) -> dict[Place, Any]:
    """Return the rows of websites whose names have not turned."""
    return {place: row for place, row in rows.items() if place[0] not in site.turned}


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
