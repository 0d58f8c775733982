"""A set of millions of URLs that takes eight bytes per URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sitemapaudit import urls

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECENT: Final = 65_536
"""Digests in a Python set before they are merged into the array."""


class UrlSet:
    """A set of 64-bit digests of URLs: a sorted array, and a small set of the latest ones."""

    def __init__(self) -> None:
        self._recent: set[int] = set()
        self._sorted: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self._recent) + (0 if self._sorted is None else len(self._sorted))

    def __contains__(self, url: str) -> bool:
        return self._contains(urls.digest(url))

    def add(self, url: str) -> bool:
        """Add a URL; return whether it was new."""
        return self.add_digest(urls.digest(url))

    def add_digest(self, digest: int) -> bool:
        """Add a URL by its digest; return whether it was new."""
        if self._contains(digest):
            return False
        self._recent.add(digest)
        if len(self._recent) >= RECENT:
            self._merge()
        return True

    def _contains(self, digest: int) -> bool:
        if digest in self._recent:
            return True
        if self._sorted is None:
            return False
        key = self._sorted.dtype.type(digest)
        index = self._sorted.searchsorted(key)
        return bool(index < len(self._sorted) and self._sorted[index] == key)

    def _merge(self) -> None:
        import numpy as np  # noqa: PLC0415 - most sites have too few URLs to need it

        recent = np.sort(np.fromiter(self._recent, dtype=np.uint64, count=len(self._recent)))
        if self._sorted is None:
            self._sorted = recent
        else:
            self._sorted = np.insert(self._sorted, self._sorted.searchsorted(recent), recent)
        self._recent.clear()
