"""The Scrapy settings of each AUDIT_SPEED; those of settings.py are the polite ones.

They apply to all shards of an audit together.
"""

from collections.abc import Mapping
from typing import Any, Final

from scrapy.settings import BaseSettings

FULL: Final = "full"

SPEEDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "polite": {},
    FULL: {
        "CONCURRENT_REQUESTS": 40,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    },
}

_TIMES: Final = ("DOWNLOAD_DELAY", "AUTOTHROTTLE_START_DELAY", "AUTOTHROTTLE_MAX_DELAY")


def share_speed(settings: BaseSettings, shards: int) -> None:
    """Reduce the speed settings to those of one of several ``shards``.

    Each shard has at least one request in flight, but keeps to its share of the rate.
    """
    for name in _TIMES:
        settings.set(name, settings.getfloat(name) * shards, "cmdline")
    in_flight = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") // shards
    settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", max(1, in_flight), "cmdline")
    target = settings.getfloat("AUTOTHROTTLE_TARGET_CONCURRENCY") / shards
    settings.set("AUTOTHROTTLE_TARGET_CONCURRENCY", target, "cmdline")
    slots = settings.getdict("DOWNLOAD_SLOTS").items()
    settings.set(
        "DOWNLOAD_SLOTS", {host: _share_slot(slot, shards) for host, slot in slots}, "cmdline"
    )


def _share_slot(slot: Mapping[str, Any], shards: int) -> dict[str, Any]:
    shared = dict(slot)
    if "delay" in slot:
        shared["delay"] = slot["delay"] * shards
    if "concurrency" in slot:
        shared["concurrency"] = max(1, slot["concurrency"] // shards)
    return shared
