"""Oracles that are packages of npm: a script asks them for all cases at once."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from tests.builds.oracles.oracle import Case, Oracle
from tests.builds.oracles.tools import Tools, run


class ScriptOracle(Oracle):
    """A script of Node. Its name is that of the module."""

    packages: ClassVar[tuple[str, ...]]
    """The packages that it needs; the first is the one that answers."""

    def install(self, tools: Tools) -> str:
        return tools.npm(*self.packages)

    def question(self, case: Case) -> list[Any]:
        """Return what the script reads for a case."""
        raise NotImplementedError

    def ask(self, cases: Sequence[Case], tools: Tools) -> None:
        script = Path(__file__).with_name(f"{self.name}.cjs")
        questions = json.dumps([self.question(case) for case in cases])
        answers = json.loads(run(["node", str(script)], tools.folder, questions))
        for case, answered in zip(cases, answers, strict=True):
            case.answers = answered
