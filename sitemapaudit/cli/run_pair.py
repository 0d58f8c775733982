"""The two runs that a command compares."""

from pathlib import Path

from sitemapaudit.datasets.run import Run, open_run
from sitemapaudit.runs.folders import previous_run


def open_pair(later: str, earlier: str | None) -> tuple[Path | None, Run]:
    """Return the earlier run (by default the previous one of the site, if any) and the later one.

    Raises OSError or ValueError with a sentence.
    """
    new = open_run(later)
    old = open_run(earlier).path if earlier else previous_run(new.path)
    if old is not None and old.resolve() == new.path.resolve():
        raise FileNotFoundError(f"{new.path} cannot be compared with itself")
    return old, new
