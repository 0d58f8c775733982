"""The URL that a task requests: its connection remembers it, whatever address is contacted."""

from contextvars import ContextVar
from typing import Final

REQUESTED_URL: Final[ContextVar[str]] = ContextVar("REQUESTED_URL", default="")
