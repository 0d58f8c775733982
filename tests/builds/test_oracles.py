"""Random rules and files, answered as the programs of hosting companies, and web servers, do."""

from pathlib import Path

import pytest

from tests.builds.oracles import oracles

ORACLES = oracles()
MAX_BYTES = 150_000


@pytest.mark.parametrize("name", ORACLES)
def test_replies_are_those_of_the_oracle(tmp_path: Path, name: str) -> None:
    cases = ORACLES[name].recorded()
    result = ORACLES[name].compare(cases, tmp_path)
    assert result.different == []
    replies = sum(len(case.requests) for case in cases)
    assert result.counts.total() == replies
    assert result.counts["equal"] > replies * 0.75


@pytest.mark.parametrize("name", ORACLES)
def test_a_recording_is_small(name: str) -> None:
    assert 0 < ORACLES[name].recording.stat().st_size < MAX_BYTES
