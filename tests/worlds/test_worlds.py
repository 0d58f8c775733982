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


@pytest.mark.parametrize("first", range(FIRST, LAST, SIZE))
def test_worlds_are_audited(first: int, tmp_path: Path) -> None:
    case = Case.draw(range(first, min(first + SIZE, LAST)))
    try:
        case.tell(tmp_path)
    except AssertionError as error:
        error.add_note(f"Repeat it with: make worlds SEEDS={SIZE} FIRST={first}")
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
