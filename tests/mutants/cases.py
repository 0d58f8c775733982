"""The runner kills a mutant that a test notices, and no other one.

``test_mutants.py`` runs these tests in a new process, as ``make mutants`` does.
"""

import gc
import inspect
import sys
from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

from tests.mutants.making import mutants_of
from tests.mutants.mutant import Mutant
from tests.mutants.processes import Child, TimedOutError, answering
from tests.mutants.running import Court, executing
from tests.mutants.testing import Answer, Judge, Question, Session, run_pytest

ORIGINAL = inspect.cleandoc(
    '''
    from functools import cache

    LIMIT = 18

    class Door:
        """A door."""
        limit = LIMIT

    def is_adult(age, limit=LIMIT):
        return age >= limit and any(value > 0 for value in (age, 0))

    @cache
    def is_old(age):
        return age >= 65
    '''
)
TESTS = inspect.cleandoc(
    """
    from mutated_toy import Door, is_adult, is_old

    def test_age():
        assert is_adult(18) and Door.limit == 18

    def test_old():
        assert is_old(65)
    """
)
NAME, CACHED = "test_mutated_toy.py::test_age", "test_mutated_toy.py::test_old"


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    """Return a process that has collected the tests of a module."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "mutated_toy.py").write_text(ORIGINAL)
    (folder / "test_mutated_toy.py").write_text(TESTS)

    def serve(connection: Connection) -> None:
        def run(session: Session) -> None:
            gc.freeze()  # As tests/plugins/scheduling.py does.
            judge = Judge(session, folder, ["mutated_toy.py"])

            def reply(question: Question) -> Answer | None:
                is_cached = question.tests == [CACHED]
                return Court(judge).answer(question, 60) if is_cached else judge.answer(question)

            answering(reply)(connection)

        sys.path.insert(0, str(folder))
        run_pytest([str(folder)], folder / "pytest", Session(run))

    child = Child(serve)
    yield child
    child.end()


def answer(judge: Child, old: str, new: str, seconds: float = 60, name: str = NAME) -> Answer:
    assert old in ORIGINAL
    mutant = Mutant("mutated_toy.py", 1, old, new, ORIGINAL.replace(old, new, 1))
    found = judge.ask(Question(mutant, [name]), seconds)
    assert isinstance(found, Answer)
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("age >=", "age >"),
        ("value > 0", "value > 20"),
        ("limit=LIMIT", "limit=19"),
        ("limit = LIMIT", "limit = None"),
        ("LIMIT = 18", "LIMIT = 17"),
        ("LIMIT = 18", "LIMIT = unknown"),
    ],
)
def test_a_noticed_mutant_is_killed_and_taken_out_again(judge: Child, old: str, new: str) -> None:
    killed = answer(judge, old, new)
    assert killed.killers
    assert killed.is_clean
    assert answer(judge, "LIMIT", "LIMIT").killers == []


@pytest.mark.parametrize(
    ("old", "new", "is_whole"),
    [
        ("A door.", "A gate.", False),
        ("value > 0", "value > 1", True),
        ("limit = LIMIT", "limit = 19 - 1", False),
    ],
)
def test_another_mutant_survives(judge: Child, old: str, new: str, is_whole: bool) -> None:
    """Only one that could not be put into the process is judged in a new one."""
    assert answer(judge, old, new) == Answer([], is_whole)


def test_a_process_may_remember_a_result_of_a_mutant(judge: Child) -> None:
    """A test that failed then fails without the mutant, too, and is judged in a new process."""
    assert answer(judge, "age >= 65", "age > 65", name=CACHED) == Answer([CACHED], is_clean=False)
    assert answer(judge, "age >= 65", "age > 64", name=CACHED) == Answer([])


def test_an_endless_mutant_is_ended(judge: Child) -> None:
    with pytest.raises(TimedOutError):
        answer(judge, "return", "while True: pass\n    return", 0.2)


def test_a_line_of_a_text_is_executed_by_those_who_execute_its_beginning() -> None:
    lines = {2: [""], 5: ["a", "b"]}
    assert [executing(lines, line) for line in (1, 3, 5, 8)] == [(), [""], ["a", "b"], ["a", "b"]]


def test_mutants_of_python_and_of_sql() -> None:
    source = inspect.cleandoc(
        '''
        def find(rows: int | None = None):
            """Find 1 row."""
            query = f"select a from {rows} left join b where a = 'x' and b between 1 and 2"
            return query if rows is None else "no"
        '''
    )
    made = {mutant.now for mutant in mutants_of("module.py", source)}
    assert 'return query if rows is not None else "no"' in made
    assert {now.partition("} ")[2].rstrip('"') for now in made if "{rows}" in now} >= {
        " join b where a = 'x' and b between 1 and 2",
        "left join b where a <> 'x' and b between 1 and 2",
        "left join b where a = 'xXX' and b between 1 and 2",
        "left join b where a = 'x' or b between 1 and 2",
        "left join b where a = 'x' and b between 2 and 2",
    }
    assert not [now for now in made if "Find" in now or "int &" in now or "1 or 2" in now]
