"""trafilatura: the links that ``sitemap_search`` finds for a sitemap or a homepage."""

import socket
from typing import Any, Final

from trafilatura.settings import use_config
from trafilatura.sitemaps import sitemap_search

from tests.conformance.adapters.process import NotApplicable, run
from tests.conformance.cases import Facts

HOST: Final = "www.site.example"
"""It searches in sites with a domain only, not in those with an IP address."""

CONFIG: Final = use_config()
CONFIG["DEFAULT"].update(
    {
        "SSRF_PROTECTION": "off",  # The server of a case is on loopback.
        "MIN_FILE_SIZE": "0",  # Its files are small.
    }
)

_getaddrinfo = socket.getaddrinfo


def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
    return _getaddrinfo("127.0.0.1" if host == HOST else host, *args, **kwargs)


def read(kind: str, start: str) -> Facts:
    # Any other address is that of a homepage, or of a page whose neighbors are searched.
    if kind == "sitemap" and not start.endswith((".gz", "sitemap", ".xml")):
        raise NotApplicable("it takes a sitemap for a page, unless its name says what it is")
    return {"urls": sitemap_search(start, external=True, sleep_time=0, config=CONFIG)}


if __name__ == "__main__":
    socket.getaddrinfo = resolve
    run(
        "trafilatura",
        read,
        {"sitemap": ["urls"], "site": ["urls"]},
        without=("rss-and-atom",),
        host=HOST,
    )
