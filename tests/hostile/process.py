"""An audit in a process of its own, with limited memory, and measured."""

import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

import psutil

from tests.plugins.interpreters.commands import COLD, Command
from tests.support.audits import Audited

MEGABYTE: Final = 1024 * 1024
PATIENCE: Final = 300
"""Seconds after which an audit has failed."""

_INTERVAL: Final = 0.02


@dataclass(frozen=True)
class MeasuredAudit(Audited):
    """The results of an audit, its peak memory in bytes, and its seconds, of work and in all."""

    peak: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0


def measure(
    audits: Path, site: str, settings: dict[str, str], *, address_space: int, **arguments: str
) -> MeasuredAudit:
    """Run an audit with an address space of at most this many bytes."""
    chosen = {"AUDIT_DIR": str(audits), "AUDIT_SPEED": "full", **settings}
    words = ["crawl", "sitemap", "-a", f"site={site}"]
    words += [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    began = time.monotonic()
    # A fork of the tests' process would have the memory of all that the tests import.
    with patch.dict(os.environ, {COLD: "1"}):
        command = Command(words, {resource.RLIMIT_AS: address_space})
    peak, cpu_seconds = 0, 0.0
    while command.poll() is None:
        peak = max(peak, _peak_memory(command.pid))
        cpu_seconds = max(cpu_seconds, _cpu_seconds(command.pid))
        if time.monotonic() > began + PATIENCE:
            command.kill()
        time.sleep(_INTERVAL)
    seconds = time.monotonic() - began
    output, log = command.output, command.log
    return MeasuredAudit(command.wait(0), output, log, audits, peak, cpu_seconds, seconds)


def _peak_memory(pid: int) -> int:
    """Return the peak memory of a process in bytes, which the kernel reports until its end."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def _cpu_seconds(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)
