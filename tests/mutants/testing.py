"""Runs the tests of a room on mutants, in a process that has imported and collected everything."""

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

import hypothesis
import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.importing import Mutated, module_name
from tests.mutants.mutant import Mutant
from tests.mutants.patching import Patch, find_functions

_QUIET: Final = (
    "-q", "--capture=no", "-p", "no:cacheprovider", "--no-header", "--no-summary",
    "-W", "ignore::pytest.PytestAssertRewriteWarning",
)  # fmt: skip
_PHASES: Final = (hypothesis.Phase.explicit, hypothesis.Phase.generate)


class Question(NamedTuple):
    """A mutant and the names of tests; ``every`` asks for all that notice it."""

    mutant: Mutant
    tests: list[str]
    every: bool = False


class Answer(NamedTuple):
    """The tests that failed.

    ``is_whole`` is false if the mutant could not be put into the process, ``is_clean`` if a test
    fails without it, too, for example because the process remembers a result.
    """

    killers: list[str]
    is_whole: bool = True
    is_clean: bool = True


class Measured(NamedTuple):
    """What tests execute: their seconds by name, and their names by file and line.

    The name of the import is empty. Tests that fail without a mutant are not contained.
    """

    seconds: Mapping[str, float]
    lines: Mapping[str, Mapping[int, Sequence[str]]]


class _Plugin:
    """What all runs have in common: the same examples of Hypothesis, which are not shrunk."""

    def pytest_configure(self) -> None:
        hypothesis.settings.register_profile(
            "mutants", hypothesis.settings(), phases=_PHASES, derandomize=True, database=None
        )
        hypothesis.settings.load_profile("mutants")


def run_pytest(tests: Sequence[str], folder: Path, plugin: _Plugin) -> int:
    """Collect tests in this process, and run them as the plugin says."""
    return pytest.main([*_QUIET, f"--basetemp={folder}", *tests], plugins=[plugin])


class _NoProcesses:
    """Refuses the tests of this process to start others, which do not have the mutant."""

    is_on = False

    def __call__(self, event: str, _: object) -> None:
        if self.is_on and event in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
            raise PermissionError(event)


_no_processes: Final = _NoProcesses()
sys.addaudithook(_no_processes)


class _Nothing:
    """Stands for a next test that needs the fixtures of the session only."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[pytest.Session]:
        """Return what the next test needs."""
        return [self._session]


class Session(_Plugin):
    """Collects the tests, and calls a function with itself instead of running them."""

    def __init__(self, run: Callable[["Session"], None]) -> None:
        self._run = run
        self.items: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self._run(self)
        return True

    def passes(self, name: str, following: str | None = None) -> bool:
        """Run a test, and return whether it passed or was skipped.

        Fixtures are kept for ``following``, if that is the next test and this one passes.
        """
        item, rest = self.items[name], _Nothing(self.items[name].session)
        item._initrequest()  # type: ignore[attr-defined]
        _no_processes.is_on = True
        try:
            following_item = self.items[following] if following else rest
            reports = runtestprotocol(item, log=False, nextitem=following_item)  # type: ignore[arg-type]
            has_passed = not any(report.failed for report in reports)
            if following and not has_passed:
                item.session._setupstate.teardown_exact(rest)  # type: ignore[arg-type]
        except BaseException:  # noqa: BLE001 - a mutant may raise anything
            return False
        finally:
            _no_processes.is_on = False
        return has_passed


def measure(tests: Sequence[str], files: Sequence[str], folder: Path) -> Measured:
    """Run the tests once, and record which lines of these files they execute."""
    watch = import_module("coverage").Coverage(
        data_file=None, include=[str(Path(file).resolve()) for file in files]
    )
    seconds: dict[str, float] = {}

    def run(session: Session) -> None:
        for name in session.items:
            watch.switch_context(name)
            began = time.process_time()
            if session.passes(name):
                seconds[name] = time.process_time() - began

    watch.start()
    run_pytest(tests, folder, Session(run))
    watch.stop()
    data = watch.get_data()
    lines: dict[str, Mapping[int, Sequence[str]]] = defaultdict(dict)
    for file in files:
        lines[file] = data.contexts_by_lineno(str(Path(file).resolve()))
    return Measured(seconds, dict(lines))


class Judge:
    """Answers questions about mutants in a process that has collected the tests."""

    def __init__(self, session: Session, project: Path, files: Sequence[str]) -> None:
        self._session, self._project = session, project
        self._functions = find_functions(str(project / file) for file in files)

    def original(self, mutant: Mutant) -> Mutant:
        """Return the module without the change."""
        return mutant._replace(source=(self._project / mutant.file).read_text("utf-8"))

    def answer(self, question: Question) -> Answer:
        """Run the tests on the mutant, until one fails."""
        mutant, path = question.mutant, self._project / question.mutant.file
        # A module that no test imports is imported here: its mutants survive.
        module = import_module(module_name(mutant.file))
        original = self.original(mutant).source
        patch = Patch(self._functions, module, str(path), original, mutant.source)
        try:
            with patch:
                killers = self._failing(question)
        except BaseException:  # noqa: BLE001 - the module cannot be imported
            return Answer(["import"])
        is_clean = all(self._session.passes(each) for each in killers[:1])
        return Answer(killers, patch.is_whole, is_clean)

    def _failing(self, question: Question) -> list[str]:
        failing: list[str] = []
        for name, following in zip_longest(question.tests, question.tests[1:]):
            if not self._session.passes(name, following):
                failing.append(name)
                if not question.every:
                    break
        return failing


def is_killed_when_imported(question: Question, project: Path, folder: Path) -> bool:
    """Import the mutant in this process, which has not imported the package, and run the tests."""
    mutant = question.mutant
    Mutated(project / mutant.file, module_name(mutant.file), mutant.source).install()
    killed: list[Any] = []

    def run(session: Session) -> None:
        known = [name for name in question.tests if name in session.items]
        pairs = zip_longest(known, known[1:])
        killed.append(not all(session.passes(name, following) for name, following in pairs))

    files = [*dict.fromkeys(name.partition("::")[0] for name in question.tests)]
    run_pytest(files, folder, Session(run))
    return not killed or killed[0]
