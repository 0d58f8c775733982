"""What a rule may be told beside its severity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SESSION_NAMES: Final = (
    "jsessionid",
    "phpsessid",
    "sid",
    "sessionid",
    "session_id",
    "aspsessionid*",
)


@dataclass(slots=True, frozen=True)
class Preferences:
    """Where the boundary of a rule is the user's to draw."""

    session_names: tuple[str, ...] = SESSION_NAMES
    """Parameters that carry a session ID, in any case; a ``*`` at the end stands for any more."""
    long_loc: int = 0
    """Characters above which a loc is told as long though the protocol allows it; 0: none."""


DEFAULTS: Final = Preferences()
