"""Digests of URLs, and their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

_DIGEST_BITS: Final = 64


class NumberedDigests:
    """Finds the numbers of digests.

    ``columns`` are ``digest``, in ascending order, and ``id``. Digests are spread evenly, so
    its first bits show nearly where one is: a binary search takes five times as long.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        import numpy as np  # noqa: PLC0415 - few runs record links

        self._number = len(columns["id"])
        bits = self._number.bit_length() + 1
        self._shift = np.uint64(_DIGEST_BITS - bits)
        firsts = np.arange(1 << bits, dtype=np.uint64) << self._shift
        self._firsts = np.searchsorted(columns["digest"], firsts)
        # The search ends at the last one at the latest: none is greater.
        self._digests = np.append(columns["digest"], np.uint64(2**_DIGEST_BITS - 1))
        self._ids = np.append(columns["id"], np.uint32(0))

    def __len__(self) -> int:
        return self._number

    def find(self, digests: NDArray[np.uint64]) -> tuple[NDArray[np.uint32], NDArray[np.bool]]:
        """Return the number of each digest, and whether it has one."""
        import numpy as np  # noqa: PLC0415 - few runs record links

        places = self._firsts[digests >> self._shift]
        behind = np.flatnonzero(self._digests[places] < digests)
        while len(behind):
            places[behind] += 1
            behind = behind[self._digests[places[behind]] < digests[behind]]
        return self._ids[places], (self._digests[places] == digests) & (places < self._number)
