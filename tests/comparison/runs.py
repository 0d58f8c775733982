"""Two runs made of rows, compared."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap
from tests.support import build_run

Row = Robots | Sitemap | Entries | Page | Rendering
Difference = Mapping[str, Any]


def differences(run: Path) -> list[Difference]:
    """Return the rows of the comparison in a run folder."""
    rows: list[Difference] = pq.read_table(run / f"{TABLE}.parquet").to_pylist()
    return rows


def found_between(
    folder: Path,
    rule: str,
    before: Iterable[Row],
    after: Iterable[Row],
    *,
    settings: Mapping[str, str] | None = None,
    **later: Any,
) -> list[Difference]:
    """Return what one rule finds between two runs; ``later`` is told of the later one."""
    old, new = folder / "1", folder / "2"
    build_run(old, before)
    build_run(new, after, **later)
    assert not compare(old, new, 256, rules=settings).broken
    return [each for each in differences(new) if each["rule"] == rule]
