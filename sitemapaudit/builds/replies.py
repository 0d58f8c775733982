"""What a host answers, and what it ignores."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class HostedReply(Struct, frozen=True):
    """What the host answers.

    ``headers`` are as the host sends them. ``file`` has the content of the body; None means no
    body. ``rule`` names the line that decided, such as ``_redirects:12``; None means the files
    did. ``unknown`` says why the folder cannot tell; then ``status`` has no meaning.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    file: Path | None = None
    rule: str | None = None
    unknown: str | None = None


class Problem(Struct, frozen=True):
    """A line that the host ignores; ``line`` is None if the reason concerns the whole file."""

    file: Path
    line: int | None
    reason: str


class IgnoredError(Exception):
    """The host ignores a rule; the message says why, as a problem does."""


def redirect(status: int, location: str, rule: str | None = None) -> HostedReply:
    """Return a redirect."""
    return HostedReply(status, (("Location", location),), rule=rule)


def unknown(reason: str, rule: str | None = None) -> HostedReply:
    """Return the reply that only the host knows."""
    return HostedReply(0, rule=rule, unknown=reason)
