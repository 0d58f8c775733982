"""The console for summaries, and lines that it does not wrap."""

import os

from rich.console import Console
from rich.text import Text


class Terminal(Console):
    """A console that ignores a closed pipe, as in ``sitemapaudit … | head``.

    Rich would exit. The program must continue: it may still have to write tables, and must return
    the exit status of its work.
    """

    def on_broken_pipe(self) -> None:
        """Discard all further output."""
        self.quiet = True
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, self.file.fileno())
        os.close(devnull)


def unwrapped(line: str) -> Text:
    """Return a line that is not wrapped, so that paths in it can be selected with the mouse."""
    return Text(line, no_wrap=True, overflow="ignore")
