"""robots-too-large: more than 512,000 bytes after decoding; exactly 512,000 are allowed."""

import gzip
import json

import pytest

from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support.findings import found, severities

RULE = "robots-too-large"
LIMIT = 512_000
EDGE = pytest.mark.parametrize(("size", "expected"), [(LIMIT, []), (LIMIT + 1, ["warning"])])


def body(size: int, character: str = "#") -> bytes:
    start = f"{DECLARED}\n#".encode()
    return start + character.encode() * ((size - len(start)) // len(character.encode()))


@EDGE
def test_bytes(size: int, expected: list[str]) -> None:
    row = robots(body(size))
    assert row.bytes == size
    assert severities(RULE, row) == expected


@EDGE
def test_decoded_bytes_are_counted(size: int, expected: list[str]) -> None:
    assert severities(RULE, robots(gzip.compress(body(size)), encoding="gzip")) == expected


def test_bytes_are_counted_rather_than_characters() -> None:
    assert severities(RULE, robots(body(LIMIT + 2, "ä"))) == ["warning"]


def test_an_empty_file() -> None:
    assert severities(RULE, robots("")) == []


def test_message_and_evidence() -> None:
    (finding,) = found(RULE, robots(body(LIMIT + 1)))
    assert finding.message == "has at least 512,001 bytes; only the first 512,000 are read"
    assert finding.url == ROBOTS
    assert json.loads(finding.evidence or "") == {"bytes": LIMIT + 1, "limit": LIMIT}
