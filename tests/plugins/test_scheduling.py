"""Tests of a group run on one worker, so that an expensive fixture is created once."""

import pytest


@pytest.mark.xdist_group("example")
def test_xdist_knows_the_groups_of_tests(request: pytest.FixtureRequest) -> None:
    grouping = bool(request.config.getoption("loadgroup", default=False))
    assert request.node.nodeid.endswith("@example") is grouping
