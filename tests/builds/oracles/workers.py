"""Static assets of Cloudflare Workers: ``wrangler dev``, which runs Cloudflare's ``workerd``."""

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.builds import describe, robots_tag
from tests.builds.oracles.oracle import Case, Oracle
from tests.builds.oracles.serving import ask, running, write_site
from tests.builds.oracles.sites import random_files, random_path
from tests.builds.oracles.tools import Tools
from tests.crawling.revalidating.nginx import free_port

_MODES: Final = ("auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none")
_MISSING: Final = ("none", "404-page", "single-page-application")
_SOURCES: Final = (
    "/o/*",
    "/p/:id",
    "/p/:id/:x",
    "/old*",
    "/",
    "/b/*",
    "o",
    "/é",
    "https://a.example/b",
)
_TARGETS: Final = (
    *("/n/:splat", "/a/:id", "/x/:x-:id", "https://o.example/:splat?x=1", "/q?y=2#f"),
    *("/c//:splat", "/index.html", "n", "http://o.example/"),
)
_STATUSES: Final = ("", "301", "302", "307", "308", "303", "200", "200", "404")
_REQUESTS: Final = (
    "/",
    "/o/a/b",
    "/p/1",
    "/p/1/2",
    "/oldx",
    "/index.html",
    "/a",
    "/b/1",
    "/a.html",
)
_HEADERS: Final = (
    "/a*\n  X-Robots-Tag: noindex\n",
    "/*.html\n  X-Robots-Tag: nofollow\n",
    "/b/:x\n  X-Robots-Tag: x-:x\n",
    "/*\n  X-Robots-Tag: all\n  x-robots-tag: none\n",
    "/a\n  ! X-Robots-Tag\n",
    "https://example.com/a*\n  X-Robots-Tag: one\n",
    "https://:any.com/*\n  X-Robots-Tag: :any\n",
    "/b/*\n  X-Robots-Tag: s-:splat\n",
    "  X-Robots-Tag: early\n",
    "/c\n",
)
_CONFIGURATION: Final = """name = "x"
compatibility_date = "2025-09-01"
[assets]
directory = "./public"
html_handling = "{}"
not_found_handling = "{}"
"""


class Workers(Oracle):
    hosting = "workers"
    cases = 20

    def install(self, tools: Tools) -> str:
        return tools.npm("wrangler")

    def random_case(self, random: Random) -> Case:
        files = random_files(random)
        text = _CONFIGURATION.format(random.choice(_MODES), random.choice(_MISSING))
        rules = {"../wrangler.toml": text, **random_rules(random, [*files])}
        return Case(files | rules, random_requests(random, [*files]))

    def command(self, port: int) -> list[str]:
        """Return the words of the command that serves the site."""
        return ["dev", "--port", str(port)]

    def ask(self, cases: Sequence[Case], tools: Tools) -> None:
        folder = tools.fresh(f"{self.name}-sites")
        os.environ.setdefault("WRANGLER_SEND_METRICS", "false")
        program = str(tools.folder / "node_modules" / ".bin" / "wrangler")
        for number, case in enumerate(cases):
            project = folder / str(number)
            write_site(case, project / "public")
            port = free_port()
            options = ("--ip", "127.0.0.1", "--inspector-port", str(free_port()))
            with running([program, *self.command(port), *options], project, port, tools):
                case.answers = [ask(port, "example.com", target) for target in case.requests]

    def describe(self, reply: HostedReply, folder: Path, _target: str) -> str:
        tag = robots_tag(reply) if "Location" not in dict(reply.headers) else None
        return " ".join(filter(None, (describe(reply, folder), tag)))


def random_rules(random: Random, files: Sequence[str]) -> dict[str, str]:
    """Return the files with redirects and headers, in the root of a repository."""
    rules = {"../.git/config": "x"}
    if random.random() < 0.7:
        lines = (_redirect(random, files) for _ in range(random.randint(1, 5)))
        rules["_redirects"] = "\n".join(lines)
    if random.random() < 0.6:
        rules["_headers"] = "".join(random.sample(_HEADERS, random.randint(1, 4)))
    return rules


def random_requests(random: Random, files: Sequence[str]) -> list[str]:
    """Return the paths of files, paths that rules may mean, and others."""
    queries = ("", "", "?q=1")
    paths = [random_path(random, files) + random.choice(queries) for _ in range(26)]
    return [*paths, *random.sample(_REQUESTS, 4)]


def _redirect(random: Random, files: Sequence[str]) -> str:
    path = random_path(random, files, dots=False)
    source = random.choice((path, *_SOURCES))
    target = random.choice((random_path(random, files, dots=False), *_TARGETS))
    return f"{source} {target} {random.choice(_STATUSES)}".strip()
