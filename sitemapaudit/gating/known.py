"""Where a gate gets the findings that are known."""

from __future__ import annotations

import sys
from pathlib import Path

from sitemapaudit.gating.baseline import NAME, Baseline
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.passed import last_passed


def read_baseline(given: Path | None) -> Baseline | None:
    """Read the baseline of a file, or that of the working folder; None if there is none there.

    Raises ValueError with a sentence.
    """
    file = given or Path(NAME)
    try:
        return Baseline.read(file)
    except FileNotFoundError:
        if given is None:
            return None
        raise ValueError(f"--baseline: there is no file {given}") from None
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from None


def last_passed_findings(run: Path) -> Baseline | None:
    """Return what the last run of the same site found that passed; None if none did."""
    passed = last_passed(run)
    if passed is None:
        return None
    # Nobody reads it: a hash per place takes the least memory.
    return Baseline.of(read_findings(passed), named=0, hashed=sys.maxsize)
