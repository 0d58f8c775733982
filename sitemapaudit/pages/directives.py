"""Robots directives: meta tags and X-Robots-Tag lines → statements, and what holds.

The grammar is Google's ("Robots meta tag, data-nosnippet, and X-Robots-Tag
specifications"), since no RFC has one: names and values in any case, comma
lists, an agent's name before a colon, and the sum of what is negative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from sitemapaudit.answer import http_date, in_utc
from sitemapaudit.items import Statement

VALUED: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"}
)
"""Directives that take a value behind a colon, and are no agents."""

NEGATIVE: Final = {"noindex": "index", "nofollow": "follow"}
"""Directives that forbid, and the one that each contradicts."""

_UNAVAILABLE: Final = "unavailable_after"
_AGENT: Final = re.compile(r"([a-z][a-z0-9_-]*|\*)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)
_BOT: Final = re.compile(r"bot(-|$)")
_WEEKDAY: Final = re.compile(
    r"(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?", re.IGNORECASE
)


def statements_of_meta(name: str, content: str, agents: Iterable[str]) -> list[Statement]:
    """Read ``<meta name=… content=…>``; nothing, if the name is that of no crawler.

    ``agents`` are names that count as one, lower case, beside those that look like one.
    """
    agent = name.strip().lower()
    if agent not in ("robots", *agents) and not _BOT.search(agent):
        return []
    scope = None if agent == "robots" else agent
    return [_statement("meta", scope, token) for token in _tokens(content)]


def statements_of_header(line: str) -> Iterator[Statement]:
    """Read one X-Robots-Tag line; an agent's name holds for the rest of its line."""
    scope: str | None = None
    for token in _tokens(line):
        agent, said = _split_agent(token)
        if agent is not None:
            scope = None if agent == "*" else agent
        if said:
            yield _statement("header", scope, said)


def holds_for(statement: Statement, agent: str) -> bool:
    """Whether a statement speaks to an agent; ``Googlebot-News`` also heeds ``googlebot``."""
    if statement.agent is None:
        return True
    name = agent.lower()
    return statement.agent == name or name.startswith(f"{statement.agent}-")


def forbids_index(statement: Statement, now: datetime) -> bool:
    """Whether a statement keeps the page out of the index, wherever it holds."""
    past = statement.until is not None and statement.until <= now
    return statement.token in ("noindex", "none") or past


def is_unavailable_after(statement: Statement) -> bool:
    """Whether a statement is an ``unavailable_after``, with a date that can be read or not."""
    return statement.token.startswith(_UNAVAILABLE)


def _split_agent(token: str) -> tuple[str | None, str]:
    match = _AGENT.fullmatch(token)
    if match is None or match.group(1).lower() in VALUED:
        return None, token
    return match.group(1).lower(), match.group(2)


def _tokens(text: str) -> Iterator[str]:
    """Split at commas, but not at those of a date (RFC 822 and RFC 850 have one)."""
    parts = iter(text.split(","))
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
    tidy = f"{name.strip()}: {value.strip()}"
    until = date_of(token.partition(":")[2]) if name.strip() == _UNAVAILABLE else None
    return Statement(source, agent, tidy, until)


def date_of(value: str) -> datetime | None:
    """Parse the date of ``unavailable_after``: RFC 822, RFC 850 or ISO 8601; UTC."""
    text = value.strip()
    try:
        return in_utc(datetime.fromisoformat(text))
    except ValueError:
        return http_date(text)
