"""Mutates the rooms, and prints which mutants their tests do not notice: see README.md.

``python -m tests.mutants [--mutants 2000] [--seed 1] [ROOM …]``
"""

import argparse
import sys
from pathlib import Path

from tests.mutants import making
from tests.mutants.equivalents import read_equivalents
from tests.mutants.mutant import Mutant
from tests.mutants.rooms import ROOMS
from tests.mutants.running import Result, RoomRun, Told

LEAST = 150
"""The number of mutants of a room that has as many."""
GOAL = 95
"""The percentage of mutants that tests should notice."""
PROJECT = Path(__file__).parents[2]


def shares(number: int, sizes: dict[str, int]) -> dict[str, int]:
    """Divide a number among rooms by their sizes; a small one gets more than its share."""
    least = min(LEAST, number // len(sizes))
    small = [name for name, size in sizes.items() if size * number < least * sum(sizes.values())]
    rest = number - least * len(small)
    others = sum(size for name, size in sizes.items() if name not in small)
    return {
        name: least if name in small else round(rest * size / others)
        for name, size in sizes.items()
    }


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(ROOMS))
    parser.add_argument("--mutants", type=int, default=2_000, help="how many to make in all rooms")
    parser.add_argument("--seed", default="1", help="which to make")
    parser.add_argument("--every", action="store_true", help="run all tests on each mutant")
    parser.add_argument("--measured", type=Path, help="keep what tests execute in this folder")
    options = parser.parse_args(words)
    numbers = shares(options.mutants, {name: room.size(PROJECT) for name, room in ROOMS.items()})
    everything: list[Result] = []
    for name in options.rooms or ROOMS:
        run = RoomRun(PROJECT, name, every=options.every, keep=options.measured)
        seed = f"{options.seed} {name}"
        texts = ROOMS[name].texts
        results = judge(run, making.sample(PROJECT, run.files, texts, numbers[name], seed))
        if options.every:
            print_needless(name, results, run.names)
        print(name, summary(results), flush=True)
        everything += results
    print("all", summary(everything))
    return int(percentage(everything) < GOAL)


def judge(run: RoomRun, mutants: list[Mutant]) -> list[Result]:
    """Return the results of mutants, and print those that survive."""
    results = []
    for result in run.judge(mutants, read_equivalents()):
        results.append(result)
        if result.told is Told.SURVIVED:
            print(f"{result.mutant}\n  none of {result.tests} tests", flush=True)
    return results


def percentage(results: list[Result]) -> float:
    """Return how many of the mutants that are not equivalent were killed, in percent."""
    judged = [result for result in results if result.told is not Told.EQUIVALENT]
    survived = [result for result in judged if result.told is Told.SURVIVED]
    return 100 * (1 - len(survived) / max(1, len(judged)))


def summary(results: list[Result]) -> str:
    counts = {told: sum(result.told is told for result in results) for told in Told}
    parts = ", ".join(f"{number} {told}" for told, number in counts.items())
    return f"{len(results)} mutants: {parts}; {percentage(results):.1f} % killed"


def print_needless(room: str, results: list[Result], names: list[str]) -> None:
    """Print the tests without which the same mutants are killed."""
    sole = {result.killers[0] for result in results if len(result.killers) == 1}
    print(f"{room}: these tests kill no mutant that no other test kills")
    print(*sorted({*names} - sole), sep="\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
