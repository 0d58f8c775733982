"""The common pattern of the URLs of one page template."""

import re
from typing import Final
from urllib.parse import urlsplit

SAMPLED: Final = 3
"""The pages of a template that stand for all of its pages."""

_EXTENSION: Final = re.compile(r"\.[A-Za-z]{1,5}$")


def url_template(url: str) -> str:
    """Return the template of a URL, such as ``www.example.com/shop/*/*.html?page``.

    It is the host, the first segment of a longer path, the number of segments, the extension, and
    the names of the parameters. ``template_of`` is the same in SQL.
    """
    parts = urlsplit(url)
    *above, last = parts.path.removeprefix("/").split("/")
    extension = _EXTENSION.search(last)
    segments = [*above[:1], *("*" for _ in above[1:]), last and "*" + (extension or [""])[0]]
    names = "&".join(sorted(pair.partition("=")[0] for pair in parts.query.split("&")))
    return f"{parts.netloc}/{'/'.join(segments)}" + (f"?{names}" if names else "")
