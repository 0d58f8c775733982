"""The lines of a robots.txt that rules check, by group of crawlers."""

import re
from typing import Final

from msgspec import Struct, field

EOL: Final = re.compile(r"\r\n|\r|\n")
"""The end of a line (RFC 9309 section 2.2): Python's ``splitlines`` also accepts others."""

USAGE_FIELDS: Final = frozenset({"content-signal", "content-usage"})
"""Lines that say how content may be used; they neither start nor end a group."""

PATH_FIELDS: Final = frozenset({"allow", "disallow"})
"""Lines that say what may be fetched."""

_AGENT: Final = "user-agent"


class RobotsLine(Struct, frozen=True):
    """A line with a field, in lower case, and a value."""

    number: int
    field: str
    value: str


class RobotsGroup(Struct):
    """The lines of a group, and its agents in lower case; lines before any group have none."""

    agents: list[str] = field(default_factory=list)
    lines: list[RobotsLine] = field(default_factory=list)


def read_groups(text: str) -> list[RobotsGroup]:
    """Return the groups of a file; as in Google's parser, only a rule ends the list of agents."""
    groups = [RobotsGroup()]
    has_rules = True
    for number, line in enumerate(EOL.split(text), start=1):
        name, colon, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if colon and name == _AGENT:
            if has_rules:
                groups.append(RobotsGroup())
            groups[-1].agents.append(value.lower())
            has_rules = False
        elif colon:
            groups[-1].lines.append(RobotsLine(number, name, value))
            has_rules = has_rules or name in PATH_FIELDS
    return groups


def group_of(text: str, agent: str) -> str | None:
    """Return the name of the group that an agent obeys, in lower case; None if there is none.

    The longest group name that occurs in the agent's name wins, otherwise ``*``
    (RFC 9309 section 2.2.1).
    """
    names = {name for group in read_groups(text) for name in group.agents}
    own = [name for name in names if name.strip("*") and name.strip("*") in agent.lower()]
    if own:
        return max(own, key=len)
    return "*" if "*" in names else None
