"""Sitemaps made of entries, and how one is read."""

import gzip
import io
import subprocess
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st

from sitemapaudit import decoding
from sitemapaudit.answer import Answer
from sitemapaudit.decoding import CHUNK
from sitemapaudit.items import Entry, Sitemap
from sitemapaudit.sitemaps.reader import HARD_CAP, SitemapReader

PROJECT = Path(__file__).parents[2]
SITEMAP = "https://example.com/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

_TAGS = [
    "<url>",
    "</url>",
    "<url/>",
    "<loc>",
    "</loc>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
]
_CHARACTERS = [
    "&",
    "&amp;",
    "&x;",
    "&#1;",
    "&#",
    ";",
    "<",
    ">",
    "'",
    '"',
    " a=",
    "\n",
    "\0",
    "é",
    "i:",
]
_PIECES = st.sampled_from(_TAGS) | st.sampled_from(_CHARACTERS)
MARKUP = st.lists(_PIECES | st.text(max_size=3)).map("".join)
"""Markup, more often broken than not."""


def entry(loc: str) -> str:
    """Return an entry whose loc is this markup."""
    return f"<url><loc>{loc}</loc></url>"


def urlset(*entries: str, declaration: str = DECLARATION, attributes: str = "") -> str:
    """Return a urlset: the first entry in line 3, and each on a line of its own."""
    lines = [f'<urlset xmlns="{NAMESPACE}"{attributes}>', *entries, "</urlset>", ""]
    return declaration + "\n".join(lines)


def listing(*locs: str) -> str:
    """Return a urlset that lists these addresses."""
    return urlset(*(entry(escape(loc)) for loc in locs))


def packed(entries: Iterable[str]) -> bytes:
    """Return a urlset as a gzip file, made in little memory."""
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1) as body:
        body.write(f'{DECLARATION}<urlset xmlns="{NAMESPACE}">\n'.encode())
        for one in entries:
            body.write(f"{one}\n".encode())
        body.write(b"</urlset>\n")
    return file.getvalue()


def read(
    body: bytes | str,
    url: str = SITEMAP,
    *,
    cap: int = HARD_CAP,
    chunk: int = CHUNK,
    **headers: str,
) -> tuple[Sitemap, list[Entry]]:
    """Read a file, so many bytes at once; headers are written with underscores."""
    sent = body.encode() if isinstance(body, str) else body
    lines = {name.replace("_", "-"): [value] for name, value in headers.items()}
    row = Sitemap(url)
    with patch.object(decoding, "CHUNK", chunk):
        entries = list(SitemapReader(Answer(url, 200, lines, sent), row, cap=cap))
    assert row.entries == len(entries)
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    assert row.recovered == sum(entry.recovered for entry in entries)
    return row, entries


def locs(entries: list[Entry]) -> list[str | None]:
    """Return the locs of entries, as written."""
    return [entry.loc for entry in entries]


_MEASURED = """
import os
if child := os.fork():  # The peak of what executed it would be its own from the beginning.
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
from resource import RUSAGE_SELF, getrusage
from itertools import chain, repeat
from sitemapaudit.sitemaps.xml import Elements
from tests.sitemaps.files import *
def peak():
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024
"""


def growth_of(prepare: str, code: str) -> int:
    """Return the bytes by which a fresh process grows that runs ``code``.

    libxml2 has memory of its own, which Python's tracemalloc does not see.
    """
    script = f"{_MEASURED}\n{prepare}\nbefore = peak()\n{code}\nprint(peak() - before)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)
