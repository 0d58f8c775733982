"""A phase of a crawl."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any, ClassVar


class Phase(ABC):
    """A part of a crawl: it begins when everything that the phases before it fetched is done."""

    name: ClassVar[str]
    """What the log and the progress bar call it."""

    @abstractmethod
    def fetch(self) -> AsyncIterator[Any]:
        """Fetch what this phase is about, and yield items that need no request."""
