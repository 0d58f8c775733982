"""The console that all summaries are printed to."""

from __future__ import annotations

import os

from rich.console import Console


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
