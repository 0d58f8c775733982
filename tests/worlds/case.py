"""Websites that one audit reads, drawn from neighboring seeds, and the story of that audit."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from tests.worlds.faults import MANNERS, WAYS, Network
from tests.worlds.law import check
from tests.worlds.served import Served
from tests.worlds.story import Story, audit
from tests.worlds.world import World

SIZE: Final = 50
"""The number of websites that an audit reads: they share the cost of its process and its tables."""

_PAGES: Final = 6
"""The number of pages of most websites."""

_SILENT: Final = 0.2
"""The share of cases with responses that never come, for which audits wait."""


@dataclass(frozen=True)
class Case:
    """Websites, what they are some days later, and the story of their audits."""

    worlds: tuple[World, ...]
    later: tuple[World, ...]
    story: Story

    @classmethod
    def draw(cls, seeds: Sequence[int]) -> Self:
        """Return a website for each seed; the first seed also decides the story."""
        dice = random.Random(f"story {seeds[0]}")
        story = Story.draw(dice, _PAGES * len(seeds))
        ways = (*WAYS, "silence") if dice.random() < _SILENT else WAYS
        # A process that ends cannot find out that a response is missing or was one too many.
        manners = [how for how in MANNERS if how != "late-extra" or not story.ends]
        # The second shard begins when the name may have turned.
        turns = story.named and story.shards == 1
        # No audit begins if the only name has no address.
        names = story.named and len(seeds) > 1
        network = Network(ways, manners, names, turns, outside=not story.staging)
        worlds = [World.draw(random.Random(seed), network) for seed in seeds]
        later = [
            world.change(random.Random(f"later {seed}"))
            for seed, world in zip(seeds, worlds, strict=True)
        ]
        return cls(tuple(worlds), tuple(later), story)

    def tell(self, folder: Path) -> None:
        """Audit the websites, and check the law; raises AssertionError."""
        story = self.story
        with Served(self.worlds, staging=story.staging, named=story.named) as site:
            run, status = audit(story, site, folder)
            check(replace(story, is_reused=False), site, run, status)
            if story.is_reused:
                site.begin_again(self.later)
                story = replace(story, stops=())
                check(story, site, *audit(story, site, folder, f"reuse={run.path}"))
