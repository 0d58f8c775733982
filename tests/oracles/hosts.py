"""Hosting: the replies of a build folder, and those of web servers and hosting companies.

The programs, their random cases and their recorded answers are in ``tests/builds/oracles``.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tests.builds.oracles import oracle as hosting
from tests.builds.oracles import oracles
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Difference, Options, Result

_UNKNOWN: Final = "we say that the reply is unknown (it depends on what a build does not contain)"


class _Hosting(Comparison):
    """A program that answers as a kind of hosting does."""

    def __init__(self, oracle: hosting.Oracle) -> None:
        self.name = oracle.name
        self._oracle = oracle

    def install(self, tools: Tools) -> str:
        self._version = self._oracle.install(tools)
        return f"{self.name}: {self._version}"

    def run(self, options: Options) -> Result:
        result = Result()
        seeds = [hosting.RECORDED_SEED] if options.record else options.seeds
        for seed in seeds:
            cases = self._oracle.random_cases(seed)
            self._oracle.ask(cases, options.tools)
            cases = [case for case in cases if case.answers]  # The program refuses the others.
            if options.record:
                self._oracle.record(self._version, cases)
            folder = options.folder / f"{self.name}-{seed}"
            result.add(_result(self._oracle.compare(cases, folder)))
        recorded = self._oracle.compare(self._oracle.recorded(), options.folder / self.name)
        known = Counter(recorded.counts.keys()) + Counter(result.explained.keys())
        result.stale = [reason for reason in self._oracle.exceptions if reason not in known]
        return result


def _result(compared: hosting.Result) -> Result:
    counts = Counter(compared.counts)
    equal = counts.pop("equal", 0)
    if unknown := counts.pop("unknown", 0):
        counts[_UNKNOWN] = unknown
    different = [
        Difference((each.target, each.case.files), each.expected, each.found)
        for each in compared.different
    ]
    return Result(equal, counts, different)


COMPARISONS: Final[Sequence[Comparison]] = tuple(map(_Hosting, oracles().values()))
