"""A module that tests one rule, ``RULE``, leaves the other rules out of the runs that it builds."""

import pytest

from tests import support


@pytest.fixture(autouse=True)
def _leave_other_rules_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "tested", getattr(request.module, "RULE", None))
