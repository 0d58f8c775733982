"""Counts for the section on agents: the access of each, and their differences."""

from collections.abc import Mapping, Sequence
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit.items import Verdict
from sitemapaudit.robots.agents import POLICY_TOKENS, Agent, agent_named
from sitemapaudit.robots.groups import read_groups
from sitemapaudit.runs.manifest import UNKNOWN_VERDICT, Manifest

MAX_DIFFERENCES: Final = 20

_DIFFERENCES: Final = f"""
    select message, severity from findings where rule = 'agents-disagree'
    order by severity_order(severity), message limit {MAX_DIFFERENCES}
"""
_SEPARATE: Final = (Verdict.INDEXABLE, Verdict.BLOCKED, Verdict.NOINDEX)


class AgentRow(Struct, frozen=True):
    """An agent, and the number of listed URLs by what it may do with them."""

    agent: Agent
    indexable: int
    blocked: int
    noindex: int
    others: int
    unknown: int

    @property
    def obeys(self) -> str:
        """The mechanisms that its owner says it obeys."""
        names = {
            "robots.txt": self.agent.robots,
            "meta tags": self.agent.meta,
            "X-Robots-Tag": self.agent.header,
        }
        return ", ".join(name for name, obeyed in names.items() if obeyed) or "unknown"


class AgentFigures(Struct, frozen=True):
    """The agents of a run, and the most severe differences between them.

    ``tokens`` are names in robots.txt that are not crawlers, with their meanings.
    """

    rows: Sequence[AgentRow]
    differences: Sequence[str]
    tokens: Mapping[str, str]


def count_agent_figures(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest
) -> AgentFigures | None:
    """Return the figures; None if the run has one agent only."""
    if not manifest.agents:
        return None
    rows = [_row(name, counts) for name, counts in manifest.agents.items()]
    found = connection.execute(_DIFFERENCES).fetchall()
    return AgentFigures(rows, [message for message, _ in found], _find_tokens(connection))


def _find_tokens(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    texts = connection.execute("select text from robots where text is not null").fetchall()
    groups = (group for (text,) in texts for group in read_groups(text))
    names = {name for group in groups for name in group.agents}
    return {name: POLICY_TOKENS[name] for name in sorted(names & POLICY_TOKENS.keys())}


def _row(name: str, counts: Mapping[str, int]) -> AgentRow:
    indexable, blocked, noindex = (counts.get(verdict, 0) for verdict in _SEPARATE)
    unknown = counts.get(UNKNOWN_VERDICT, 0)
    others = sum(counts.values()) - indexable - blocked - noindex - unknown
    return AgentRow(agent_named(name), indexable, blocked, noindex, others, unknown)
