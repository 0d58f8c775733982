"""Cloudflare Pages: ``wrangler pages dev``, which runs the code that serves Pages."""

from random import Random
from typing import ClassVar

from tests.builds.oracles import workers
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.sites import random_files


class Pages(workers.Workers):
    hosting = "cloudflare"
    cases = 8
    exceptions: ClassVar = {
        "wrangler fails for a path below that of a file": lambda it: it.expected[:3] == "502",
        "wrangler looks in the folder, where some paths have another meaning": (
            lambda it: "//" in it.target or "%2F" in it.target
        ),
    }

    def random_case(self, random: Random) -> Case:
        files = random_files(random)
        rules = workers.random_rules(random, [*files])
        return Case(files | rules, workers.random_requests(random, [*files]))

    def command(self, port: int) -> list[str]:
        date = "--compatibility-date=2025-09-01"
        return ["pages", "dev", "public", date, "--port", str(port)]
