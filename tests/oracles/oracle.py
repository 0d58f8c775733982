"""What all oracles share: cases, the comparison of two answers, and explanations of differences."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct, field

from tests.builds.oracles.tools import Tools

Case = TypeVar("Case")


class Explanation(Struct, frozen=True):
    """Why some answers differ.

    ``source`` is the text that supports our answer. ``applies`` gets a case, their answer and ours.
    ``example`` is a case that is always compared: if it no longer differs, that is an error.
    """

    reason: str
    source: str
    applies: Callable[[Any, Any, Any], object]
    example: Any


class Difference(Struct):
    """A case with two answers."""

    case: object
    theirs: object
    ours: object

    def __str__(self) -> str:
        return f"{self.case!r}\n  theirs: {self.theirs!r}\n  ours:   {self.ours!r}"


class Result(Struct):
    """How many answers are equal, and how many differ by reason; differences without a reason.

    ``stale`` are the reasons that no longer explain their example.
    """

    equal: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    unexplained: list[Difference] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)

    def add(self, other: "Result") -> None:
        """Add the answers of another result."""
        self.equal += other.equal
        self.explained += other.explained
        self.unexplained += other.unexplained
        self.stale += other.stale

    @property
    def cases(self) -> int:
        """The number of answers that were compared."""
        return self.equal + self.explained.total() + len(self.unexplained)


class Options(Struct):
    """What a comparison is run with: a folder for its files, seeds, and cases of each seed.

    ``record`` says to write recorded answers again.
    """

    folder: Path
    tools: Tools
    seeds: Sequence[int]
    number: int | None = None
    record: bool = False


class Comparison:
    """Compares our answers with those of another program."""

    name: str
    version = ""

    def install(self, tools: Tools) -> str:
        """Install the program, and return its name and version."""
        raise NotImplementedError

    def run(self, options: Options) -> Result:
        """Compare the answers to known cases and to random ones."""
        raise NotImplementedError


class Oracle(Comparison, Generic[Case]):
    """A program that is asked cases; ``number`` are the random cases of a seed.

    ``in_tests`` are those of the tests, which have the program installed.
    """

    number: ClassVar[int] = 10_000
    in_tests: ClassVar[int] = 0
    explanations: ClassVar[Sequence[Explanation]] = ()

    def known_cases(self) -> Iterable[Case]:
        """Return the cases of a data set."""
        return ()

    def random_case(self, random: Random) -> Case:
        """Return a random case."""
        raise NotImplementedError

    def theirs(self, cases: Sequence[Case]) -> Iterable[object]:
        """Return the answers of the program."""
        raise NotImplementedError

    def ours(self, cases: Sequence[Case]) -> Iterable[object]:
        """Return our answers."""
        raise NotImplementedError

    def run(self, options: Options) -> Result:
        examples = [each.example for each in self.explanations]
        known = [*examples, *self.known_cases()]
        result = self.compare(known)
        result.stale = [*self._stale()]
        for seed in options.seeds:
            number = self.number if options.number is None else options.number
            result.add(self.compare([*self.random_cases(seed, number)]))
        return result

    def random_cases(self, seed: int, number: int) -> Iterator[Case]:
        """Yield the first cases of a seed."""
        random = Random(seed)
        return (self.random_case(random) for _ in range(number if self.number else 0))

    def compare(self, cases: Sequence[Case]) -> Result:
        """Compare the answers to cases."""
        result = Result()
        for each in self._answers(cases):
            if each.theirs == each.ours:
                result.equal += 1
            elif reason := self._explain(each):
                result.explained[reason] += 1
            else:
                result.unexplained.append(each)
        return result

    def _answers(self, cases: Sequence[Case]) -> Iterator[Difference]:
        if cases:
            answers = zip(self.theirs(cases), self.ours(cases), strict=True)
            for case, (theirs, ours) in zip(cases, answers, strict=True):
                yield Difference(case, theirs, ours)

    def _explain(self, each: Difference) -> str | None:
        found = (
            f"{explanation.reason} ({explanation.source})"
            for explanation in self.explanations
            if explanation.applies(each.case, each.theirs, each.ours)
        )
        return next(found, None)

    def _stale(self) -> Iterator[str]:
        """Yield the reasons that do not explain their example, because it does not differ."""
        answers = self._answers([each.example for each in self.explanations])
        for explanation, each in zip(self.explanations, answers, strict=True):
            applies = explanation.applies(each.case, each.theirs, each.ours)
            if each.theirs == each.ours or not applies:
                yield f"{explanation.reason}: {each}"


def words(random: Random, pool: Sequence[str], most: int) -> str:
    """Return some words of a pool, joined."""
    return "".join(chain(random.choices(pool, k=random.randint(0, most))))
