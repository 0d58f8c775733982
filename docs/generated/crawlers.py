"""The crawlers that an audit knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from docs.generated.markdown import table
from sitemapaudit.robots.agents import KNOWN, Agent

_WORDS: Final[Mapping[bool | None, str]] = {True: "yes", False: "no", None: "unknown"}


def crawlers() -> str:
    """Return what the crawlers obey; those that are alike share a row."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for agent in KNOWN.values():
        groups.setdefault(_facts(agent), []).append(agent.name)
    rows = [(", ".join(names), *facts) for facts, names in groups.items()]
    return table(("crawler", "purpose", "robots.txt", "meta robots", "X-Robots-Tag"), rows)


def _facts(agent: Agent) -> tuple[str, ...]:
    purpose = agent.purpose.replace("ai-", "AI ")
    return (purpose, *(_WORDS[each] for each in (agent.robots, agent.meta, agent.header)))
