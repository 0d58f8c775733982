"""The summary of a run as a terminal shows it."""

import io

from rich.console import Console

from sitemapaudit import Run
from sitemapaudit.report.summary import summary


def printed(run: Run, width: int) -> list[str]:
    """Return the lines of the summary on a terminal of this width."""
    console = Console(file=io.StringIO(), width=width)
    console.print(summary(run.path, run.manifest), highlight=False, crop=False)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]
