"""Sends alerts in a separate process: it has the addresses, which contain secrets, for its own.

No log, no traceback and no list of processes shows them, whatever libraries write, and a service
that does not respond ends with the process.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config.audit_settings import NOTIFY
from sitemapaudit.config.options import ConfigError
from sitemapaudit.redaction import mask_address
from sitemapaudit.runs.manifest import Manifest

if TYPE_CHECKING:
    from sitemapaudit.alerts.message import Message

TIMEOUT: Final = 60.0
"""Seconds in which all services must respond."""

_CHILD: Final = "sitemapaudit.alerts.child"

logger = logging.getLogger(__name__)


def check_addresses(addresses: Sequence[str]) -> None:
    """Raise ConfigError if alerts cannot be sent to these addresses."""
    if not addresses:
        return
    if find_spec("apprise") is None:
        raise ConfigError(f"{NOTIFY}: to send alerts, install sitemapaudit[notify].")
    if wrong := _masked(addresses, _run(addresses, None)):
        raise ConfigError(f"{NOTIFY}: Apprise cannot use {', '.join(wrong)}.")


def alert(run: Path, manifest: Manifest, addresses: Sequence[str], decision: str = "") -> None:
    """Send what is new about a run, if anything is. A failure is a warning, and nothing else."""
    if not addresses:
        return
    try:
        # It imports DuckDB.
        from sitemapaudit.alerts.message import compose  # noqa: PLC0415

        message = compose(run, manifest, decision)
        if message is None:
            return
        for address in _masked(addresses, _run(addresses, message)):
            logger.warning("The alert to %s could not be sent", address)
    except Exception as error:  # noqa: BLE001 - an alert must not change the result of an audit
        # The error can contain an address: not even its traceback is logged.
        logger.warning("The alert could not be sent (%s)", type(error).__name__)


def _masked(addresses: Sequence[str], succeeded: Sequence[bool]) -> list[str]:
    pairs = zip(addresses, succeeded, strict=True)
    return [mask_address(address) for address, success in pairs if not success]


def _run(addresses: Sequence[str], message: Message | None) -> list[bool]:
    """Return for each address whether it can be used or, with a message, whether that was sent."""
    job: dict[str, Any] = {"addresses": [*map(str, addresses)], "title": None, "body": None}
    if message is not None:
        job |= {"title": message.title, "body": message.body}
    try:
        done = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", _CHILD],
            input=json.dumps(job).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=TIMEOUT,
            check=False,
        )
        results: Any = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        results = []
    return [*results] if len(results) == len(addresses) else [False] * len(addresses)
