"""Runs the browser, and limits the messages that it sends to its driver.

The driver keeps whole messages in memory, several times, and a page decides how long its script
errors are and how many. This program stands between the two, at the pipe of the DevTools protocol:
file descriptor 3 leads to the browser, 4 from it, and a zero byte ends each message. It imports
nothing from the package, to start fast.

``python browser_pipe.py PROGRAM ARGUMENT …``
"""

import json
import os
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

MAX_EVENT: Final = 4_194_304
"""The limit for an event in bytes; a URL has at most two million."""

MAX_RESULT: Final = 67_108_864
"""The limit for a result in bytes; the longest is the HTML of a page."""

MAX_ERROR: Final = 65_536
"""The limit for a console message or a script error in bytes."""

MAX_ERRORS: Final = 1_000
"""The limit for console messages and script errors per page or worker."""

_PIECE: Final = 65_536
_HEAD: Final = 120
_TAIL: Final = 80
_CONSOLE: Final = re.compile(
    rb'\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded)"'
)
_IS_ERROR: Final = re.compile(
    rb'\{"method":"Runtime\.(?:exceptionThrown|consoleAPICalled","params":\{"type":"error")'
)
_RESULT: Final = re.compile(rb'\{"id":(\d+)')
_SESSION: Final = re.compile(rb'"sessionId":"(\w+)"\}$')


class MessageFilter:
    """Passes on messages, with short substitutes for those that are too long."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._dropped = 0
        self._tail = b""
        self._errors: Counter[bytes] = Counter()

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Yield the messages that a piece completes, each with its zero byte."""
        *ends, rest = piece.split(b"\0")
        for end in ends:
            self._add(end)
            message = self._message()
            if message:
                yield message + b"\0"
        self._add(rest)

    def _add(self, part: bytes) -> None:
        if not self._dropped:
            self._kept += part
            if len(self._kept) <= self._limit():
                return
            part = bytes(self._kept[_HEAD:])
            del self._kept[_HEAD:]
        self._dropped += len(part)
        self._tail = (self._tail + part)[-_TAIL:]

    def _limit(self) -> int:
        if _CONSOLE.match(self._kept):
            return MAX_ERROR
        return MAX_RESULT if _RESULT.match(self._kept) else MAX_EVENT

    def _message(self) -> bytes:
        """Return the finished message or its substitute; empty to pass on nothing."""
        head, dropped, tail = bytes(self._kept), self._dropped, self._tail
        self._kept, self._dropped, self._tail = bytearray(), 0, b""
        found = _SESSION.search(tail if dropped else head[-_TAIL:])
        session = found[1] if found else b""
        if _CONSOLE.match(head):
            self._errors[session] += 1
            if self._errors[session] > MAX_ERRORS:
                return b""
        return _substitute(head, session, dropped) if dropped else head


def _substitute(head: bytes, session: bytes, size: int) -> bytes:
    """Return the substitute for a message that is too long."""
    text = f"a message of {size:,} bytes, which is too long to be read"
    result = _RESULT.match(head)
    if result:
        message: dict[str, Any] = {"id": int(result[1]), "error": {"code": -32000, "message": text}}
    elif _IS_ERROR.match(head):
        exception = {"type": "string", "value": text}
        details = {"text": "", "exception": exception, "lineNumber": 0, "columnNumber": 0}
        params = {"timestamp": 0, "exceptionDetails": details}
        message = {"method": "Runtime.exceptionThrown", "params": params}
    else:
        return b""
    session_id = {"sessionId": session.decode()} if session else {}
    return json.dumps(message | session_id).encode()


def run(command: list[str]) -> int:
    """Run the browser with its own pipe; return its exit status."""
    to_browser, from_browser = os.pipe(), os.pipe()

    def connect() -> None:
        os.dup2(to_browser[0], 3)
        os.dup2(from_browser[1], 4)

    browser = subprocess.Popen(  # noqa: S603 - the program that the user has chosen
        command,
        pass_fds=(3, 4),
        preexec_fn=connect,  # noqa: PLW1509 - there is only one thread yet
    )
    os.close(to_browser[0])
    os.close(from_browser[1])
    threading.Thread(target=_copy_commands, args=(to_browser[1],), daemon=True).start()
    messages = MessageFilter()
    try:
        while piece := os.read(from_browser[0], _PIECE):
            for message in messages.feed(piece):
                _write(4, message)
    except BrokenPipeError:
        browser.kill()  # The driver is gone.
    return browser.wait()


def _copy_commands(browser: int) -> None:
    try:
        while piece := os.read(3, _PIECE):
            _write(browser, piece)
    except BrokenPipeError:
        pass
    os.close(browser)  # The driver has ended: end the browser.


def _write(descriptor: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
