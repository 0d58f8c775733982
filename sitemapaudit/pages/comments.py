"""The comments of a page: the first ones, and the last."""

from collections.abc import Iterator
from typing import Final

MAX_COMMENTS: Final = 20
"""The first comments that are read."""

MAX_BYTES: Final = 200
"""The bytes of a comment that are read."""

_START: Final = b"<!--"


def read_comments(body: bytes) -> Iterator[str]:
    """Yield the beginnings of the first comments, and of the last one, where generators sign."""
    at = -1
    for _ in range(MAX_COMMENTS):
        at = body.find(_START, at + 1)
        if at < 0:
            return
        yield _beginning(body, at)
    if (last := body.rfind(_START)) > at:
        yield _beginning(body, last)


def _beginning(body: bytes, at: int) -> str:
    comment = body[at + len(_START) : at + len(_START) + MAX_BYTES]
    return comment.partition(b"-->")[0].decode(errors="replace")
