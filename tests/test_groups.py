"""Tests of a group run on one worker: what takes long to make is made once for all of them."""

import pytest


@pytest.mark.xdist_group("kept")
def test_who_distributes_the_tests_knows_their_groups(request: pytest.FixtureRequest) -> None:
    grouping = bool(request.config.getoption("loadgroup", default=False))
    assert request.node.nodeid.endswith("@kept") is grouping
