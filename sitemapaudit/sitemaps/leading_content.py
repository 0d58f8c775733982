"""Finds the root element of a sitemap behind text that does not belong to it.

A sitemap that was copied from a browser starts with the browser's notice, a sitemap from a failing
script with its warning. Neither has an XML declaration that shows where the XML begins.
"""

import re
from typing import Final

MAX_LEADING: Final = 4_096
"""Characters before the XML that are searched for it."""

_PROLOG: Final = re.compile(
    r"(?>\s|<!--.*?-->|<\?.*?\?>|<![A-Za-z](?>[^\[>]|\[.*?\])*+>)*+", re.DOTALL
)
# Markup must come next: prose and lists of addresses mention these names, too.
_ROOT: Final = re.compile(
    r"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed)(?:\s[^<>\\]*)?>\s*(?=<|\Z)"
)
_JSON: Final = re.compile(r"\s*(?:[{\"]|\[\s*[{\"\[])")
_ADDRESS: Final = re.compile(r"\s*https?://", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][\w:.-]*)[^<>]*?(/?)>")
_VOID: Final = frozenset({"br", "hr", "img", "p"})
"""Elements of HTML that need no end tag."""


def find_root_behind_text(text: str) -> int | None:
    """Return where the root element starts if anything but a prolog precedes it.

    None if the root element comes first, or if the text only mentions one: inside another element,
    a list of addresses, or JSON.
    """
    start = _prolog_end(text)
    if _ROOT.match(text, start) or _JSON.match(text):
        return None
    for root in _ROOT.finditer(text, start):
        if root.start() > MAX_LEADING:
            return None
        before = text[: root.start()]
        on_its_line = before[before.rfind("\n") + 1 :]
        if not (is_quoted(before) or _has_open_element(before) or _ADDRESS.match(on_its_line)):
            return root.start()
    return None


def is_quoted(before: str) -> bool:
    """Return whether the text ends inside a comment or a CDATA section."""
    return before.rfind("<!--") > before.rfind("-->") or before.rfind("<![") > before.rfind("]]>")


def _prolog_end(text: str) -> int:
    """Return the position after comments, processing instructions and a document type."""
    match = _PROLOG.match(text)
    return match.end() if match else 0


def _has_open_element(before: str) -> bool:
    """Return whether an element that starts in the text does not end in it."""
    opened: list[str] = []
    for end, name, empty in _TAG.findall(before):
        if end and name in opened:
            del opened[opened.index(name) :]
        elif not (end or empty or name.lower() in _VOID):
            opened.append(name)
    return bool(opened)
