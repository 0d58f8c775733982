"""The summary of a run as a terminal shows it."""

import io

from sitemapaudit import Run
from sitemapaudit.report.summary import summary
from sitemapaudit.report.terminal import Terminal


def printed(run: Run, width: int, *, to_file: bool = False) -> list[str]:
    """Return the lines of the summary on a terminal of this width, or in a file."""
    console = Terminal(
        file=io.StringIO(), width=width, force_terminal=not to_file, color_system=None
    )
    console.print(summary(run.path, run.manifest), highlight=False, crop=False)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]
