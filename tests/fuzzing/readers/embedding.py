"""Data in a page cannot end the script that contains it, and is read back unchanged."""

import json

from sitemapaudit.report.embedding import TEXT, embedded, shorten, within

WORDS = (
    b"</script>", b"<!--", b"<script", b"]]>", b"\\u003c", b"\\", b'"', b"&lt;", b"\xe2\x80\xa8",
    b"\xed\xa0\x80", b"\0",
)  # fmt: skip


def check(data: bytes) -> None:
    """Embed the lines of a text, as values and as names."""
    lines = data.decode(errors="replace").split("\n")
    if len(data) % 2 == 0:  # Unpaired surrogates too.
        lines += data.decode("utf-16-le", errors="surrogatepass").split("\n")
    whole = {"lines": lines, "names": dict.fromkeys(lines, 1)}
    text = embedded(whole)
    assert "<" not in text
    assert json.loads(text) == whole
    kept = within(lines, len(data))
    assert kept == lines[: len(kept)]
    assert kept
    assert all(len(shorten(line)) <= TEXT for line in lines)
