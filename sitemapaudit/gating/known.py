"""The findings of the last run that passed, as known findings."""

import sys

from msgspec.structs import replace

from sitemapaudit.datasets.run import Run
from sitemapaudit.gating.baseline import Baseline
from sitemapaudit.gating.decision import Conditions
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.passed import last_passed
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.comparable_rules import comparable_rules
from sitemapaudit.runs.manifest import Manifest


def compare_with_passed(conditions: Conditions, run: Run, rules: Catalog) -> Conditions:
    """Return conditions with the findings of the last run of the same site that passed, if any."""
    passed = last_passed(run.path)
    if passed is None:
        return replace(conditions, baseline=None, finds_stale=False)
    # No one reads this baseline, so it has hashes: they take the least memory.
    known = Baseline.of(read_findings(passed), named=0, hashed=sys.maxsize)
    manifest = run.manifest
    comparable = comparable_rules(Manifest.read(passed), manifest, rules)
    not_before = {*manifest.checked_rules} - comparable
    return replace(conditions, baseline=known, finds_stale=False, not_before=not_before)
