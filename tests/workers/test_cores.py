"""How many workers a run has by itself."""

from pathlib import Path

import pytest

from sitemapaudit.workers.cores import count_cores


@pytest.mark.parametrize(("quota", "most"), [("100000 100000", 1), ("50000 100000", 1)])
def test_a_container_has_the_processors_of_its_limit(tmp_path: Path, quota: str, most: int) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(quota + "\n")
    assert count_cores(file) == most


@pytest.mark.parametrize("quota", ["max 100000", "6400000 100000", "", None])
def test_without_a_limit_all_processors_count(tmp_path: Path, quota: str | None) -> None:
    file = tmp_path / "cpu.max"
    if quota is not None:
        file.write_text(quota)
    assert count_cores(file) == count_cores(tmp_path / "none")
