"""Each attack alone: how much memory an audit of it holds at most, and how long it takes.

``python -m tests.hostile.alone``, or ``make attacks``, prints a table. The first row is an audit
without any attack, the last one that of the whole website.
"""

import tempfile
from collections.abc import Collection
from pathlib import Path

from tests.hostile.process import MEGABYTE
from tests.hostile.website import serve


def measured(title: str, chosen: Collection[str]) -> str:
    """Audit the website with these attacks, and return a row."""
    with tempfile.TemporaryDirectory() as folder, serve(lambda each: each in chosen) as website:
        audited = website.audit(Path(folder))
        attacks = [*website.sitemaps, *website.pages, *website.hosts.values()]
        said = (
            ", ".join(attacks[0].rules or [attacks[0].error or "nothing"]) if attacks else "nothing"
        )
        fine = int((audited.run.urls["verdict"] == "indexable").sum())
    peak, seconds = audited.peak // MEGABYTE, audited.seconds
    return f"| {title} | {', '.join(said)} | {audited.status} | {fine} | {peak} | {seconds:.1f} |"


def main() -> None:
    """Print the table."""
    with serve() as website:
        paths = [attack.path for attack in (*website.sitemaps, *website.pages)]
        names = [*paths, *website.hosts]
    print("| attack | said of it | exit status | fine pages | peak MB | seconds |")
    print("|---|---|---|---|---|---|")
    print(measured("none", []), flush=True)
    for name in names:
        print(measured(name, [name]), flush=True)
    print(measured("all", names), flush=True)


if __name__ == "__main__":
    main()
