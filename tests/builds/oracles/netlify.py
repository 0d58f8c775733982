"""The redirects of Netlify: the redirect engine that ``netlify dev`` runs."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.oracles.oracle import OVER_HTTP, Case
from tests.builds.oracles.scripts import ScriptOracle

_PARTS: Final = ("a", "b", "a", "b", "a-*", "*", ":x", ":y", ":x.html", "*b", "a*b", ":x-1", "A")
_ENDS: Final = ("*", ":x", ":x/", "a", "a/", "", "b-*", "*")
_TARGETS: Final = ("a", "b", "new", ":splat", ":x", ":y", "p-:x", ":x.html", ":splat", ":x-1", "c")
_QUERIES: Final = ("", "", "", "", "id=1", "id=:x", "id=:y q=:x", "id")
_STATUSES: Final = ("", "", "301", "302", "302!", "301 word", "301x", "307!!")
_NAMES: Final = ("a", "b", "a-1", "a-", "c", "new", "1", "b-2", "A", "a.html", "a1b", "*b")
_SENT: Final = ("", "", "id=1", "id=2&q=3", "q=3&id=1", "id=a%2Fb", "id=x+y&z=1", "id=1&id=2")


class NetlifyRedirects(ScriptOracle):
    hosting = "netlify"
    cases = 120
    packages = ("netlify-redirector", "@netlify/redirect-parser")

    def question(self, case: Case) -> list[Any]:
        return [case.files["_redirects"], case.requests]

    def random_case(self, random: Random) -> Case:
        lines = "\n".join(_line(random) for _ in range(random.randint(1, 3)))
        return Case({"_redirects": lines}, [_target(random) for _ in range(6)])

    def describe(self, reply: HostedReply, _folder: Path, target: str) -> str:
        """Return a redirect without the query of the request, which the engine does not add."""
        if reply.rule is None:
            return ""
        location = dict(reply.headers)["Location"]
        query = target.partition("?")[2]
        return f"{reply.status} {location.removesuffix(f'?{query}') if query else location}"


def _path(random: Random, parts: Sequence[str], ends: Sequence[str]) -> str:
    words = random.choices(parts, k=random.randint(0, 2))
    return "/".join([*words, random.choice(ends)])


def _target(random: Random) -> str:
    origin = random.choice(("", "", "", OVER_HTTP))
    return f"{origin}/{_path(random, _NAMES, (*_NAMES, ''))}?{random.choice(_SENT)}"


def _line(random: Random) -> str:
    host = random.choice(("", "", "", "", "", "", "http://example.com", "https://example.com"))
    slash = "" if not host and random.random() < 0.1 else "/"
    words = (
        host + slash + (_path(random, _PARTS, _ENDS) or "a"),
        random.choice(_QUERIES),
        "/" + _path(random, _TARGETS, (*_TARGETS, "")),
        random.choice(_STATUSES),
    )
    # What the engine does with two stars side by side depends on what precedes them.
    return " ".join(filter(None, words)).replace("*/*", "*")
