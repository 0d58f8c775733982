"""The console for summaries, and lines that it does not wrap."""

from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from sitemapaudit.output import discard, printable
from sitemapaudit.report.embedding import shorten

_ENDLESS = 1_000_000
"""The width of a file."""


class Terminal(Console):
    """A console that shows texts as they are, and ignores a closed pipe, as in ``… | head``.

    Rich would read ``[b]`` and ``:star:`` in a title as a style and a picture, and would exit when
    a pipe is closed. The program must continue: it may still have to write tables, and must return
    the exit status of its work.

    In a file or a pipe, each sentence and each row is one line, so that others find it there.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, **options)
        if not self.is_terminal:
            self.width = _ENDLESS

    def on_broken_pipe(self) -> None:
        """Discard all further output."""
        self._discard(BrokenPipeError())

    def print(self, *objects: Any, **options: Any) -> None:
        """Print something; what a full disk does not take is lost, which the program says later."""
        try:
            super().print(*objects, **options)
        except OSError as failure:
            self._discard(failure)

    def _discard(self, failure: OSError) -> None:
        self.quiet = True
        discard(self.file.fileno(), failure)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the segments of something, without text that controls the terminal."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


class Shortened:
    """A text in a cell whose middle is omitted if it does not fit."""

    def __init__(self, text: str, style: str = "") -> None:
        self._text, self._style = text, style

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        """Yield what fits."""
        yield Text(shorten(self._text, options.max_width), self._style, no_wrap=True)

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        """Return that any width is enough."""
        return Measurement(1, min(len(self._text), options.max_width))


class Fitted:
    """A table that fits a terminal, and is as wide as its texts in a file.

    ``build`` makes it, from whether it expands to the width of the terminal. It is called now:
    another process may show the tables, without the modules that make them.
    """

    def __init__(self, build: Callable[[bool], Table]) -> None:
        self._fitting, self._whole = build(True), build(False)

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> RenderResult:
        """Yield the table."""
        yield self._fitting if console.is_terminal else self._whole


def unwrapped(line: str) -> Text:
    """Return a line that is not wrapped, so that paths in it can be selected with the mouse."""
    return Text(line, no_wrap=True, overflow="ignore")
