"""Remarks to read before the results of a run."""

from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.compared_agents import describe_comparisons
from sitemapaudit.runs.compared_canonicals import describe_canonicals
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.urls.shard import WHOLE


def remarks(manifest: Manifest) -> list[str]:
    """Return sentences on the source of the pages, and what was set aside."""
    return [
        *_describe_shard(manifest),
        *_describe_build(manifest),
        *_describe_staging(manifest),
        *describe_comparisons(manifest.compared_agents),
        *describe_canonicals(manifest.compared_canonicals),
        *_describe_sample(manifest),
    ]


def _describe_shard(manifest: Manifest) -> list[str]:
    shard = manifest.shard
    if shard == WHOLE:
        return []
    return [
        f"This run is shard {shard.index} of {shard.count}: the URLs of the others are not in it."
    ]


def _describe_build(manifest: Manifest) -> list[str]:
    folder = manifest.arguments.get("folder")
    if not folder:
        return []
    hosting = manifest.arguments.get("hosting", "plain")
    preset = f" with its preset for {manifest.preset}" if manifest.preset else ""
    source = f"The pages are files of a build ({folder}), as the hosting {hosting} serves them"
    return [f"{source}{preset}."]


def _describe_sample(manifest: Manifest) -> list[str]:
    sample = manifest.sample
    if sample is None or sample.fault is None:
        return []
    return [f"The sample is not random, so no bounds are given: {sample.fault}."]


def _describe_staging(manifest: Manifest) -> list[str]:
    origins = manifest.staging_origins
    if not origins:
        return []
    named = ", ".join(origins)
    sentences = [f"The pages are those of staging ({named}), with the URLs of the site."]
    if "robots" in manifest.set_aside:
        sentences.append("robots.txt of staging disallows the site; it was set aside.")
    if number := manifest.set_aside.get("headers"):
        responses = count_noun(number, "response")
        sentences.append(
            f"X-Robots-Tag headers that forbid indexing were set aside in {responses}."
        )
    if number := manifest.set_aside.get("addresses"):
        texts = count_noun(number, "text")
        sentences.append(f"Addresses of staging were read as those of the site in {texts}.")
    return sentences
