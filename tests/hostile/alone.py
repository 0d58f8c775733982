"""Audits each attack alone, and measures peak memory and duration.

``python -m tests.hostile.alone``, or ``make attacks``, prints a table. The first row is an audit
without an attack, and the last one is the complete website.
"""

import tempfile
from collections.abc import Collection
from pathlib import Path

from tests.hostile.process import MEGABYTE
from tests.hostile.website import serve


def measure_attacks(title: str, chosen: Collection[str]) -> str:
    """Audit the website with these attacks, and return a row of the table."""
    with tempfile.TemporaryDirectory() as folder, serve(lambda each: each in chosen) as website:
        audited = website.audit(Path(folder))
        attacks = [*website.sitemaps, *website.pages, *website.hosts.values()]
        reported = ", ".join(attacks[0].rules) or attacks[0].error if attacks else None
        indexable = int((audited.run.urls["verdict"] == "indexable").sum())
    peak, seconds = audited.peak // MEGABYTE, audited.seconds
    cells = (title, reported or "nothing", audited.status, indexable, peak, f"{seconds:.1f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table."""
    with serve() as website:
        paths = [attack.path for attack in (*website.sitemaps, *website.pages)]
        names = [*paths, *website.hosts]
    print("| attack | reported | exit status | indexable pages | peak MB | seconds |")
    print("|---|---|---|---|---|---|")
    print(measure_attacks("none", []), flush=True)
    for name in names:
        print(measure_attacks(name, [name]), flush=True)
    print(measure_attacks("all", names), flush=True)


if __name__ == "__main__":
    main()
