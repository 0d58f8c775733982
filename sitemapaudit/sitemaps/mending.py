"""Markup that breaks the rules of XML, written so that it keeps them and reads as it stands.

Nothing is tidied away: an ampersand or ``<`` that begins nothing is one that
ought to have been escaped, and a character that XML forbids becomes U+FFFD.
"""

from __future__ import annotations

import re
import sys
from typing import Final
from xml.sax.saxutils import escape

from sitemapaudit.sitemaps.xml import FORBIDDEN, NAME, NAMED_ENTITY

CLOSERS: Final = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""What ends a stretch without tags, by what begins it."""

ASIDE: Final = "|".join(map(re.escape, CLOSERS))
"""A pattern of what begins one."""

_SPACE: Final = r"[ \t\r\n]"
_QUOTED: Final = """"[^<"]*+"|'[^<']*+'"""
_TAG: Final = re.compile(
    rf"""<(?P<name>/?{NAME})(?P<rest>{_SPACE}(?:[^<>"']++|{_QUOTED})*+)?/?>|<"""
)
_ATTRIBUTE: Final = re.compile(f"({NAME}){_SPACE}*+={_SPACE}*+({_QUOTED})")
_REFERENCE: Final = re.compile(
    f"&(?:#(?P<decimal>[0-9]{{1,8}});|#x(?P<hexadecimal>[0-9A-Fa-f]{{1,8}});|(?P<entity>{NAME});)?"
)


def mended(markup: str) -> str:
    """Mend the markup of an element."""
    pieces, position = [], 0
    last = {closer: markup.rfind(closer) for closer in CLOSERS.values()}
    for match in re.finditer(ASIDE, markup):
        closer = CLOSERS[match.group()]
        if position <= match.start() and match.end() <= last[closer]:
            end = markup.index(closer, match.end())
            pieces.append(_mended_tags(markup[position : match.start()]))
            if closer == "]]>":
                pieces.append(escape(markup[match.end() : end]))
            position = end + len(closer)
    pieces.append(_mended_tags(markup[position:]))
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", "".join(pieces))


def _mended_tags(markup: str) -> str:
    pieces, position = [], 0
    for match in _TAG.finditer(markup):
        pieces.append(_mended_text(markup[position : match.start()]))
        pieces.append(_mended_tag(match) if match["name"] else "&lt;")
        position = match.end()
    return "".join((*pieces, _mended_text(markup[position:])))


def _mended_tag(match: re.Match[str]) -> str:
    name, rest = match["name"], match["rest"]
    if not rest:
        return match.group()
    if name.startswith("/"):
        return f"<{name}>"
    attributes = [
        f"{attribute}={_mended_references(value, entities=False)}"
        for attribute, value in _ATTRIBUTE.findall(rest)
    ]
    end = "/>" if rest.endswith("/") else ">"
    return f"<{' '.join((name, *attributes))}{end}"


def _mended_text(text: str) -> str:
    return _mended_references(text).replace("]]>", "]]&gt;")


def _mended_references(text: str, *, entities: bool = True) -> str:
    """Escape ampersands; in text, undeclared ``entities`` can be left to the parser."""
    if "&" not in text:
        return text
    escaped = text if entities else NAMED_ENTITY.sub(r"&amp;\1;", text)
    return _REFERENCE.sub(_mended_reference, escaped)


def _mended_reference(match: re.Match[str]) -> str:
    code = int(match["decimal"] or 0) or int(match["hexadecimal"] or "0", 16)
    if match["entity"] or (code <= sys.maxunicode and not FORBIDDEN.match(chr(code))):
        return match.group()
    return f"&amp;{match.group()[1:]}"
