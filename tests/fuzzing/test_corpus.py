"""Every reader passes its checks with every case of the corpus."""

from pathlib import Path

import pytest

from tests.fuzzing.readers import CORPUS, NAMES, reader

CASES = sorted(CORPUS.glob("*/*"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_cases_pass_the_checks(case: Path) -> None:
    reader(case.parent.name).check(case.read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_every_reader_has_cases_and_accepts_any_bytes(name: str) -> None:
    assert {case.parent.name for case in CASES} == set(NAMES)
    for data in (b"", b"\n", bytes(range(256)), *reader(name).words):
        reader(name).check(data)
