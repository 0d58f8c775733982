"""Robots directives: meta tags and X-Robots-Tag lines → statements, and which of them apply.

No RFC defines the grammar; this is Google's ("Robots meta tag, data-nosnippet, and X-Robots-Tag
specifications"). Letter case is ignored, commas separate directives, an agent precedes a colon,
and all negative directives add up. For Yandex, a directive that allows indexing wins ("Robots meta
tag and X-Robots-Tag HTTP header").
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from sitemapaudit.caps import append, cut
from sitemapaudit.http.dates import parse_http_date, to_utc
from sitemapaudit.items import Statement
from sitemapaudit.robots.agents import agent_named, signed_names

VALUED: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
)
"""Directives that take a value after a colon; these names are not agents."""

NEGATIVE: Final = {"noindex": "index", "nofollow": "follow"}
"""Negative directives, and the directive that each contradicts."""

ALLOWING: Final = ("index", "all")
"""Directives that allow indexing; only some agents prefer them to those that forbid it."""

_ALL_AGENTS: Final = "robots"
"""The name of a meta tag for every crawler."""

_SIMILAR: Final = 0.8
"""A name with one wrong, extra or missing letter is more similar than this."""

_UNAVAILABLE: Final = "unavailable_after"
_AGENT: Final = re.compile(r"([a-z][a-z0-9_-]*|\*)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_PART: Final = re.compile(r"([^,]*)(?:,|\Z)")
_BOT: Final = re.compile(r"bot(-|$)")
_WEEKDAY: Final = re.compile(
    r"(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?", re.IGNORECASE
)


def read_meta_statements(name: str, content: str, agents: Iterable[str]) -> Iterator[Statement]:
    """Read a ``<meta name=… content=…>``; yield nothing if the name is not a crawler.

    Names that look like a crawler count, and so do ``agents`` (lower case) and misspellings.
    """
    agent = cut(name.strip().lower())
    known = agent in (_ALL_AGENTS, *agents)
    if known or _BOT.search(agent) or is_misspelled(agent):
        scope = None if agent == _ALL_AGENTS else agent
        for token in _tokens(content):
            yield _statement("meta", scope, token)


@lru_cache(maxsize=1_024)
def is_misspelled(agent: str) -> bool:
    """Return whether a name in lower case is nearly "robots", such as "robot"."""
    if agent == _ALL_AGENTS or abs(len(agent) - len(_ALL_AGENTS)) > 1:
        return False
    return SequenceMatcher(None, _ALL_AGENTS, agent).ratio() > _SIMILAR


def read_header_statements(line: str) -> Iterator[Statement]:
    """Read one X-Robots-Tag line; an agent applies to the rest of its line."""
    scope: str | None = None
    for token in _tokens(line):
        agent, directive = _split_agent(token)
        if agent is not None:
            scope = None if agent == "*" else agent
        if directive:
            yield _statement("header", scope, directive)


class PageStatements:
    """The statements of a page: as many as fit, and whether any of them forbids indexing."""

    def __init__(self, agent: str, now: datetime) -> None:
        self.kept: list[Statement] = []
        self._forbidden = self._allowed = False
        self._is_lenient = agent_named(agent).is_lenient
        self._agent = agent
        self._now = now

    def add(self, statements: Iterable[Statement]) -> None:
        """Add statements; they count even if there are too many to keep."""
        for statement in statements:
            append(self.kept, statement)
            if forbids_index(statement, self._now) and applies_to(statement, self._agent):
                self._forbidden = True
            elif statement.token in ALLOWING and applies_to(statement, self._agent):
                self._allowed = True

    @property
    def noindex(self) -> bool:
        """True if the statements forbid the agent to index the page."""
        return self._forbidden and not (self._allowed and self._is_lenient)


def applies_to(statement: Statement, agent: str) -> bool:
    """Return whether a statement applies to an agent, by one of the names that it obeys."""
    return statement.agent is None or statement.agent in signed_names(agent)


def forbids_index(statement: Statement, now: datetime) -> bool:
    """Return whether a statement that applies keeps the page out of the index."""
    expired = statement.until is not None and statement.until <= now
    return statement.token in ("noindex", "none") or expired


def is_unavailable_after(statement: Statement) -> bool:
    """Return whether a statement is an ``unavailable_after``, with a valid date or not."""
    return statement.token.startswith(_UNAVAILABLE)


def _split_agent(token: str) -> tuple[str | None, str]:
    match = _AGENT.fullmatch(token)
    if match is None or match.group(1).lower() in VALUED:
        return None, token
    return match.group(1).lower(), match.group(2)


def _tokens(text: str) -> Iterator[str]:
    """Split at commas, except the comma of a date (RFC 822 and RFC 850 have one)."""
    parts = (part.group(1) for part in _PART.finditer(text))
    for part in parts:
        token = " ".join(part.split())
        if _ends_with_weekday(token):
            token = f"{token}, {' '.join(next(parts, '').split())}"
        if token:
            yield token


def _ends_with_weekday(token: str) -> bool:
    name, colon, value = token.rpartition(":")
    return (
        bool(colon)
        and name.lower().endswith(_UNAVAILABLE)
        and bool(_WEEKDAY.fullmatch(value.strip()))
    )


def _statement(source: str, agent: str | None, token: str) -> Statement:
    name, colon, value = token.lower().partition(":")
    if not colon:
        return Statement(source, agent, name.strip())
    normal = f"{name.strip()}: {value.strip()}"
    until = (
        parse_unavailable_after(token.partition(":")[2]) if name.strip() == _UNAVAILABLE else None
    )
    return Statement(source, agent, normal, until)


def parse_unavailable_after(value: str) -> datetime | None:
    """Parse the date of ``unavailable_after``: RFC 822, RFC 850 or ISO 8601; in UTC."""
    text = value.strip()
    try:
        return to_utc(datetime.fromisoformat(text))
    except ValueError:
        return parse_http_date(text)
