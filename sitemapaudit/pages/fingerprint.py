"""Fingerprints of texts, from which the similarity of two texts can be estimated.

A fingerprint is a b-bit MinHash: one bit of each of 256 minimal hashes. Two bits are equal with
a probability of (1 + J) / 2, where J is the Jaccard similarity of the sets of three consecutive
words. 32 bytes estimate J with a standard error of 0.03.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from rensa import RMinHash

BITS: Final = 256
"""The bits of a fingerprint."""

SHINGLE: Final = 3
"""Consecutive words that are hashed together."""

MAX_WORDS: Final = 50_000
"""Words of a text that count; each costs about 100 nanoseconds."""

_SEED: Final = 0


def fingerprint(words: list[str]) -> str | None:
    """Return the fingerprint of a text in hexadecimal; None if the text is too short."""
    counted = words[:MAX_WORDS]
    shingles = list(map(" ".join, zip(counted, counted[1:], counted[2:], strict=False)))
    if not shingles:
        return None
    minima = RMinHash(num_perm=BITS, seed=_SEED)
    minima.update(shingles)
    low_bits = np.asarray(minima.digest(), dtype=np.uint32) & 1
    return np.packbits(low_bits.astype(np.uint8)).tobytes().hex()


def similarity(one: str, other: str) -> float:
    """Estimate the Jaccard similarity of two texts from their fingerprints."""
    different = (int(one, 16) ^ int(other, 16)).bit_count()
    return max(0.0, 1 - 2 * different / BITS)
