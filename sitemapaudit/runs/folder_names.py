"""The name of a site as a folder: readable, and accepted by every file system.

``[::1]:8000`` becomes ``ipv6-0--1-port-8000``, and ``xn--bcher-kva.example`` becomes
``bücher.example``.
"""

import os
import re
import unicodedata
from typing import Final

from sitemapaudit import urls

FOLDER: Final = "log"
"""The folder of the ledger in a run folder."""

MAX_BYTES: Final = 200
"""File systems accept 255; the rest is for added numbers."""

_UNSAFE: Final = re.compile(r"[^\w.+-]|^\.+|\.+$")
_IPV6: Final = re.compile(r"\[(?P<address>[0-9a-f:]+)\](?::(?P<port>\d+))?", re.IGNORECASE)
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)", re.IGNORECASE)
"""Names of devices on Windows, with any extension."""


def folder_name(name: str) -> str:
    """Return ``host[:port]``, with any suffix, as the name of a folder."""
    safe = _make_safe(urls.readable_host(_IPV6.sub(_describe_ipv6, name)))
    if len(safe.encode()) > MAX_BYTES or not _can_be_stored(safe):
        safe = _make_safe(name)[:MAX_BYTES]
    return _DEVICES.sub(r"\1-site", safe, count=1) if _DEVICES.match(safe) else safe


def _make_safe(name: str) -> str:
    return _UNSAFE.sub("-", unicodedata.normalize("NFC", name))


def _describe_ipv6(match: re.Match[str]) -> str:
    address, port = match["address"], match["port"]
    zero = "0" if address.startswith(":") else ""
    end = "0" if address.endswith(":") else ""
    return f"ipv6-{zero}{address}{end}" + (f"-port-{port}" if port else "")


def _can_be_stored(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # The encoding of the system lacks these letters.
        return False
    return True
