"""Two run folders built from rows, and their comparison."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap
from tests.support import build_audited_run

Row = Robots | Sitemap | Entries | Page | Rendering
Difference = Mapping[str, Any]


def differences(run: Path) -> list[Difference]:
    """Return the rows of the comparison in a run folder."""
    rows: list[Difference] = pq.read_table(run / f"{TABLE}.parquet").to_pylist()
    return rows


def found_between(
    folder: Path, rule: str, before: Iterable[Row], after: Iterable[Row], **later: Any
) -> list[Difference]:
    """Return the findings of one rule between two runs; ``later`` goes into the later run."""
    old, new = folder / "1", folder / "2"
    build_audited_run(old, before)
    build_audited_run(new, after, **later)
    assert not compare(old, new, 256, Audit()).broken
    return [difference for difference in differences(new) if difference["rule"] == rule]
