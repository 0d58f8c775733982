"""The loop of an adapter in Python: a line of JSON for each case, and one for what was found."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version

from tests.conformance.cases import Facts

Read = Callable[[str, str], Facts]
"""Reads the facts of an address; its kind is ``sitemap``, ``site`` or ``page``."""


class NotApplicable(Exception):  # noqa: N818 - it is no error
    """The program does not claim to read such a thing; the message says why."""


def introduce(
    package: str, tells: Mapping[str, Iterable[str]], without: Iterable[str] = (), **more: str
) -> Callable[[Facts], None]:
    """Say which program this is, and return what writes further lines.

    ``tells`` are the facts by kind, ``without`` the topics that the program does not claim to
    know; the README describes the others. What the program itself prints goes to standard error.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def write(line: Facts) -> None:
        print(json.dumps(line, default=str), file=output, flush=True)

    kinds = {kind: list(facts) for kind, facts in tells.items()}
    about = {"name": package, "version": version(package), "tells": kinds, "without": [*without]}
    write({**about, **more})
    return write


def run(
    package: str,
    read: Read,
    tells: Mapping[str, Iterable[str]],
    without: Iterable[str] = (),
    **more: str,
) -> None:
    """Answer each case until there are no more.

    An exception is how a library says that it cannot read something: then it found nothing.
    """
    write = introduce(package, tells, without, **more)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            write(read(case["kind"], case["start"]))
        except NotApplicable as reason:
            write({"not_applicable": str(reason)})
        except Exception as error:  # noqa: BLE001 - whatever a library raises
            write({"error": f"{type(error).__name__}: {error}"})
