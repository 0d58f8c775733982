"""Asks the oracles random cases, and prints how many of our replies are equal to their answers.

``python -m tests.builds.oracles [--tools FOLDER] [--record] [SEED or NAME …]``
"""

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.builds.oracles import oracles
from tests.builds.oracles.oracle import RECORDED_SEED, Case, Difference, Oracle, Result
from tests.builds.oracles.tools import Tools

_SHOWN = 10
"""Differences that are printed for each oracle."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make oracles", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="a seed, or the name of an oracle")
    parser.add_argument("--tools", type=Path, help="keep the programs in this folder")
    parser.add_argument("--record", action="store_true", help="write the recordings again")
    options = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # The servers end as well.
    found = oracles()
    names = [word for word in options.words if word in found] or [*found]
    seeds = [int(word) for word in options.words if word not in found] or [int(time.time())]
    seeds = [RECORDED_SEED] if options.record else seeds
    with tempfile.TemporaryDirectory() as folder:
        place = options.tools or Path(folder)
        place.mkdir(exist_ok=True)
        place.chmod(0o755)  # Apache reads as another user.
        results = {}
        for name in names:
            tools = Tools(place.resolve())
            version = found[name].install(tools)
            results[f"{name}: {version}"] = total = Result()
            for seed, cases in _ask(found[name], seeds, tools):
                if options.record:
                    found[name].record(version, cases)
                total.add(_compare(found[name], seed, cases, Path(folder)))
    print(_table(results))
    return any(result.different for result in results.values())


def _ask(oracle: Oracle, seeds: Iterable[int], tools: Tools) -> Iterator[tuple[int, list[Case]]]:
    """Yield the cases of each seed with the answers; those that the program refuses are omitted."""
    for seed in seeds:
        cases = oracle.random_cases(seed)
        oracle.ask(cases, tools)
        yield seed, [case for case in cases if case.answers]


def _compare(oracle: Oracle, seed: int, cases: list[Case], folder: Path) -> Result:
    result = oracle.compare(cases, folder / f"{oracle.name}-{seed}")
    print(f"{oracle.name}, seed {seed}: {_words(result.counts)}", flush=True)
    for difference in result.different[:_SHOWN]:
        print(_explain(difference), flush=True)
    return result


def _words(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())


def _explain(difference: Difference) -> str:
    files = difference.case.files
    texts = "\n".join(f"--- {name}\n{text}" for name, text in files.items() if text)
    names = [name for name, text in files.items() if not text]
    lines = (difference.target, f"theirs: {difference.expected}", f"ours: {difference.found}")
    return "\n  ".join([*lines, str(names), texts])


def _table(results: dict[str, Result]) -> str:
    lines = [f"{'oracle':44} {'cases':>8} {'equal':>8} {'unknown':>8} {'excepted':>8} {'other':>8}"]
    for name, result in results.items():
        counts = Counter(result.counts)
        equal, unknown = counts.pop("equal", 0), counts.pop("unknown", 0)
        numbers = (equal, unknown, counts.total(), len(result.different))
        cells = "".join(f" {number:>8,}" for number in (sum(numbers), *numbers))
        lines.append(f"{name[:44]:44}{cells}")
        lines += [f"    {number:,}: {reason}" for reason, number in counts.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
