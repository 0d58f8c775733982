"""Random rules, answered as the engine of the hosting company answers them."""

import json
import re
from pathlib import Path

from sitemapaudit.builds.build import Build
from tests.builds.builds import write_build
from tests.builds.oracles import netlify


def answer(build: Build, target: str) -> str:
    """Return the status and the target of a redirect, without the query of the request."""
    query = target.partition("?")[2]
    reply = build.reply("example.com", target)
    if reply.rule is None:
        return ""
    location = dict(reply.headers)["Location"]
    return f"{reply.status} {location.removesuffix(f'?{query}') if query else location}"


def test_netlify(tmp_path: Path) -> None:
    different = []
    for case in json.loads(netlify.ANSWERS.read_text()):
        folder = write_build(tmp_path, {"_redirects": case["rules"]})
        build = Build(folder, "netlify")
        for request in case["requests"]:
            target, _, expected = request.partition(" ")
            # Two slashes would name another host: our redirects stay on their host.
            expected = re.sub(" //+", " /", expected)
            found = answer(build, target.removesuffix("?"))
            if found != expected:
                different.append((case["rules"], target, found, expected))
    assert different == []
