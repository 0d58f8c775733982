"""Audits of a drawn website, with interruptions, and the law that their tables keep."""

import os
import random
import signal
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psutil

from sitemapaudit import Run, open_run
from tests.plugins.interpreters.commands import Command
from tests.runs.killing import CONCURRENCY, start
from tests.support.commands import TIMEOUT, run_in_process
from tests.worlds.served import Served
from tests.worlds.world import World

_STOPPED: Final = 3
"""The exit status of an audit that was asked to stop."""


@dataclass(frozen=True)
class Story:
    """What happens to the audits of a world.

    The audit is interrupted at the request with the number ``at`` by a signal, or by the end of one
    of its workers.
    """

    pages: str
    links: str
    workers: int
    shards: int
    at: int | None
    means: str
    is_reused: bool

    @classmethod
    def draw(cls, dice: random.Random, size: int) -> "Story":
        """Return a story for a website with some listed pages."""
        shards = dice.choice([1, 1, 1, 2])
        pages = dice.choice(["all", "all", "all", "none", str(dice.randint(1, size))])
        links = ["none"] if pages == "none" else ["none", "record"]
        if pages == "all" and shards == 1:
            links.append("crawl")
        chosen = dice.choice(links)
        return cls(
            pages=pages,
            links=chosen,
            workers=dice.choice([1, 1, 1, 2]) if shards == 1 else 1,
            shards=shards,
            at=dice.randint(1, size) if dice.random() < 0.5 else None,
            means=dice.choice(["kill", "interrupt", "terminate", "worker"]),
            is_reused=shards == 1 and chosen == "none" and dice.random() < 0.5,
        )

    @property
    def arguments(self) -> list[str]:
        return [f"pages={self.pages}", f"links={self.links}", f"workers={self.workers}"]


def tell(seed: int, folder: Path) -> None:
    """Audit the world of a seed, and check the law; raises AssertionError."""
    dice = random.Random(seed)
    world = World.draw(dice)
    story = Story.draw(dice, len(world.listings))
    with Served(world) as site:
        run = _audit(story, site, folder)
        _check(story, site, run)
        if story.is_reused:
            site.world = world.change(dice)
            site.fetched.clear()
            later = replace(story, at=None)
            _check(later, site, _audit(later, site, folder, f"reuse={run.path}"))


def _audit(story: Story, site: Served, folder: Path, *more: str) -> Run:
    """Audit the site as the story tells, to the end; return the run, or the merged shards."""
    if story.shards == 1:
        return open_run(_one_run(story, site, folder / f"run{len(more)}", *more))
    shards = range(1, story.shards + 1)
    runs = [
        _one_run(story, site, folder / f"{each}", f"shard={each}/{story.shards}", *more)
        for each in shards
    ]
    words = ["report", *map(str, runs), "--dir", str(folder / "merged")]
    done = run_in_process(*words)
    assert done.returncode == 0, done.stderr
    return open_run(folder / "merged")


def _one_run(story: Story, site: Served, folder: Path, *more: str) -> Path:
    audit: list[Command] = []
    interrupted: list[int] = []

    def interrupt(number: int) -> None:
        if audit and not interrupted and story.at is not None and number >= story.at:
            interrupted.append(number)
            _interrupt(audit[0], story)

    site.on_page = interrupt
    audit.append(start(folder, f"site={site.origin}", *story.arguments, *more))
    status = audit[0].wait(TIMEOUT)
    site.on_page = lambda _: None
    if not interrupted or story.means == "worker":
        assert status == 0, audit[0].log
    found = sorted(folder.glob("*/*/run.json"))
    if status:
        assert status in (_STOPPED, -signal.SIGKILL, 137), (status, audit[0].log)
        again = start(folder, f"resume={found[-1].parent}")
        assert again.wait(TIMEOUT) == 0, again.log
    return found[-1].parent


def _interrupt(audit: Command, story: Story) -> None:
    if story.means == "kill":
        os.killpg(audit.pid, signal.SIGKILL)
    elif story.means == "worker":
        workers = psutil.Process(audit.pid).children(recursive=True)
        if story.workers > 1 and workers:
            workers[-1].kill()
    else:
        audit.signal(signal.SIGINT if story.means == "interrupt" else signal.SIGTERM)


def _check(story: Story, site: Served, run: Run) -> None:
    """Check the tables of a run against the model, and the requests against what is allowed."""
    world, origin = site.world, site.origin
    urls: Any = run.urls
    found = {
        url.removeprefix(origin): verdict
        for url, verdict in zip(urls.url, urls.verdict, strict=True)
    }
    expected = {path: str(verdict) for path, verdict in world.verdicts().items()}
    checked = {path for path, verdict in found.items() if verdict != "unchecked"}
    assert found.keys() == expected.keys()
    assert {path: found[path] for path in checked} == {path: expected[path] for path in checked}
    assert dict(zip(urls.url.str.removeprefix(origin), urls.listings, strict=True)) == dict(
        Counter(world.listings)
    )
    _check_number(story, world, checked)
    _check_requests(story, site, checked)
    entries: Any = run.entries
    locs = Counter(zip(entries.sitemap, entries["loc"], strict=True))
    assert locs == Counter(
        (origin + file.path, origin + path)
        for file in world.files.values()
        for path in (*file.listed, *file.children)
    )
    assert run.manifest.complete, run.manifest.reason
    if story.links != "none":
        links: Any = run.links
        pairs = set(
            zip(
                links.source.str.removeprefix(origin),
                links.target.str.removeprefix(origin),
                strict=True,
            )
        )
        assert pairs == world.links(set(site.fetched))


def _check_number(story: Story, world: World, checked: set[str]) -> None:
    """Check how many listed pages have a verdict: the sample, and targets that are listed too."""
    listed = len(set(world.listings))
    expected = (
        listed
        if story.pages == "all"
        else min(0 if story.pages == "none" else int(story.pages), listed)
    )
    targets = {world.pages[path].target for path in world.reachable(by_links=False)}
    assert len(checked - targets) <= expected <= len(checked), (len(checked), expected)


def _check_requests(story: Story, site: Served, checked: set[str]) -> None:
    """Check that nothing forbidden was requested, and nothing twice.

    A stop may repeat what was under way, two shards can need the same target, and a reused run
    requests some unchanged pages again.
    """
    world, crawls = site.world, story.links == "crawl"
    assert not [path for path in site.fetched if not world.pages[path].is_allowed]
    assert {path for path in checked if world.pages[path].is_allowed} <= set(site.fetched)
    reachable = world.reachable(by_links=crawls)
    assert set(site.fetched) == reachable if crawls else set(site.fetched) <= reachable
    again = [path for path, times in site.fetched.items() if times > world.pages[path].tries]
    may_repeat = story.at is not None or story.shards > 1 or story.is_reused
    assert len(again) <= (CONCURRENCY if may_repeat else 0), again
