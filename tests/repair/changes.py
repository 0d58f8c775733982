"""The list of what a repair changed."""

import csv
from pathlib import Path


def rows(into: Path) -> list[dict[str, str]]:
    with (into / "changes.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
