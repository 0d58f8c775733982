"""The headers of Netlify: the parser of ``_headers`` and ``netlify.toml`` that its builds run."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.builds import robots_tag
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.scripts import ScriptOracle

_PARTS: Final = ("a", "b", "a", ":x", "*", "a*", "*b", "a*b", ":x.html", "A", "é", "a.b", "(a)")
_ENDS: Final = ("*", "a", ":x", "", "a/", "*.html", "b")
_NAMES: Final = ("a", "b", "ab", "a1b", "A", "a.html", "aXb", "a.b", "%C3%A9", "(a)", "c")
_VALUES: Final = ("noindex", "nofollow", "a, b", "a,b", "x: y", "none")


class NetlifyHeaders(ScriptOracle):
    hosting = "netlify"
    cases = 100
    packages = ("@netlify/headers-parser",)

    def question(self, case: Case) -> list[Any]:
        return [case.files["_headers"], case.files.get("netlify.toml", ""), case.requests]

    def random_case(self, random: Random) -> Case:
        blocks = "".join(_block(random) for _ in range(random.randint(1, 4)))
        tables = "".join(_table(random) for _ in range(random.randint(0, 2)))
        files = {"_headers": blocks} | ({"netlify.toml": tables} if tables else {})
        return Case(files, [_path(random, _NAMES, (*_NAMES, "")) for _ in range(8)])

    def describe(self, reply: HostedReply, _folder: Path, _target: str) -> str:
        return robots_tag(reply) or ""


def _path(random: Random, parts: Sequence[str], ends: Sequence[str]) -> str:
    words = random.choices(parts, k=random.randint(0, 2))
    return "/" + "/".join([*words, random.choice(ends)])


def _block(random: Random) -> str:
    lines = [_path(random, _PARTS, _ENDS)]
    for _ in range(random.choice((0, 1, 1, 1, 2))):
        indent = random.choice(("", "  ", "\t"))
        name = random.choice(("X-Robots-Tag", "X-Robots-Tag", "Other"))
        value = random.choice((*_VALUES, ""))
        lines.append(
            indent + random.choice((f"{name}: {value}", f"{name}:{value}", "# a: b", "word"))
        )
    return "\n".join(lines) + random.choice(("\n", "\n\n"))


def _table(random: Random) -> str:
    path, value = _path(random, _PARTS, _ENDS), random.choice(_VALUES)
    quoted = random.choice((f'"{value}"', f'["{value}", "all"]'))
    return f'[[headers]]\nfor = "{path}"\n[headers.values]\nX-Robots-Tag = {quoted}\n'
