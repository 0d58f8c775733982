"""Hosts that exist only within a machine or a network, or in documentation."""

import re
from typing import Final

RESERVED_HOST: Final = (
    r"(?:.*\.)?(?:localhost|local|internal|home\.arpa|lan|test|invalid|example)\.?"
    r"|(?:.*\.)?example\.(?:com|net|org)\.?"
    r"|(?:0|10|127)\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+"
    r"|\[(?:::1?|f[cde][0-9a-f]{2}:.*)\]"
)
"""A regular expression for such hosts, for Python and DuckDB.

They are special-use names (RFC 2606, RFC 6761, RFC 6762, RFC 8375, ``internal``), the usual
``lan``, and private addresses (RFC 1918, RFC 3927, RFC 4193).
"""

_RESERVED: Final = re.compile(RESERVED_HOST)


def is_reserved(host: str) -> bool:
    """Return whether no search engine can reach the host of a normalized URL."""
    return _RESERVED.fullmatch(host) is not None
