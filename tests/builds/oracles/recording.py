"""Asks the engines of hosting companies, and records what they answer."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def ask_engine(name: str, cases: Sequence[dict[str, Any]], folder: Path) -> list[list[str]]:
    """Return the answers for each case; the folder has the packages of the engine."""
    program = Path(__file__).with_name(f"{name}.cjs")
    done = subprocess.run(
        ["node", program],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    answers: list[list[str]] = json.loads(done.stdout)
    return answers


def write_answers(cases: Sequence[dict[str, Any]], answers: list[list[str]], file: Path) -> None:
    """Write the cases, each request with its answer; those that the engine refuses are omitted."""
    kept = []
    for case, answered in zip(cases, answers, strict=True):
        if len(answered) == len(case["requests"]):
            requests = (
                f"{request} {answer}".rstrip()
                for request, answer in zip(case["requests"], answered, strict=True)
            )
            kept.append(json.dumps({**case, "requests": [*requests]}))
    file.write_text("[\n" + ",\n".join(kept) + "\n]\n")
