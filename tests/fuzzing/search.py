"""Searches for input that fails the checks of one reader; Atheris ends the process."""

import logging
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["sitemapaudit", "protego"], enable_loader_override=False):
    from tests.fuzzing.readers import CORPUS, reader
    from tests.support.paths import PROJECT

    target = reader(sys.argv[1])


def _options(name: str, seconds: str) -> list[str]:
    found, cases = PROJECT / "build" / "fuzzing" / name, CORPUS / name
    for folder in (found, cases):
        folder.mkdir(parents=True, exist_ok=True)
    return [
        "search",
        str(found),
        str(cases),
        f"-dict={_dictionary(found.with_suffix('.dict'))}",
        f"-artifact_prefix={cases}/",
        f"-max_total_time={seconds}",
        "-max_len=4096",
        "-timeout=10",
        "-verbosity=0",
        "-print_final_stats=1",
    ]


def _dictionary(file: Path) -> Path:
    lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.words)
    file.write_text("".join(f'"{line}"\n' for line in lines))
    return file


if __name__ == "__main__":
    logging.disable()
    atheris.Setup(_options(*sys.argv[1:]), target.check)
    atheris.Fuzz()
