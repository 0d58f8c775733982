"""advertools: the table that ``sitemap_to_df`` makes of a sitemap or of a robots.txt."""

from collections.abc import Iterable
from typing import Any

import advertools
import pandas as pd

from tests.conformance.adapters.process import run
from tests.conformance.cases import Facts

TELLS = ("urls", "lastmod", "changefreq", "priority", "images")


def read(kind: str, start: str) -> Facts:
    table = advertools.sitemap_to_df(f"{start}robots.txt" if kind == "site" else start)
    if "loc" not in table:
        return {}
    rows = table[table["loc"].notna() & (table["loc"] != "")]
    return {
        "urls": list(rows["loc"]),
        **{name: dict(_values(rows, name)) for name in ("lastmod", "changefreq", "priority")},
        "images": {url: [image] for url, image in _values(rows, "image_loc")},
    }


def _values(rows: pd.DataFrame, name: str) -> Iterable[tuple[str, Any]]:
    if name in rows:
        present = rows[rows[name].notna()]
        yield from zip(present["loc"], present[name], strict=True)


if __name__ == "__main__":
    run(
        "advertools",
        read,
        {"sitemap": TELLS, "site": TELLS},
        without=("text", "rss-and-atom"),
    )
