"""The findings of the last run that passed, as known findings."""

import sys
from pathlib import Path

from sitemapaudit.gating.baseline import Baseline
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.passed import last_passed


def last_passed_findings(run: Path) -> Baseline | None:
    """Return the findings of the last run of the same site that passed; None if none did."""
    passed = last_passed(run)
    if passed is None:
        return None
    # No one reads this baseline, so it has hashes: they take the least memory.
    return Baseline.of(read_findings(passed), named=0, hashed=sys.maxsize)
