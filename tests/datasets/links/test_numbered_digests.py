"""Numbers of digests, found by their first bits, are those that a dictionary has."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sitemapaudit.datasets.links.numbered_digests import NumberedDigests

_ALL = 2**64
_GENERATOR = np.random.default_rng(7)


def _spread(number: int) -> NDArray[np.uint64]:
    return _GENERATOR.integers(0, _ALL, number, np.uint64)


@pytest.mark.parametrize(
    "known",
    [
        np.array([0], np.uint64),
        np.array([_ALL - 1], np.uint64),
        np.array([5, _ALL - 2], np.uint64),
        _spread(3),
        _spread(10_000),
        # Chosen so that their first bits are equal, and at both ends.
        np.arange(3_000, dtype=np.uint64),
        np.arange(_ALL - 3_000, _ALL, dtype=np.uint64),
        np.concatenate([_spread(50), np.arange(2**63, 2**63 + 500, dtype=np.uint64)]),
    ],
    ids=["first", "last", "two", "three", "spread", "low", "high", "cluster"],
)
def test_numbers_are_those_of_the_digests(known: NDArray[np.uint64]) -> None:
    digests = np.unique(known)
    numbers = _GENERATOR.permutation(len(digests)).astype(np.uint32)
    by_digest = dict(zip(digests.tolist(), numbers.tolist(), strict=True))
    near = np.concatenate([digests + np.uint64(1), digests - np.uint64(1)])  # They wrap.
    asked = _GENERATOR.permutation(np.concatenate([digests, near, _spread(200)]))

    found, is_known = NumberedDigests({"digest": digests, "id": numbers}).find(asked)

    assert is_known.tolist() == [digest in by_digest for digest in asked.tolist()]
    expected = [by_digest[digest] for digest in asked[is_known].tolist()]
    assert found[is_known].tolist() == expected
    assert len(expected) >= len(digests)
