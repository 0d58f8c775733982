"""Builds sitemaps for tests, and reads them."""

import gzip
import io
import os
import subprocess
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st

from sitemapaudit.http import decoding
from sitemapaudit.http.decoding import CHUNK
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import HARD_LIMIT, SitemapReader

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
"""Markup that is usually broken."""


def entry(loc: str) -> str:
    """Return an entry with this markup as its loc."""
    return f"<url><loc>{loc}</loc></url>"


def urlset(*entries: str, declaration: str = DECLARATION, attributes: str = "") -> str:
    """Return a urlset with one entry per line; the first entry is on line 3."""
    lines = [f'<urlset xmlns="{NAMESPACE}"{attributes}>', *entries, "</urlset>", ""]
    return declaration + "\n".join(lines)


def listing(*locs: str) -> str:
    """Return a urlset that lists these addresses, escaped."""
    return urlset(*(entry(escape(loc)) for loc in locs))


def compressed(entries: Iterable[str]) -> bytes:
    """Return a urlset as a gzip file, built in constant memory."""
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
    limit: int = HARD_LIMIT,
    chunk: int = CHUNK,
    **headers: str,
) -> tuple[Sitemap, list[Entry]]:
    """Read a file in chunks of ``chunk`` bytes; header names have underscores for hyphens."""
    sent = body.encode() if isinstance(body, str) else body
    lines = {name.replace("_", "-"): [value] for name, value in headers.items()}
    row = Sitemap(url)
    with patch.object(decoding, "CHUNK", chunk):
        entries = list(SitemapReader(Response(url, 200, lines, sent), row, limit=limit))
    assert row.entries == len(entries)
    assert {entry.sitemap for entry in entries} <= {url}
    assert not row.truncated or row.bytes is None or row.bytes >= limit or entries
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    assert row.recovered_entries == sum(entry.recovered for entry in entries)
    return row, entries


def locs(entries: list[Entry]) -> list[str | None]:
    """Return the locs of entries as written."""
    return [entry.loc for entry in entries]


_PREAMBLE = """
import os
if child := os.fork():  # A child process does not inherit the peak of its parent.
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
from resource import RUSAGE_SELF, getrusage
from itertools import chain, repeat
from sitemapaudit.sitemaps.xml_stream import ElementStream
from tests.sitemaps.files import *
def peak():
    return getrusage(RUSAGE_SELF).ru_maxrss * 1024
"""


def measure_growth(prepare: str, code: str) -> int:
    """Return how many bytes of memory ``code`` adds to a new process.

    The tracemalloc module does not count the memory that libxml2 allocates.
    """
    return int(_run_script(f"{prepare}\nbefore = peak()\n{code}\nprint(peak() - before)"))


def measure_each_growth(prepare: str, *codes: str) -> list[int]:
    """Return how many bytes of memory each code adds to a new process of its own.

    Their parent imports what they need once.
    """
    lines = (
        f"if not (child := os.fork()):\n before = peak()\n exec({code!r}, globals())\n"
        " print(peak() - before, flush=True)\n os._exit(0)\n"
        "if status := os.waitpid(child, 0)[1]:\n"
        " raise SystemExit(os.waitstatus_to_exitcode(status))"
        for code in codes
    )
    return list(map(int, _run_script("\n".join((prepare, *lines))).split()))


def _run_script(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"{_PREAMBLE}\n{script}"],
        cwd=PROJECT,
        # The allocator that makes the tests faster takes more memory than that of users.
        env={**os.environ, "LD_PRELOAD": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
