"""The routes of Azure Static Web Apps: the emulator of its command line.

The emulator serves files by other rules than Azure does, so only routes are compared.
"""

import json
import re
from pathlib import Path
from random import Random
from typing import Any, Final

from sitemapaudit.builds.replies import HostedReply
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.scripts import ScriptOracle

_ROUTES: Final = (
    *("/a", "/a/", "/a/*", "/a/index.html", "/b/*.html", "/*.{txt,htm}", "/*", "/b", "/c/d"),
    *("/c/*", "/a.html", "/*.html", "*"),
)
# The emulator reads the star of "/a*" as that of a regular expression, so none is among these.

_PATHS: Final = (
    *("/", "/a", "/a/", "/a/b", "/a/index.html", "/b/c.html", "/b/d/c.html", "/x.txt", "/x.htm"),
    *("/c", "/c/", "/c/d", "/c/d/", "/a.html", "/b/x/c", "/b", "/b/", "/ab", "/b/chtml"),
)


class Azure(ScriptOracle):
    hosting = "azure"
    packages = ("@azure/static-web-apps-cli",)
    cases = 50

    def question(self, case: Case) -> list[Any]:
        return [json.loads(case.files["../staticwebapp.config.json"]), case.requests]

    def random_case(self, random: Random) -> Case:
        routes = [_route(random) for _ in range(random.randint(1, 4))]
        files = {"../staticwebapp.config.json": json.dumps({"routes": routes})}
        return Case(files, random.sample(_PATHS, 8))

    def describe(self, reply: HostedReply, _folder: Path, _target: str) -> str:
        """Return the redirect of a route, or the status of another."""
        if reply.unknown is not None:
            return "unknown"
        if reply.rule is None:
            return ""
        location = dict(reply.headers).get("Location", "")
        return re.sub(" $", "", f"{reply.status} {location}")


def _route(random: Random) -> dict[str, Any]:
    rule: dict[str, Any] = {"route": random.choice(_ROUTES)}
    if random.random() < 0.2:
        rule["methods"] = random.choice((["GET"], ["POST"], ["GET", "POST"]))
    code = random.choice((301, 302, 401, 403, 404, None))
    if code in (401, 403, 404):
        return rule | {"statusCode": code}
    redirect = random.choice(("/new", "/a", "/c/d", "/b/", "https://o.example/x"))
    return rule | {"redirect": redirect} | ({"statusCode": code} if code else {})
