"""Settings that AUDIT_SPEED stands for, beside those of settings.py, which are polite.

Those of an audit hold for all of its shards together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scrapy.settings import BaseSettings

SPEEDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "polite": {},
    "full": {
        "CONCURRENT_REQUESTS": 40,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    },
}

_TIMES: Final = ("DOWNLOAD_DELAY", "AUTOTHROTTLE_START_DELAY", "AUTOTHROTTLE_MAX_DELAY")


def share_speed(settings: BaseSettings, workers: int) -> None:
    """Set for one of so many workers what they may ask of a host together.

    Each has one request under way at least; how often it asks is its share all the same.
    """
    for name in _TIMES:
        settings.set(name, settings.getfloat(name) * workers, "cmdline")
    at_once = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") // workers
    settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", max(1, at_once), "cmdline")
    target = settings.getfloat("AUTOTHROTTLE_TARGET_CONCURRENCY") / workers
    settings.set("AUTOTHROTTLE_TARGET_CONCURRENCY", target, "cmdline")
    slots = settings.getdict("DOWNLOAD_SLOTS").items()
    settings.set(
        "DOWNLOAD_SLOTS", {host: _share_slot(slot, workers) for host, slot in slots}, "cmdline"
    )


def _share_slot(slot: Mapping[str, Any], workers: int) -> dict[str, Any]:
    shared = dict(slot)
    if "delay" in slot:
        shared["delay"] = slot["delay"] * workers
    if "concurrency" in slot:
        shared["concurrency"] = max(1, slot["concurrency"] // workers)
    return shared
