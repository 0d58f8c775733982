"""Escapes markup that is not well-formed XML, so that it parses as the text that it shows.

Nothing is removed: an ampersand or ``<`` that starts nothing is escaped, and a character that XML
forbids becomes U+FFFD.
"""

import re
import sys
from typing import Final
from xml.sax.saxutils import escape

from sitemapaudit.sitemaps.xml_syntax import NAME, forbidden, named_entity

CLOSERS: Final = {"!--": "-->", "![CDATA[": "]]>", "?": "?>"}
"""The end of each kind of section without tags, by its start after ``<``."""

OPENER: Final = "|".join(map(re.escape, CLOSERS))
"""A pattern that matches the start of such a section, after ``<``."""

_SPACE: Final = r"[ \t\r\n]"
_QUOTED: Final = """"[^<"]*+"|'[^<']*+'"""
_TAG: Final = re.compile(
    rf"""<(?P<name>/?{NAME})(?P<rest>{_SPACE}(?:[^<>"']++|{_QUOTED})*+)?/?>|<"""
)
_ATTRIBUTE: Final = re.compile(f"({NAME}){_SPACE}*+={_SPACE}*+({_QUOTED})")
_REFERENCE: Final = re.compile(
    f"&(?:#(?P<decimal>[0-9]{{1,8}});|#x(?P<hexadecimal>[0-9A-Fa-f]{{1,8}});|(?P<entity>{NAME});)?"
)


def escape_markup(markup: str) -> str:
    """Return the markup of an element without the errors that would stop a parser."""
    pieces, position = [], 0
    last = {closer: markup.rfind(closer) for closer in CLOSERS.values()}
    for match in re.finditer(f"<({OPENER})", markup):
        closer = CLOSERS[match[1]]
        if position <= match.start() and match.end() <= last[closer]:
            end = markup.index(closer, match.end())
            pieces.append(_escape_tags(markup[position : match.start()]))
            if closer == "]]>":
                pieces.append(escape(markup[match.end() : end]))
            position = end + len(closer)
    pieces.append(_escape_tags(markup[position:]))
    return forbidden().sub("\N{REPLACEMENT CHARACTER}", "".join(pieces))


def _escape_tags(markup: str) -> str:
    pieces, position = [], 0
    for match in _TAG.finditer(markup):
        pieces.append(_escape_text(markup[position : match.start()]))
        pieces.append(_escape_tag(match) if match["name"] else "&lt;")
        position = match.end()
    return "".join((*pieces, _escape_text(markup[position:])))


def _escape_tag(match: re.Match[str]) -> str:
    name, rest = match["name"], match["rest"]
    if not rest:
        return match.group()
    if name.startswith("/"):
        return f"<{name}>"
    attributes = [
        f"{attribute}={_escape_references(value, entities=False)}"
        for attribute, value in _ATTRIBUTE.findall(rest)
    ]
    end = "/>" if rest.endswith("/") else ">"
    return f"<{' '.join((name, *attributes))}{end}"


def _escape_text(text: str) -> str:
    return _escape_references(text).replace("]]>", "]]&gt;")


def _escape_references(text: str, *, entities: bool = True) -> str:
    """Escape stray ampersands; with ``entities``, references to named entities stay."""
    if "&" not in text:
        return text
    escaped = text if entities else named_entity().sub(r"&amp;\1;", text)
    return _REFERENCE.sub(_escape_reference, escaped)


def _escape_reference(match: re.Match[str]) -> str:
    code = int(match["decimal"] or 0) or int(match["hexadecimal"] or "0", 16)
    if match["entity"] or (code <= sys.maxunicode and not forbidden().match(chr(code))):
        return match.group()
    return f"&amp;{match.group()[1:]}"
