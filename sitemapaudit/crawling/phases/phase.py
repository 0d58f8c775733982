"""A phase of a crawl."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any, ClassVar


class Phase(ABC):
    """A part of a crawl: it begins when all fetches of the phases before it are done."""

    name: ClassVar[str]
    """The name in the log and the progress bar."""

    @abstractmethod
    def fetch(self) -> AsyncIterator[Any]:
        """Fetch the URLs of this phase, and yield items that need no request."""
