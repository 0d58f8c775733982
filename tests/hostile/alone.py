"""Audits each attack alone, and measures peak memory and duration.

``python -m tests.hostile.alone``, or ``make attacks``, prints a table. The first row is an audit
without an attack, and the last two are all attacks that cost work, and all that wait.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.hostile.attacks import Attack
from tests.hostile.process import MEGABYTE
from tests.hostile.website import serve


def measure_attacks(title: str, chosen: Callable[[str, Attack], bool]) -> str:
    """Audit the website with these attacks, and return a row of the table."""
    with tempfile.TemporaryDirectory() as folder, serve(chosen) as website:
        audited = website.audit(Path(folder))
        attacks = [*website.sitemaps, *website.pages, *website.hosts.values()]
        reported = ", ".join(attacks[0].rules) or attacks[0].error if attacks else None
        indexable = int((audited.run.urls["verdict"] == "indexable").sum())
    cells = (
        title,
        reported or "nothing",
        audited.status,
        indexable,
        audited.peak // MEGABYTE,
        f"{audited.cpu_seconds:.1f}",
        f"{audited.seconds:.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def only(name: str) -> Callable[[str, Attack], bool]:
    """Choose the attack of this name."""
    return lambda other, _: other == name


def main() -> None:
    """Print the table."""
    with serve(lambda *_: True) as website:
        paths = [attack.path for attack in (*website.sitemaps, *website.pages)]
        names = [*paths, *website.hosts]
    print("| attack | reported | exit status | indexable pages | peak MB | CPU seconds | seconds |")
    print("|---|---|---|---|---|---|---|")
    print(measure_attacks("none", lambda *_: False), flush=True)
    for name in names:
        print(measure_attacks(name, only(name)), flush=True)
    print(measure_attacks("all that cost work", lambda _, attack: not attack.waits), flush=True)
    print(measure_attacks("all that wait", lambda _, attack: attack.waits), flush=True)


if __name__ == "__main__":
    main()
