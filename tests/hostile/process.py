"""An audit in a process of its own, with limited memory, and measured."""

import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support import PROJECT, Audited, own_environment

MEGABYTE: Final = 1024 * 1024
PATIENCE: Final = 120
"""Seconds after which an audit has failed."""

_INTERVAL: Final = 0.01


@dataclass(frozen=True)
class MeasuredAudit(Audited):
    """The results of an audit, its peak memory in bytes, and its duration in seconds."""

    peak: int = 0
    seconds: float = 0.0


def measure(
    audits: Path,
    arguments: dict[str, str],
    settings: dict[str, str],
    *,
    address_space: int,
    environment: dict[str, str] | None = None,
) -> MeasuredAudit:
    """Run an audit with an address space of at most this many bytes."""
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    chosen = {"AUDIT_DIR": str(audits), "AUDIT_SPEED": "full", **settings}
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    output, log = audits / "output.txt", audits / "log.txt"
    began = time.monotonic()
    with output.open("wb") as out, log.open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapy", "crawl", "sitemap", *words],
            cwd=PROJECT,
            env=own_environment() | (environment or {}),
            stdout=out,
            stderr=err,
        )
        resource.prlimit(process.pid, resource.RLIMIT_AS, (address_space, address_space))
        peak = _wait_and_measure(process, began + PATIENCE)
    return MeasuredAudit(
        process.returncode,
        output.read_text(encoding="utf-8"),
        log.read_text(encoding="utf-8"),
        audits,
        peak,
        time.monotonic() - began,
    )


def _wait_and_measure(process: subprocess.Popen[bytes], ends: float) -> int:
    """Wait for the end of a process, and return its peak memory in bytes.

    The kernel reports the peak until the process ends. ``ru_maxrss`` is of no use: it starts with
    the memory of the parent process.
    """
    peak = 0
    while process.poll() is None:
        peak = max(peak, _peak_memory(process.pid))
        if time.monotonic() > ends:
            process.kill()
        time.sleep(_INTERVAL)
    return peak


def _peak_memory(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0  # A zombie has no memory.
