"""Random redirects of ``vercel.json``, and the routes that Vercel's own package makes of them.

``python -m tests.builds.oracles.vercel FOLDER`` records the answers again; the folder has
``@vercel/routing-utils``, installed by npm.
"""

import sys
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.builds.oracles.recording import ask_engine, write_answers

ANSWERS: Final = Path(__file__).with_suffix(".json")

_PARTS: Final = ("a", "b", ":x", ":y", "a-:x", ":x.html", ":x(\\d+)", "(.*)", "a|b", "(?:a|b)")
_ENDS: Final = (":z*", ":z+", ":z?", "(.*)", "a", ":y", "b.html", "", "(\\d+)")
_TARGETS: Final = ("new", "new", ":x", ":y", ":z*", "p-:x", ":z", "c")
_NAMES: Final = ("a", "b", "a-1", "c", "new", "1", "22", "index.html", "a.html", "A", "index")


def random_cases(number: int, seed: int) -> list[dict[str, Any]]:
    """Return random configurations, and requests for each."""
    random = Random(seed)

    def path(parts: tuple[str, ...], ends: tuple[str, ...]) -> str:
        words = [random.choice(parts) for _ in range(random.randint(0, 2))]
        return "/" + "/".join([*words, random.choice(ends)])

    def redirect() -> dict[str, Any]:
        rule = {"source": path(_PARTS, _ENDS), "destination": path(_TARGETS, _TARGETS)}
        return rule | random.choice(({}, {"permanent": False}, {"statusCode": 301}))

    def config() -> dict[str, Any]:
        switches = {"cleanUrls": (True, False), "trailingSlash": (True, False)}
        chosen = {name: random.choice(values) for name, values in switches.items()}
        kept = {name: value for name, value in chosen.items() if random.random() < 0.4}
        return kept | {"redirects": [redirect() for _ in range(random.randint(1, 3))]}

    return [
        {
            "config": config(),
            "requests": [path(_NAMES, (*_NAMES, "")) for _ in range(6)],
        }
        for _ in range(number)
    ]


if __name__ == "__main__":
    cases = random_cases(500, 43)
    write_answers(cases, ask_engine("vercel", cases, Path(sys.argv[1])), ANSWERS)
