"""Judges the mutants of a room: which tests run, in which process, and for how long."""

import importlib
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.mutants.mutant import Key, Mutant
from tests.mutants.processes import Child, EndedError, TimedOutError, answering
from tests.mutants.rooms import ROOMS
from tests.mutants.testing import (
    Answer,
    Judge,
    Measured,
    Question,
    Session,
    is_killed_when_imported,
    measure,
    run_pytest,
)

_IMPORTED: Final = (
    "ada_url", "aiohttp", "duckdb", "hypothesis", "lxml.etree", "msgspec", "pandas", "protego",
    "pyarrow.parquet", "pytest", "scrapy", "selectolax.lexbor", "xdist.plugin",
)  # fmt: skip
"""What all processes need; nothing of it starts threads when it is imported."""

_SLOW: Final = 4.0
"""Seconds of a test that is too slow to run on mutants."""
_MOST: Final = 8.0
"""Seconds of all tests that run on a mutant."""
_FIRST: Final = 2.0
"""Seconds of the tests that run on the mutant of a constant before it is imported."""
_FEWEST: Final = 3
"""Tests that run on a mutant in any case."""
_LEAST: Final = 5.0
"""Seconds that a mutant may take in any case."""
_TIMES: Final = 4.0
"""How much longer than the original it may take beyond that."""


class Told(StrEnum):
    """What is said of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"


class Result(NamedTuple):
    """What became of a mutant, the tests that noticed it, and the number of tests that ran."""

    mutant: Mutant
    told: Told
    killers: list[str]
    tests: int


class RoomRun:
    """The mutants of one room; ``keep`` is a folder for what its tests execute."""

    def __init__(
        self, project: Path, name: str, *, every: bool = False, keep: Path | None = None
    ) -> None:
        room = ROOMS[name]
        self._project, self._every = project, every
        self._tests, self.files, self._laws = [*room.tests], [*room.files(project)], room.laws
        self._kept = keep and keep / f"{name}.pickle"
        self._texts = {file: (project / file).read_text("utf-8") for file in self.files}

    def judge(self, mutants: Iterable[Mutant], known: Mapping[Key, str]) -> Iterator[Result]:
        """Yield the result of each mutant; ``known`` are those that are equivalent."""
        for name in _IMPORTED:
            importlib.import_module(name)
        with TemporaryDirectory() as folder:
            self._folder = Path(folder, "pytest")
            self._measured = self._measure()
            court = Child(self._serve)
            try:
                for mutant in mutants:
                    if mutant.key in known:
                        yield Result(mutant, Told.EQUIVALENT, [], 0)
                    else:
                        yield self._judge(mutant, court)
            finally:
                court.end()

    @cached_property
    def names(self) -> list[str]:
        """The tests that pass without a mutant and are not slow, the quick ones first.

        Those of one function follow each other, and can share fixtures.
        """
        seconds = self._measured.seconds
        names = sorted((name for name in seconds if seconds[name] < _SLOW), key=seconds.__getitem__)
        functions: dict[str, list[str]] = {}
        for name in names:
            functions.setdefault(_function(name), []).append(name)
        return [name for of_function in functions.values() for name in of_function]

    def _measure(self) -> Measured:
        if self._kept and self._kept.exists():
            kept: Measured = pickle.loads(self._kept.read_bytes())
            return kept
        child = Child(answering(lambda _: measure(self._tests, self.files, self._folder)))
        measured: Measured = child.ask("measure")
        child.end()
        if self._kept:
            self._kept.write_bytes(pickle.dumps(measured))
        return measured

    def _serve(self, connection: Connection) -> None:
        """Collect the tests, and answer questions about mutants in forks of this process."""

        def run(session: Session) -> None:
            court = Court(Judge(session, self._project, self.files))
            answering(lambda question: court.answer(*question))(connection)

        run_pytest(self._tests, self._folder, Session(run))

    def _judge(self, mutant: Mutant, court: Child) -> Result:
        tests = self._tests_of(mutant)
        question = Question(mutant, tests, self._every)
        seconds = _LEAST + _TIMES * sum(self._measured.seconds[name] for name in tests)
        is_imported = self._is_imported(mutant)
        first = question
        if is_imported and not self._every:
            first = question._replace(tests=self._first(tests))
        answer: Answer | None = court.ask((first, seconds))
        if answer is None:
            return Result(mutant, Told.TIMED_OUT, [], len(tests))
        if not answer.killers and (not answer.is_whole or is_imported):
            answer = self._import(question, seconds)
        told = Told.KILLED if answer.killers else Told.SURVIVED
        return Result(mutant, told, answer.killers, len(tests))

    def _is_imported(self, mutant: Mutant) -> bool:
        """Return whether an import executes the line: other modules may know its result."""
        return "" in executing(self._measured.lines.get(mutant.file, {}), mutant.line)

    def _import(self, question: Question, seconds: float) -> Answer:
        """Judge a mutant in a process that imports it."""

        def answer(asked: Question) -> Answer:
            killed = is_killed_when_imported(asked, self._project, self._folder)
            return Answer(["import"] if killed else [])

        child = Child(answering(answer))
        try:
            found: Answer = child.ask(question, seconds + _LEAST)
        except (EndedError, TimedOutError):
            return Answer(["import"])
        finally:
            child.end()
        return found

    def _tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute the changed line; for a constant, those that may use it."""
        lines = self._measured.lines.get(mutant.file, {})
        own = {name for name in self.names if _is_own_test(name, mutant.file)}
        laws = {name for name in self.names if name.startswith(self._laws)}
        if users := {*executing(lines, mutant.line)} - {""}:
            return self._affordable(own & users, laws & users, users)
        word = self._constant(mutant)
        texts = self._texts[mutant.file].splitlines()
        using = [number for number, text in enumerate(texts, start=1) if word.search(text)]
        readers = [file for file in self.files if word.search(self._texts[file])]
        return self._affordable(
            own,
            laws,
            {name for number in using for name in lines.get(number, ())},
            {name for name in self.names if any(_is_own_test(name, file) for file in readers)},
            {name for each in lines.values() for name in each},
            set() if own else {*self.names},
        )

    def _constant(self, mutant: Mutant) -> "re.Pattern[str]":
        """Return an expression for the name of the constant that a mutant changes."""
        before = self._texts[mutant.file].splitlines()[: mutant.line]
        statement = next((line for line in reversed(before) if line[:1].strip()), "")
        word = re.match(r"[A-Z_0-9]{3,}", statement)
        return re.compile(rf"\b{word[0]}\b" if word else "(?!)")

    def _first(self, tests: list[str]) -> list[str]:
        """Return the first of these tests, which take ``_FIRST`` seconds."""
        ends = accumulate(self._measured.seconds[name] for name in tests)
        return tests[: max(_FEWEST, sum(end <= _FIRST for end in ends))]

    def _affordable(self, own: set[str], *groups: set[str]) -> list[str]:
        """Return tests of these groups, the quick ones first, which take ``_MOST`` seconds.

        The module's own tests may take all of that, and the others half of it: each group but the
        last may take half of the time that is left.
        """
        chosen = self._quickest(own, _MOST, {})
        rest = _MOST / 2
        for at, group in enumerate(groups, start=1):
            room = rest if at == len(groups) else rest / 2
            before = sum(self._measured.seconds[name] for name in chosen)
            chosen = self._quickest(group, room, chosen)
            rest -= sum(self._measured.seconds[name] for name in chosen) - before
        return [*chosen]

    def _quickest(
        self, group: set[str], seconds: float, chosen: dict[str, None]
    ) -> dict[str, None]:
        """Return the chosen tests and the quickest ones of a group, which take so many seconds."""
        found = dict(chosen)
        for name in self.names:
            if name in group and name not in found:
                seconds -= self._measured.seconds[name]
                if seconds < 0 and len(found) >= _FEWEST:
                    break
                found[name] = None
        return found


class Court:
    """Judges each mutant in a new fork of this process: it remembers no result of another."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def answer(self, question: Question, seconds: float) -> Answer | None:
        """Return the answer; None if it took more than so many seconds."""
        answer = self._ask(question, seconds)
        while answer is not None and not (answer.is_clean or self._is_proven(question, answer)):
            rest = [name for name in question.tests if name not in answer.killers]
            question = question._replace(tests=rest)
            answer = self._ask(question, seconds)
        return answer

    def _is_proven(self, question: Question, answer: Answer) -> bool:
        """Return whether tests that failed pass in a process that never had the mutant."""
        original = self._judge.original(question.mutant)
        again = self._ask(Question(original, answer.killers), _LEAST)
        return again is not None and not again.killers

    def _ask(self, question: Question, seconds: float) -> Answer | None:
        child = Child(answering(self._judge.answer))
        try:
            answer: Answer = child.ask(question, seconds)
        except TimedOutError:
            return None
        except EndedError:
            return Answer(["end"])
        finally:
            child.end()
        return answer


def executing(lines: Mapping[int, Sequence[str]], line: int) -> Sequence[str]:
    """Return the names of the tests that execute a line.

    Of a text of several lines, only those are recorded with which it or an expression in it begins.
    """
    begins = max((each for each in lines if each <= line), default=None)
    return () if begins is None else lines[begins]


def _function(name: str) -> str:
    """Return the name of a test without its parameters."""
    return name.partition("[")[0]


def _is_own_test(name: str, file: str) -> bool:
    """Return whether a test is in the test module of a file."""
    return name.partition("::")[0].endswith(f"/test_{Path(file).stem}.py")
