"""The redirects of ``vercel.json``: the routes that Vercel's own package makes of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.scripts import ScriptOracle

_PARTS: Final = ("a", "b", ":x", ":y", "a-:x", ":x.html", ":x(\\d+)", "(.*)", "a|b", "(?:a|b)")
_ENDS: Final = (":z*", ":z+", ":z?", "(.*)", "a", ":y", "b.html", "", "(\\d+)")
_TARGETS: Final = ("new", "new", ":x", ":y", ":z*", "p-:x", ":z", "c")
_NAMES: Final = ("a", "b", "a-1", "c", "new", "1", "22", "index.html", "a.html", "A", "index")


class VercelRedirects(ScriptOracle):
    hosting = "vercel"
    cases = 500
    packages = ("@vercel/routing-utils",)

    def question(self, case: Case) -> list[Any]:
        return [json.loads(case.files["vercel.json"]), case.requests]

    def random_case(self, random: Random) -> Case:
        config = _config(random)
        requests = [_path(random, _NAMES, (*_NAMES, "")) for _ in range(6)]
        return Case({"vercel.json": json.dumps(config)}, requests)

    def describe(self, reply: HostedReply, _folder: Path, _target: str) -> str:
        location = dict(reply.headers).get("Location")
        return "" if location is None else f"{reply.status} {location}"


def _path(random: Random, parts: Sequence[str], ends: Sequence[str]) -> str:
    words = random.choices(parts, k=random.randint(0, 2))
    return "/" + "/".join([*words, random.choice(ends)])


def _redirect(random: Random) -> dict[str, Any]:
    source, destination = _path(random, _PARTS, _ENDS), _path(random, _TARGETS, _TARGETS)
    rule = {"source": source, "destination": destination}
    return rule | random.choice(({}, {"permanent": False}, {"statusCode": 301}))


def _config(random: Random) -> dict[str, Any]:
    switches = {"cleanUrls": (True, False), "trailingSlash": (True, False)}
    chosen = {name: random.choice(values) for name, values in switches.items()}
    kept = {name: value for name, value in chosen.items() if random.random() < 0.4}
    return kept | {"redirects": [_redirect(random) for _ in range(random.randint(1, 3))]}
