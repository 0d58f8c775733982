"""What people are told, on a terminal or wherever else the output goes."""

from __future__ import annotations

import os

from rich.console import Console


class Terminal(Console):
    """A console that nobody need read to its end: ``scrapy … | head`` costs no more than words.

    Rich would leave the program there, which must go on: tables may still have to be written, and
    the exit status is that of what was done.
    """

    def on_broken_pipe(self) -> None:
        """Send all that is still to be said nowhere."""
        self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)
