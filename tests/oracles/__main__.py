"""Compares our answers with those of oracles, and prints one table.

``python -m tests.oracles [--tools FOLDER] [--record] [--cases N] [KIND, NAME or SEED …]``
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.builds.oracles.tools import Tools
from tests.oracles import kinds
from tests.oracles.oracle import Comparison, Options, Result

_SHOWN = 10
"""Differences that are printed for each oracle."""

_RECORDED = "hosts"
"""The kind whose answers are recorded."""


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make oracles", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="a kind, an oracle, or a seed")
    parser.add_argument("--tools", type=Path, help="keep the programs in this folder")
    parser.add_argument("--cases", type=int, help="random cases of each seed and oracle")
    parser.add_argument("--record", action="store_true", help="write the recordings again")
    options = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # The servers end as well.
    seeds = [int(word) for word in options.words if word.isdecimal()] or [int(time.time())]
    chosen = {word for word in options.words if not word.isdecimal()}
    chosen = chosen or ({_RECORDED} if options.record else set())
    print("seeds:", *seeds, flush=True)
    results: list[tuple[str, Result]] = []
    with tempfile.TemporaryDirectory() as folder:
        place = (options.tools or Path(folder)).resolve()
        place.mkdir(exist_ok=True)
        place.chmod(0o755)  # Apache reads as another user.
        given = Options(Path(folder), Tools(place), seeds, options.cases, options.record)
        for kind, comparison in _choose(chosen):
            name = f"{kind:10} {comparison.install(given.tools)}"
            results.append((name, comparison.run(given)))
            _report(*results[-1])
    print(_table(results))
    return any(result.unexplained or result.stale for _, result in results)


def _choose(chosen: set[str]) -> Iterator[tuple[str, Comparison]]:
    """Yield the chosen comparisons with their kinds; all if none is chosen."""
    known = {name for kind, found in kinds().items() for name in (kind, *(o.name for o in found))}
    if chosen - known:
        sys.exit(f"{', '.join(sorted(chosen - known))}: not one of {', '.join(sorted(known))}")
    for kind, found in kinds().items():
        for comparison in found:
            if not chosen or not chosen.isdisjoint((kind, comparison.name)):
                yield kind, comparison


def _report(name: str, result: Result) -> None:
    for difference in result.unexplained[:_SHOWN]:
        print(f"{name}: unexplained: {difference}", flush=True)
    for reason in result.stale:
        print(f"{name}: no longer differs: {reason}", flush=True)


def _table(results: list[tuple[str, Result]]) -> str:
    head = (
        f"{'kind':10} {'oracle':40} {'cases':>9} {'equal':>9} {'explained':>9} {'unexplained':>11}"
    )
    lines = [head]
    for name, result in results:
        counts = (result.cases, result.equal, result.explained.total())
        cells = "".join(f" {number:>9,}" for number in counts)
        lines.append(f"{name[:51]:51}{cells} {len(result.unexplained):>11,}")
        lines += [f"    {number:,}: {reason}" for reason, number in result.explained.items()]
        lines += [f"    no longer differs: {reason}" for reason in result.stale]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
