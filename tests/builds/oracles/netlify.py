"""Random rules of Netlify, and what its own redirect engine answers.

``python -m tests.builds.oracles.netlify FOLDER`` asks the engine again and records its answers;
the folder has ``netlify-redirector`` and ``@netlify/redirect-parser``, installed by npm.
"""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

ANSWERS: Final = Path(__file__).with_suffix(".json")
_PROGRAM: Final = Path(__file__).with_suffix(".cjs")

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
                {"path": "/" + path(_NAMES, (*_NAMES, ""), 2), "query": random.choice(_SENT)}
                for _ in range(6)
            ],
        }
        for _ in range(number)
    ]


def record(folder: Path) -> None:
    """Ask the engine in a folder, and record its answers."""
    cases = random_cases(200, 43)
    done = subprocess.run(
        ["node", _PROGRAM], input=json.dumps(cases), capture_output=True, text=True,
        check=True, cwd=folder,
    )  # fmt: skip
    for case, answers in zip(cases, json.loads(done.stdout), strict=True):
        case["requests"] = [
            f"{each['path']}?{each['query']} {answer}".rstrip()
            for each, answer in zip(case["requests"], answers, strict=True)
        ]
    lines = ",\n".join(json.dumps(case) for case in cases)
    ANSWERS.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    record(Path(sys.argv[1]))
