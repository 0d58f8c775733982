"""A phase of a crawl."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any, ClassVar


class Phase(ABC):
    """A part of a crawl that begins when everything that earlier phases fetch is done."""

    name: ClassVar[str]
    """The name in the log and the progress bar."""

    @abstractmethod
    def fetch(self) -> AsyncIterator[Any]:
        """Fetch the URLs of this phase, and yield items that need no request."""
