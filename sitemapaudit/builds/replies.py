"""The replies of a hosting."""

from pathlib import Path

from msgspec import Struct


class HostedReply(Struct, frozen=True):
    """A reply of the hosting.

    ``headers`` are as the hosting sends them. ``file`` has the content of the body; None means no
    body. ``rule`` names the line that decided, such as ``_redirects:12``; None means the files
    did. ``unknown`` says why the folder does not determine the reply: ``status`` is 0 then.
    """

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    file: Path | None = None
    rule: str | None = None
    unknown: str | None = None


def redirect(status: int, location: str, rule: str | None = None) -> HostedReply:
    """Return a redirect."""
    return HostedReply(status, (("Location", location),), rule=rule)


def unknown(reason: str, rule: str | None = None) -> HostedReply:
    """Return the reply that only the running site knows."""
    return HostedReply(0, rule=rule, unknown=reason)
