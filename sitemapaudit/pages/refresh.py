"""Meta refresh and the ``Refresh`` header: redirects outside of HTTP."""

import re
import sys
from typing import Final

from sitemapaudit import urls
from sitemapaudit.items import Refresh

# HTML Standard, "shared declarative refresh steps".
_REFRESH: Final = re.compile(
    r"\s*(?P<delay>\d++|(?=\.))[\d.]*+\s*(?:[;,\s]\s*(?:url\s*=\s*)?(?P<address>.*))?",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)


def read_refresh(source: str, value: str, base: str, encoding: str = "") -> Refresh | None:
    """Read one value; return None if it does not start with a delay in seconds.

    A relative address is resolved against ``base``.
    """
    match = _REFRESH.fullmatch(value)
    if match is None:
        return None
    address = (match.group("address") or "").strip()
    if address[:1] in ("'", '"'):
        address = address[1:].partition(address[0])[0]
    url = urls.normalize(address.strip(), base, encoding) if address else None
    delay = min(float(match.group("delay") or 0), sys.float_info.max)  # JSON has no infinity.
    return Refresh(source, delay, address or None, url)
