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

TOGETHER = [range(first, min(first + SIZE, LAST)) for first in range(FIRST, LAST, SIZE)]
ALONE = range(FIRST, LAST, SIZE) if "AUDIT_WORLDS" in os.environ else ()
"""The websites that are audited alone, too; none in CI, as each costs an audit."""


@pytest.mark.parametrize("seeds", [*TOGETHER, *(range(seed, seed + 1) for seed in ALONE)], ids=str)
def test_worlds_are_audited(seeds: range, tmp_path: Path) -> None:
    command = f"make worlds SEEDS={len(seeds)} FIRST={seeds.start}"
    tell(Case.draw(seeds), tmp_path, command)


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
