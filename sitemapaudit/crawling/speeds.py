"""Settings that AUDIT_SPEED stands for, beside those of settings.py, which are polite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SPEEDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "polite": {},
    "full": {
        "CONCURRENT_REQUESTS": 40,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    },
}
