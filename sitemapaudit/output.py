"""Lines for people. Text of sites and servers is among them: nothing in it controls a terminal."""

import os
import re
import sys
from typing import Final, TextIO

_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
"""Control characters but the line feed and the tab, and those that change the direction of text."""

_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

_lost: list[str] = []
"""The reason why output could not be written, if any."""


def printable(text: str) -> str:
    """Return a text that cannot control a terminal."""
    return _CONTROL.sub(_REPLACEMENT, text)


def say(text: str = "", *, error: bool = False) -> None:
    """Print a text as it arises, to the standard output or the standard error."""
    stream = sys.stderr if error else sys.stdout
    if stream is None:  # It was closed before the program started.
        return
    try:
        print(_encodable(printable(text), stream), file=stream, flush=True)
    except OSError as failure:
        discard(stream.fileno(), failure)


def _encodable(text: str, stream: TextIO) -> str:
    """Return a text with ``?`` for what a stream cannot encode, such as bytes of a file name."""
    encoding = getattr(stream, "encoding", None) or "utf-8"  # Scrapy's stream for a log has none.
    return text.encode(encoding, "replace").decode(encoding)


def discard(number: int, failure: OSError) -> None:
    """Discard all further output of a descriptor: its reader is gone, or its disk is full."""
    if not isinstance(failure, BrokenPipeError):
        _lost.append(failure.strerror or str(failure))
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, number)
    os.close(devnull)


def lost_output() -> str | None:
    """Return why output is missing; None if none is, or if its reader is gone."""
    return _lost[0] if _lost else None
