"""The name of a site as a folder: readable, and accepted by every file system.

``[::1]:8000`` becomes ``ipv6-0--1-port-8000``, and ``xn--bcher-kva.example`` becomes
``bücher.example``.
"""

from __future__ import annotations

import os
import re
import unicodedata
from typing import Final

import ada_url

FOLDER: Final = "log"
"""The folder of the ledger in a run folder."""

MAX_BYTES: Final = 200
"""File systems accept 255; the rest is for added numbers."""

_UNSAFE: Final = re.compile(r"[^\w.+-]|^\.+|\.+$")
_IPV6: Final = re.compile(r"\[(?P<address>[0-9a-f:]+)\](?::(?P<port>\d+))?", re.IGNORECASE)
_ENCODED: Final = "xn--"
_LETTERS: Final = ("L", "M", "N")
"""The first letters of the Unicode categories of letters, marks and numbers."""

_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)", re.IGNORECASE)
"""Names of devices on Windows, with any extension."""


def folder_name(name: str) -> str:
    """Return ``host[:port]``, with any suffix, as the name of a folder."""
    readable = _IPV6.sub(_describe_ipv6, name)
    if _ENCODED in readable:
        readable = ".".join(_decode_label(label) for label in readable.split("."))
    safe = _make_safe(readable)
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


def _decode_label(label: str) -> str:
    """Return a label of an international host name decoded, if it has only letters."""
    encoded, *rest = re.split(r"(?=[:+])", label, maxsplit=1)
    if not encoded.startswith(_ENCODED):
        return label
    decoded = ada_url.idna_to_unicode(encoded.encode())
    if not all(unicodedata.category(each)[0] in _LETTERS or each == "-" for each in decoded):
        return label
    return decoded + "".join(rest)


def _can_be_stored(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:  # The encoding of the system lacks these letters.
        return False
    return True
