"""Drawn websites, audited in drawn ways with interruptions, give the tables that a model predicts.

``AUDIT_WORLDS`` is the number of seeds, and ``AUDIT_WORLDS_FIRST`` the first; see ``make worlds``.
With ``AUDIT_WORLDS_SHRINK``, a smaller case is searched for one that fails.
"""

import os
from pathlib import Path
from pprint import pformat
from tempfile import TemporaryDirectory

import pytest

from tests.worlds.case import SIZE, Case
from tests.worlds.shrinking import shrink

FIRST = int(os.environ.get("AUDIT_WORLDS_FIRST", "0"))
LAST = FIRST + int(os.environ.get("AUDIT_WORLDS", "200"))


ALONE = range(FIRST, LAST, 50) if "AUDIT_WORLDS" in os.environ else ()
"""The websites that are audited alone, too; none in CI, as each costs an audit."""


@pytest.mark.parametrize("first", range(FIRST, LAST, SIZE))
def test_worlds_are_audited(first: int, tmp_path: Path) -> None:
    last = min(first + SIZE, LAST)
    tell(Case.draw(range(first, last)), tmp_path, f"make worlds SEEDS={SIZE} FIRST={first}")


@pytest.mark.parametrize("seed", ALONE)
def test_a_world_is_audited_alone(seed: int, tmp_path: Path) -> None:
    tell(Case.draw([seed]), tmp_path, f"make worlds SEEDS=1 FIRST={seed}")


def tell(case: Case, folder: Path, command: str) -> None:
    """Tell a case; if it breaks the law, say how to repeat it, and which smaller one does, too."""
    try:
        case.tell(folder)
    except AssertionError as error:
        error.add_note(f"Repeat it with: {command}")
        if "AUDIT_WORLDS_SHRINK" in os.environ:
            error.add_note(pformat(shrink(case, breaks_the_law)))
        raise


def breaks_the_law(case: Case) -> bool:
    """Return whether a case breaks the law."""
    with TemporaryDirectory() as folder:
        try:
            case.tell(Path(folder))
        except AssertionError:
            return True
    return False
