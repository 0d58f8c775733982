"""A few cases of each oracle that the tests have: no answer differs without a reason."""

from pathlib import Path

import pytest

from tests.builds.oracles.tools import Tools
from tests.oracles import kinds
from tests.oracles.__main__ import main
from tests.oracles.oracle import Options, Oracle

SEED = 46
INSTALLED = {
    f"{kind}-{each.name}": each
    for kind, found in kinds().items()
    for each in found
    if isinstance(each, Oracle) and each.in_tests
}


@pytest.mark.parametrize("name", INSTALLED)
def test_no_answer_differs_without_a_reason(tmp_path: Path, name: str) -> None:
    oracle = INSTALLED[name]
    result = oracle.run(Options(tmp_path, Tools(tmp_path), [SEED], oracle.in_tests))
    assert [*map(str, result.unexplained)] == []
    assert result.stale == []
    assert result.equal > result.cases * 0.75


def test_names_of_kinds_oracles_and_seeds_are_known() -> None:
    with pytest.raises(SystemExit, match=r"^robot: not one of .*hosts, .*protego, .*robots"):
        main(["robot", "7"])


@pytest.mark.parametrize("kind", kinds())
def test_each_kind_is_documented(kind: str) -> None:
    assert f"\n| `{kind}` |" in Path(__file__).with_name("README.md").read_text()
