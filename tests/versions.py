"""Tests of what the project uses of others beyond their public API, with the bounds of versions.

``python -m tests.versions`` runs them with the lowest and with the newest versions of the packages
that requirements.txt allows, and audits a website with a version whose private parts do not fit.
The packages are installed beside those of the environment.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from packaging.requirements import Requirement

from tests.support.paths import PROJECT

PACKAGES: Final = ("scrapy", "aiohttp")
"""The packages of which private parts are used."""

SHOWN: Final = """
import aiohttp, scrapy
print("Scrapy", scrapy.__version__, "and aiohttp", aiohttp.__version__, flush=True)
"""

TESTS: Final = ("tests/engine", "tests/fetching", "tests/spiders")

UNFIT: Final = ("aiohttp==3.14.3",)
"""A version with other private parts, which an audit does without."""

UNFIT_TEST: Final = ("tests/fetching/test_kept_connections.py", "-k", "same_rows")


def bounds() -> dict[str, Requirement]:
    """Return what requirements.txt says of each package."""
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    stated = [Requirement(line.partition("#")[0]) for line in lines if not line.startswith("#")]
    return {each.name: each for each in stated if each.name in PACKAGES}


def lowest(requirement: Requirement) -> str:
    """Return the requirement of exactly the lowest version."""
    (version,) = (each.version for each in requirement.specifier if each.operator == ">=")
    return f"{requirement.name}=={version}"


def run(requirements: list[str], tests: Sequence[str] = TESTS) -> int:
    """Install these packages, run the tests with them, and return the exit status."""
    with TemporaryDirectory() as folder:
        install = ["uv", "pip", "install", "--quiet", "--no-deps", "--target", folder]
        programs = Path(sys.executable).parent
        subprocess.run([str(programs / install[0]), *install[1:], *requirements], check=True)
        environment = {**os.environ, "PYTHONPATH": folder}
        subprocess.run([sys.executable, "-c", SHOWN], env=environment, check=True)
        words = ["-m", "pytest", "-n", "auto", "--dist", "loadgroup", *tests]
        return subprocess.run([sys.executable, *words], env=environment, check=False).returncode


def main() -> int:
    """Run the tests with both bounds."""
    stated = bounds()
    ends = [lowest(each) for each in stated.values()], [str(each) for each in stated.values()]
    return max(run([*UNFIT], UNFIT_TEST), *(run(requirements) for requirements in ends))


if __name__ == "__main__":
    sys.exit(main())
