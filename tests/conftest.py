"""How tests are named, and the audit that several of them look at."""

import pytest

from tests.support import Audited, audit_demo


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name bytes by their length: a compressed file holds the time at which it was made."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Return an audit of the demo website; for the tests of the group ``demo``."""
    return audit_demo(tmp_path_factory.mktemp("demo"))
