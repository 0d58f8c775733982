"""Random rules of Netlify, and what its own redirect engine answers.

``python -m tests.builds.oracles.netlify FOLDER`` asks the engine again and records its answers;
the folder has ``netlify-redirector`` and ``@netlify/redirect-parser``, installed by npm.
"""

import sys
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.builds.oracles.recording import ask_engine, write_answers

ANSWERS: Final = Path(__file__).with_suffix(".json")

_PARTS: Final = ("a", "b", "a", "b", "a-*", "*", ":x", ":y", ":x.html", "*b", "a*b", ":x-1", "A")
_ENDS: Final = ("*", ":x", ":x/", "a", "a/", "", "b-*", "*")
_TARGETS: Final = ("a", "b", "new", ":splat", ":x", ":y", "p-:x", ":x.html", ":splat", ":x-1", "c")
_QUERIES: Final = ("", "", "", "", "id=1", "id=:x", "id=:y q=:x", "id")
_STATUSES: Final = ("", "", "301", "302", "302!", "301 word", "301x", "307!!")
_NAMES: Final = ("a", "b", "a-1", "a-", "c", "new", "1", "b-2", "A", "a.html", "a1b", "*b")
_SENT: Final = ("", "", "id=1", "id=2&q=3", "q=3&id=1", "id=a%2Fb", "id=x+y&z=1", "id=1&id=2")


def random_cases(number: int, seed: int) -> list[dict[str, Any]]:
    """Return random rule files, and requests for each."""
    random = Random(seed)

    def path(parts: tuple[str, ...], ends: tuple[str, ...], most: int) -> str:
        words = [random.choice(parts) for _ in range(random.randint(0, most))]
        return "/".join([*words, random.choice(ends)])

    def line() -> str:
        slash = "" if random.random() < 0.1 else "/"
        words = (
            slash + (path(_PARTS, _ENDS, 2) or "a"),
            random.choice(_QUERIES),
            "/" + path(_TARGETS, (*_TARGETS, ""), 2),
            random.choice(_STATUSES),
        )
        # What the engine does with two stars side by side depends on what precedes them.
        return " ".join(filter(None, words)).replace("*/*", "*")

    return [
        {
            "rules": "\n".join(line() for _ in range(random.randint(1, 3))),
            "requests": [
                f"/{path(_NAMES, (*_NAMES, ''), 2)}?{random.choice(_SENT)}" for _ in range(6)
            ],
        }
        for _ in range(number)
    ]


if __name__ == "__main__":
    cases = random_cases(200, 43)
    write_answers(cases, ask_engine("netlify", cases, Path(sys.argv[1])), ANSWERS)
