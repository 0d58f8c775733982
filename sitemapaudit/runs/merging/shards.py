"""The shards of one audit: checks that they belong together, and merges their manifests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from msgspec import Struct

from sitemapaudit.runs.by_origin import merge_by_origin
from sitemapaudit.runs.manifest import Manifest, ShardRun, Status
from sitemapaudit.runs.reused_run import LATEST, ReusedRun
from sitemapaudit.urls.shard import WHOLE, Shard

_SHARD: Final = "shard"
_OWN: Final = (_SHARD, "reuse")
"""Arguments that may differ between the shards of one audit."""

"""The argument in which the shards of one audit differ."""

_SELECTING: Final = ("AUDIT_SEED", "AUDIT_MAX_URLS")
"""Settings that affect which URLs are fetched."""

_WORST_LAST: Final = (Status.FINISHED, Status.INTERRUPTED, Status.FAILED)


class NamedRun(Struct, frozen=True):
    """A run with the name that the user gave, and its manifest."""

    name: str
    manifest: Manifest

    @property
    def shard(self) -> Shard:
        """The shard of its audit."""
        return self.manifest.shard


def check_mergeable(runs: Sequence[NamedRun]) -> None:
    """Raise ValueError, with a sentence, unless these are different shards of one audit."""
    for run in runs:
        if run.manifest.shards:
            raise ValueError(f"{run.name} was already merged from shards")
    for one, other in combinations(runs, 2):
        obstacle = _merge_obstacle(one, other)
        if obstacle:
            raise ValueError(obstacle)


def _merge_obstacle(one: NamedRun, other: NamedRun) -> str | None:
    """Return why two runs cannot be merged; None if they can."""
    for run in (one, other):
        if run.shard == WHOLE:
            return f"{run.name} is not a shard; only shards of one audit can be merged"
    pair = f"{one.name} and {other.name}"
    if one.shard.count != other.shard.count:
        shards = f"{_describe(one.shard)}, the other {_describe(other.shard)}"
        return f"{pair} are not shards of one audit: one is {shards}"
    if one.shard == other.shard:
        return f"{pair} are both {_describe(one.shard)}"
    for name, first, second in _differences(one.manifest, other.manifest):
        return (
            f"{pair} are not shards of one audit: {name} is {first!r} in one and {second!r} in the"
            " other"
        )
    return None


def _differences(one: Manifest, other: Manifest) -> Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*one.arguments, *other.arguments)):
        values = one.arguments.get(name), other.arguments.get(name)
        if name not in _OWN and values[0] != values[1]:
            yield name, *values
    for name in _SELECTING:
        if one.settings.get(name) != other.settings.get(name):
            yield name, one.settings.get(name), other.settings.get(name)


def merged_manifest(runs: Sequence[NamedRun], damage: Mapping[Shard, dict[str, int]]) -> Manifest:
    """Return the manifest of a merged run; ``damage`` counts unreadable lines per shard."""
    manifests = [run.manifest for run in runs]
    first = runs[0]
    manifest = Manifest(
        arguments=first.manifest.arguments | {_SHARD: str(WHOLE)},
        settings=first.manifest.settings,
        set_by=first.manifest.set_by,
        versions=first.manifest.versions,
        started=min(each.started for each in manifests),
        status=max((each.status for each in manifests), key=_WORST_LAST.index),
        finished=max(each.finished or each.started for each in manifests),
        resumed=sorted(moment for each in manifests for moment in each.resumed),
        refused=_total(each.refused for each in manifests),
        compared_agents=merge_by_origin(each.compared_agents for each in manifests),
        compared_canonicals=merge_by_origin(each.compared_canonicals for each in manifests),
        link_domains=first.manifest.link_domains,
        request_digest=first.manifest.request_digest,
        reused=_reused(manifests),
        first_addresses=_first_addresses(manifests),
        set_aside=_set_aside(manifests),
        preset=_first(each.preset for each in manifests),
        build_generator=_first(each.build_generator for each in manifests),
        deployment_fault=_first(each.deployment_fault for each in manifests),
        unfollowed=_total(each.unfollowed for each in manifests),
        unchecked_media=_total(each.unchecked_media for each in manifests),
        similar=_total(each.similar for each in manifests),
        rested=round(sum(each.rested for each in manifests), 1),
        repaired_damage=_total(each.repaired_damage for each in manifests),
        shards=[
            ShardRun(
                str(run.shard),
                run.name,
                run.manifest.status,
                run.manifest.reason,
                damage.get(run.shard, {}),
            )
            for run in runs
        ],
    )
    manifest.reason = "; ".join([*manifest.missing_shards(), *_unfinished(runs)]) or None
    return manifest


def _total(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    return dict(sum((Counter(each) for each in counts), Counter[str]()))


def _set_aside(manifests: Sequence[Manifest]) -> dict[str, int]:
    """Return what was ignored of staging; each shard reads the same robots.txt files."""
    files = max(each.set_aside.get("robots", 0) for each in manifests)
    total = _total(each.set_aside for each in manifests)
    return total | ({"robots": files} if files else {})


def _reused(manifests: Sequence[Manifest]) -> ReusedRun | None:
    """Return what the shards reused: a run if any of them did, and the pages of all.

    If they were given the same run, each of them knows all its pages.
    """
    all_reused = [each.reused for each in manifests if each.reused]
    if not all_reused:
        return None
    one = next((each for each in all_reused if each.run), all_reused[0])
    given = {each.arguments.get("reuse") for each in manifests}
    total = max if len(given) == 1 and LATEST not in given else sum
    return replace(one, pages=total(each.pages for each in all_reused))


def _first(values: Iterable[str | None]) -> str | None:
    return next(filter(None, values), None)


def _first_addresses(manifests: Iterable[Manifest]) -> dict[str, list[str]]:
    """Return the first addresses of each host, in any shard."""
    found: dict[str, list[str]] = {}
    for manifest in manifests:
        for host, addresses in manifest.first_addresses.items():
            found[host] = sorted({*found.get(host, ()), *addresses})
    return found


def _unfinished(runs: Sequence[NamedRun]) -> Iterator[str]:
    for run in runs:
        if run.manifest.status is not Status.FINISHED:
            yield f"{_describe(run.shard)}: {run.manifest.reason}"


def _describe(shard: Shard) -> str:
    return f"shard {shard.index} of {shard.count}"
