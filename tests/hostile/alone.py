"""Each attack alone: how much memory an audit of it holds at most, and how long it takes.

``python -m tests.hostile.alone``, or ``make attacks``, prints a table. The first row is an audit
without any attack.
"""

import tempfile
from pathlib import Path

from tests.hostile.process import MEGABYTE
from tests.hostile.website import serve


def measured(name: str) -> str:
    """Audit the website with one attack, and return a row."""
    with tempfile.TemporaryDirectory() as folder, serve(lambda each: each == name) as website:
        audited = website.audit(Path(folder))
        attacks = [*website.sitemaps, *website.pages, *website.hosts.values()]
        said = ", ".join(each.error or ", ".join(each.rules) for each in attacks) or "nothing"
        fine = int((audited.run.urls["verdict"] == "indexable").sum())
    peak, seconds = audited.peak // MEGABYTE, audited.seconds
    return f"| {name or 'none'} | {said} | {audited.status} | {fine} | {peak} | {seconds:.1f} |"


def main() -> None:
    """Print the table."""
    with serve() as website:
        paths = [attack.path for attack in (*website.sitemaps, *website.pages)]
        names = [*paths, *website.hosts]
    print("| attack | said of it | exit status | fine pages | peak MB | seconds |")
    print("|---|---|---|---|---|---|")
    for name in ["", *names]:
        print(measured(name), flush=True)


if __name__ == "__main__":
    main()
