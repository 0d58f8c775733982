"""Two run folders built from rows, and their comparison."""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap
from tests.support import build_audited_run, build_run

Row = Robots | Sitemap | Entries | Page | Rendering
Difference = Mapping[str, Any]


class Runs:
    """Pairs of run folders that no test changes: each run is built once for equal rows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._built: dict[bytes, Path] = {}

    def earlier(self, rows: Sequence[Row]) -> Path:
        """Return the folder of an earlier run with these rows; no rule was checked."""
        return self._run("earlier", rows)

    def later(self, rows: Sequence[Row], **values: Any) -> Path:
        """Return the folder of a later run with these rows and properties."""
        return self._run("later", rows, **values)

    def _run(self, name: str, rows: Sequence[Row], **values: Any) -> Path:
        key = pickle.dumps((name, rows, values))
        if key not in self._built:
            folder = self._folder / f"{name}-{len(self._built)}"
            self._built[key] = build_run(folder, rows, **values).path
        return self._built[key]


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
