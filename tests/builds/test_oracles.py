"""Random rules, answered as the engine of the hosting company answers them."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit.builds.build import Build
from tests.builds.builds import write_build
from tests.support.paths import PROJECT

ORACLES = PROJECT / "tests" / "builds" / "oracles"


def answer(build: Build, target: str) -> str:
    """Return the status and the target of a redirect, without the query of the request."""
    query = target.partition("?")[2]
    reply = build.reply("example.com", target)
    if reply.rule is None:
        return ""
    location = dict(reply.headers)["Location"]
    return f"{reply.status} {location.removesuffix(f'?{query}') if query else location}"


ENGINES: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, str]]]] = {
    "netlify": lambda case: {"_redirects": case["rules"]},
    "vercel": lambda case: {"vercel.json": json.dumps(case["config"])},
}
"""The files of a case, by the kind of hosting whose engine answered it."""


@pytest.mark.parametrize("hosting", ENGINES)
def test_redirects_are_those_of_the_engine(tmp_path: Path, hosting: str) -> None:
    different = []
    for case in json.loads((ORACLES / f"{hosting}.json").read_text()):
        build = Build(write_build(tmp_path, ENGINES[hosting](case)), hosting)
        for request in case["requests"]:
            target, _, expected = request.partition(" ")
            # Two slashes would name another host: our redirects stay on their host.
            expected = re.sub(" //+", " /", expected)
            found = answer(build, target.removesuffix("?"))
            if found != expected:
                different.append((case, target, found, expected))
    assert different == []
