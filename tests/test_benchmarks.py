"""Benchmarks that make tables of their own: they have the columns that the product reads."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def benchmark(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The module of a benchmark."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield import_module(request.param)
    sys.path.remove(str(BENCHMARKS))
    for name in set(sys.modules) - before:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.mark.parametrize("benchmark", ["link_graph"], indirect=True)
def test_the_graph_of_links(
    benchmark: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.write_log(tmp_path, 100, 1_000)
    benchmark.build(tmp_path, 100)
    assert "100 pages reached" in capsys.readouterr().out


@pytest.mark.parametrize("benchmark", ["report_and_comparison"], indirect=True)
def test_the_report_and_the_comparison(benchmark: ModuleType, tmp_path: Path) -> None:
    now, before = tmp_path / "now", tmp_path / "before"
    benchmark.prepare(now, before, 200, 2_000)
    for step in ("compare", "report"):
        benchmark.run_step(step, now, before)
    assert "2,000" in (now / "report.html").read_text()
