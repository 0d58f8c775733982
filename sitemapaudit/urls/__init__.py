"""The normal form of URLs, sets of URLs, and shards.

No other code normalizes addresses.
"""

from sitemapaudit.urls.normal_form import (
    MAX_LENGTH,
    PLAIN_CHARACTERS,
    PLAIN_ORIGIN,
    authority,
    digest,
    digest_bytes,
    host,
    is_address,
    is_below,
    is_normal,
    normalize,
    origin,
    path,
    port,
    request_target,
    scheme,
    strip_whitespace,
)
from sitemapaudit.urls.readable import readable_host

__all__ = [
    "MAX_LENGTH",
    "PLAIN_CHARACTERS",
    "PLAIN_ORIGIN",
    "authority",
    "digest",
    "digest_bytes",
    "host",
    "is_address",
    "is_below",
    "is_normal",
    "normalize",
    "origin",
    "path",
    "port",
    "readable_host",
    "request_target",
    "scheme",
    "strip_whitespace",
]
