"""Drawn websites, audited in drawn ways with interruptions, give the tables that a model predicts.

``AUDIT_WORLDS`` is the number of seeds, and ``AUDIT_WORLDS_FIRST`` the first; see ``make worlds``.
"""

import os
from pathlib import Path

import pytest

from tests.worlds.story import tell

FIRST = int(os.environ.get("AUDIT_WORLDS_FIRST", "0"))
WORLDS = int(os.environ.get("AUDIT_WORLDS", "6"))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + WORLDS))
def test_a_world_is_audited(seed: int, tmp_path: Path) -> None:
    tell(seed, tmp_path)
