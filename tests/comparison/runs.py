"""Two run folders built from rows, and their comparison."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap
from tests.support.runs import build_audited_run

HOST = "https://www.example.com"
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


def moved_into(folder: str, value: Any) -> Any:
    """Return a row with all its URLs in a folder, and with contents that no other folder has."""
    if isinstance(value, list):
        return [moved_into(folder, each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        given = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        if given.get("content_hash") is not None:
            given["content_hash"] += folder
        return replace(value, **{name: moved_into(folder, each) for name, each in given.items()})
    return value.replace(f"{HOST}/", f"{HOST}/{folder}/") if type(value) is str else value
