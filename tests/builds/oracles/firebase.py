"""Firebase Hosting: ``superstatic``, which Firebase's own emulator runs."""

import json
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.builds import describe, robots_tag
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.serving import ServerOracle
from tests.builds.oracles.sites import random_files, random_path
from tests.builds.oracles.tools import Tools

_GLOBS: Final = (
    *("**", "/**", "/a/**", "/a/*", "**/*.html", "/*", "/a", "a", "/a/", "/b/**/a", "/{a,b}/**"),
    *("/c{,/**}", "/@(a|b)", "/!(a)", "/!(a|b)/**", "/?(a)b", "/+(a|b)*", "/[ab]", "/[!a]*"),
    *("/a?", "!/a", "/*.@(html|txt)", "/a/**/*.*", "**/index", "/**/b/*", "/c/!(*.txt)"),
)
_CAPTURED: Final = (
    *("/:x", "/a/:x", "/a/:x*", "/b/:x+", "/:x/:y", "/a-:x", "/:x.html", "/:x(\\d+)", "/c/:x?"),
    *("/:x*", "/:x-:y", "/A/:x", "/old/*"),
)
_FILLED: Final = (
    "/n/:x",
    "/:x",
    "/n/:x*",
    "/:y/:x",
    "https://o.example/:x",
    "/n/:x?",
    "/p-:x",
    "/n",
)
_REGEXES: Final = (
    "^/a/(.*)$",
    "/(a|b)/",
    "^/(?<x>[a-c]+)$",
    "html",
    "^/$",
    "\\.txt$",
    "^/b(/.*)?$",
)
_TARGETS: Final = ("/n", "/a", "https://o.example/", "/q?z=1", "/a/:1", "/n/:x", "/:1/:0")
_FILES: Final = ("/index.html", "/404.html", "/a.html", "/a/index.html", "/gone", "index.html")
_PATHS: Final = (
    *("/a/1", "/a/1/2", "/b/1/2", "/c", "/c/1", "/12", "/a-1", "/1-2", "/A/b", "/x.html", "/ab"),
    *("/old/1/2", "/.a/b", "/a/.b", "/b/c/a", "/c/d.txt"),
)


_ENCODED: Final = json.dumps(
    {
        "hosting": {
            "public": "public",
            "redirects": [{"source": "/:x", "destination": "/n/:x", "type": 302}],
        }
    }
)


class Firebase(ServerOracle):
    hosting = "firebase"
    cases = 26
    public = "public"
    exceptions: ClassVar = {
        "superstatic adds & and an empty query": lambda it: it.expected == f"{it.found}&",
        "superstatic encodes % again": lambda it: "%25" in it.expected,
        "superstatic redirects to a query without a path": lambda it: " ?" in it.expected,
    }
    examples = (Case({"../firebase.json": _ENCODED}, ["/a%40b"]),)

    def install(self, tools: Tools) -> str:
        return tools.npm("superstatic")

    def random_case(self, random: Random) -> Case:
        files = random_files(random)
        config = json.dumps({"hosting": {"public": "public", **_config(random)}})
        queries = ("", "", "", "?q=1")
        # With two slashes at the start, superstatic reads a host, and ends if it has no path.
        found = (random_path(random, [*files], dots=False) for _ in range(10))
        paths = [f"/{path.lstrip('/')}{random.choice(queries)}" for path in found]
        requests = [*paths, *random.sample(_PATHS, 8)]
        return Case({**files, "../firebase.json": config, "../.git/config": "x"}, requests)

    def command(self, _folder: Path, port: int, tools: Tools) -> list[str]:
        return ["node", str(Path(__file__).with_suffix(".cjs")), str(tools.folder), str(port)]

    def describe(self, reply: HostedReply, folder: Path, _target: str) -> str:
        tag = robots_tag(reply) if "Location" not in dict(reply.headers) else None
        return " ".join(filter(None, (describe(reply, folder), tag)))


def _source(random: Random) -> dict[str, str]:
    if random.random() < 0.2:
        return {"regex": random.choice(_REGEXES)}
    return {random.choice(("source", "glob")): random.choice(_GLOBS)}


def _redirect(random: Random) -> dict[str, Any]:
    if random.random() < 0.5:
        rule = {"source": random.choice(_CAPTURED), "destination": random.choice(_FILLED)}
    else:
        source = _source(random)
        # A glob whose destination has names is read as a path with names, which most globs are not.
        targets = _TARGETS if "regex" in source else _TARGETS[:4]
        rule = {**source, "destination": random.choice(targets)}
    return rule | random.choice(({}, {"type": 302}, {"type": 301}))


def _rewrite(random: Random) -> dict[str, Any]:
    return {**_source(random), "destination": random.choice(_FILES)}


def _headers(random: Random) -> dict[str, Any]:
    value = random.choice(("noindex", "nofollow", "all"))
    return {**_source(random), "headers": [{"key": "X-Robots-Tag", "value": value}]}


def _config(random: Random) -> dict[str, Any]:
    made = {"redirects": _redirect, "rewrites": _rewrite, "headers": _headers}
    config: dict[str, Any] = {
        key: [make(random) for _ in range(random.randint(1, 3))]
        for key, make in made.items()
        if random.random() < 0.45
    }
    if random.random() < 0.5:
        config["cleanUrls"] = random.choice((True, True, False))
    if random.random() < 0.5:
        config["trailingSlash"] = random.choice((True, False))
    return config
