"""The limit on the requests that a process has in flight."""

from collections.abc import Callable


class RequestLimit:
    """The most requests that may be in flight, and how many are.

    Who sends requests checks ``is_reached``, and counts each with ``enter`` and ``leave``.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._in_flight = 0
        self._when_kept: Callable[[], None] | None = None

    @property
    def is_reached(self) -> bool:
        """True if another request must wait."""
        return self._in_flight >= self._most

    def enter(self) -> None:
        """Count a request that begins."""
        self._in_flight += 1

    def leave(self) -> None:
        """Count a request that has ended."""
        self._in_flight -= 1
        self._tell()

    def change(self, most: int, when_kept: Callable[[], None] | None = None) -> None:
        """Change the limit, and call a function once it is kept.

        Requests that have begun are not ended: until some of them end, they can be too many. A
        function that was to be called for another limit is not called.
        """
        self._most = most
        self._when_kept = when_kept
        self._tell()

    def _tell(self) -> None:
        if self._when_kept is not None and self._in_flight <= self._most:
            call, self._when_kept = self._when_kept, None
            call()
