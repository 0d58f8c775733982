"""The groups of a robots.txt, the lines that rules check, and the group that an agent obeys."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, field

from sitemapaudit.robots.agents import agent_named

EOL: Final = re.compile(r"\r\n|\r|\n")
"""The end of a line (RFC 9309 section 2.2): Python's ``splitlines`` also accepts others."""

USAGE_FIELDS: Final = frozenset({"content-signal", "content-signals", "content-usage"})
"""Lines that say how content may be used; they neither start nor end a group."""

PATH_FIELDS: Final = frozenset({"allow", "disallow"})
"""Lines that say what may be fetched."""

_RULES: Final = (*PATH_FIELDS, "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
"""The beginnings of fields that Google's parser reads as rules: ``Disallowed`` is one."""

_AGENT: Final = re.compile(
    r"\s*user(?:-|\s*)agent(?:[^:#]*:\s*|\s+(?=[^\s#]))([^#]*)", re.IGNORECASE
)
"""A User-agent line: as in Google's parser, its field can be longer, and the name can be missing.

As in Protego, the colon can be missing.
"""

_PRODUCT: Final = re.compile(r"[a-z_-]*")
"""The product token at the beginning of a name (RFC 9309 section 2.2.1), as in Google's parser."""

_WORD: Final = re.compile(r"[^\s/*]*")
"""The same for an agent whose own name has digits or other characters."""


class RobotsLine(Struct, frozen=True):
    """A line with a field, in lower case, and a value.

    ``text`` is the line as it is written, ``agents`` the number of User-agent lines before it in
    its group.
    """

    number: int
    field: str
    value: str
    text: str
    agents: int

    @property
    def is_rule(self) -> bool:
        """True if it says what may be fetched, and so ends the list of agents."""
        return self.field.startswith(_RULES)


class RobotsGroup(Struct):
    """The lines of a group, and its agents in lower case; lines before any group have none."""

    agents: list[str] = field(default_factory=list)
    lines: list[RobotsLine] = field(default_factory=list)


def read_groups(text: str) -> list[RobotsGroup]:
    """Return the groups of a file; as in Google's parser, only a rule ends the list of agents."""
    groups = [RobotsGroup()]
    has_rules = True
    for number, line in enumerate(EOL.split(text), start=1):
        if agent := _AGENT.match(line):
            if has_rules:
                groups.append(RobotsGroup())
            if name := agent[1].strip().lower():
                groups[-1].agents.append(name)
            has_rules = False
        elif parts := _parts(line):
            read = RobotsLine(number, *parts, line, len(groups[-1].agents))
            groups[-1].lines.append(read)
            has_rules = has_rules or read.is_rule
    return groups


def _parts(line: str) -> tuple[str, str] | None:
    """Return the field and the value of a line; a space can stand for the colon."""
    written = line.partition("#")[0]
    name, colon, value = written.partition(":")
    if not colon:
        name, colon, value = written.strip().partition(" ")
    return (name.strip().lower(), value.strip()) if colon else None


def group_of(text: str, agent: str) -> str | None:
    """Return the name of the group that an agent obeys, in lower case; None if there is none."""
    written = list(_names(read_groups(text)))
    found = (each for name in _tokens(agent) for each in written if _binds(each, name))
    return next(found, None)


def lines_for(groups: Sequence[RobotsGroup], agent: str) -> list[RobotsLine]:
    """Return the lines that an agent obeys, of several groups as of one (RFC 9309 section 2.2.1).

    The groups have its name; otherwise, a name that its owner says it obeys; otherwise, ``*``,
    unless its owner says that it does not obey that. A name that is only a part of the agent's does
    not bind it. Rules are about all agents of their group, a Crawl-delay only about those above it.
    """
    for name in _tokens(agent):
        obeyed = [(group, at) for group in groups if (at := _place(group, name)) is not None]
        if obeyed:
            return [
                line
                for group, at in obeyed
                for line in group.lines
                if line.is_rule or line.agents > at
            ]
    return []


def _place(group: RobotsGroup, name: str) -> int | None:
    """Return the number of agents in a group before the first that binds; None if none does."""
    return next((at for at, written in enumerate(group.agents) if _binds(written, name)), None)


def _tokens(agent: str) -> Iterator[str]:
    known = agent_named(agent)
    yield agent.lower()
    yield from known.also
    if not known.ignores_all:
        yield "*"


def _names(groups: Sequence[RobotsGroup]) -> Iterator[str]:
    return (name for group in groups for name in group.agents)


def _binds(written: str, name: str) -> bool:
    """Return whether a User-agent line is about an agent; ``googlebot/2.1`` is about Googlebot."""
    if name == "*":
        return written == "*" or (written[:1] == "*" and written[1:2].isspace())
    pattern = _PRODUCT if _PRODUCT.fullmatch(name) else _WORD
    found = pattern.match(written)
    return found is not None and found.group() == name
