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
_IN_FLIGHT: Final = ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN")


def share_speed(settings: BaseSettings, shards: int) -> None:
    """Reduce the speed settings to those of one of several ``shards``.

    Each shard has at least one request in flight, but keeps to its share of the rate. If that is
    more than the limit of all shards, each waits between its requests: on average, as many are in
    flight as the limit allows.
    """
    for name in _TIMES:
        settings.set(name, settings.getfloat(name) * shards, "cmdline")
    limits = [limit for name in _IN_FLIGHT if (limit := settings.getint(name))]
    for name in _IN_FLIGHT:
        settings.set(name, _share_limit(settings.getint(name), shards), "cmdline")
    target = settings.getfloat("AUTOTHROTTLE_TARGET_CONCURRENCY") / shards
    if min(limits, default=shards) < shards:
        least = min(limits) / shards
        target = min(target, least) if settings.getbool("AUTOTHROTTLE_ENABLED") else least
        settings.set("AUTOTHROTTLE_ENABLED", True, "cmdline")
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
        shared["concurrency"] = _share_limit(slot["concurrency"], shards)
    return shared


def _share_limit(limit: int, shards: int) -> int:
    """Return a shard's share of a limit; 0 means that there is none."""
    return limit and max(1, limit // shards)
