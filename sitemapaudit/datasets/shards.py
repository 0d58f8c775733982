"""The shards of one audit: whether they belong together, and what is told of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from sitemapaudit.datasets.manifest import Manifest, ShardRun, Status
from sitemapaudit.sharding import WHOLE, Shard

_OWN: Final = "shard"
"""The argument in which the shards of one audit differ."""

_SETTINGS: Final = ("AUDIT_SEED", "AUDIT_MAX_URLS")
"""Settings that decide which URLs are asked for."""

_GRAVITY: Final = (Status.FINISHED, Status.INTERRUPTED, Status.FAILED)


@dataclass(slots=True, frozen=True)
class Part:
    """A run by the name that it was given by, and what its manifest says."""

    name: str
    manifest: Manifest

    @property
    def shard(self) -> Shard:
        """Which part of its audit it is."""
        return Shard.read(str(self.manifest.arguments.get(_OWN) or WHOLE))


def check(parts: Sequence[Part]) -> None:
    """Raise ValueError, with a sentence, unless these are shards of one audit, each there once."""
    for part in parts:
        if part.manifest.shards:
            raise ValueError(f"{part.name} was merged from shards already")
    for one, other in combinations(parts, 2):
        obstacle = _obstacle(one, other)
        if obstacle:
            raise ValueError(obstacle)


def _obstacle(one: Part, other: Part) -> str | None:
    """Say why two runs cannot be merged."""
    for part in (one, other):
        if part.shard == WHOLE:
            return f"{part.name} is a whole run: only shards of one audit are merged"
    pair = f"{one.name} and {other.name}"
    if one.shard.count != other.shard.count:
        shards = f"{_named(one.shard)}, the other {_named(other.shard)}"
        return f"{pair} are no shards of one audit: one is {shards}"
    if one.shard == other.shard:
        return f"{pair} are both {_named(one.shard)}"
    for name, first, second in _differences(one.manifest, other.manifest):
        return f"{pair} are no shards of one audit: {name} is {first!r} in one, {second!r} in other"
    return None


def _differences(one: Manifest, other: Manifest) -> Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*one.arguments, *other.arguments)):
        values = one.arguments.get(name), other.arguments.get(name)
        if name != _OWN and values[0] != values[1]:
            yield name, *values
    for name in _SETTINGS:
        if one.settings.get(name) != other.settings.get(name):
            yield name, one.settings.get(name), other.settings.get(name)


def merged_manifest(parts: Sequence[Part], damage: Mapping[Shard, dict[str, int]]) -> Manifest:
    """Return what is told of the run that is made of these; ``damage`` is what its making met."""
    manifests = [part.manifest for part in parts]
    first = parts[0]
    manifest = Manifest(
        arguments=first.manifest.arguments | {_OWN: str(WHOLE)},
        settings=first.manifest.settings,
        versions=first.manifest.versions,
        started=min(each.started for each in manifests),
        status=max((each.status for each in manifests), key=_GRAVITY.index),
        finished=max(each.finished or each.started for each in manifests),
        resumed=sorted(moment for each in manifests for moment in each.resumed),
        mended=dict(sum((Counter(each.mended) for each in manifests), Counter())),
        shards=[
            ShardRun(
                str(part.shard),
                part.name,
                part.manifest.status,
                part.manifest.reason,
                damage.get(part.shard, {}),
            )
            for part in parts
        ],
    )
    manifest.reason = "; ".join([*manifest.missing(), *_endings(parts)]) or None
    return manifest


def _endings(parts: Sequence[Part]) -> Iterator[str]:
    for part in parts:
        if part.manifest.status is not Status.FINISHED:
            yield f"{_named(part.shard)}: {part.manifest.reason}"


def _named(shard: Shard) -> str:
    return f"shard {shard.index} of {shard.count}"
