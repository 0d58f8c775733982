"""Own columns: what selectors of the user find in a page, or in the headers of its response."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from sitemapaudit.http.response import Response
from sitemapaudit.items import OwnValue
from sitemapaudit.pages.html import decode_html

MAX_COLUMNS: Final = 20
MAX_VALUE: Final = 1_000
"""Characters of a value; the rest of a longer text is ignored."""

CSS, XPATH, HEADER = "css", "xpath", "header"
KINDS: Final = (CSS, XPATH, HEADER)

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_COOKIES: Final = "set-cookie"
_NAMESPACES: Final = {
    "re": "http://exslt.org/regular-expressions",
    "set": "http://exslt.org/sets",
}
"""The prefixes that expressions can have, as in Scrapy."""

Find = Callable[[Any], Any]
"""Returns what an XPath expression finds in a document."""


class OwnColumns:
    """The own columns of a run: ``selectors`` by name, such as ``css:.price``.

    The value is the text of the first match, with its white space collapsed. Raises ValueError for
    a wrong selector.
    """

    def __init__(self, selectors: Mapping[str, str]) -> None:
        self._headers: dict[str, str] = {}
        self._expressions: dict[str, Find] = {}
        for name, text in selectors.items():
            kind, _, selector = text.partition(":")
            if kind == HEADER:
                self._headers[name] = _read_header(selector.strip())
            else:
                self._expressions[name] = _compile(kind, selector.strip())

    def read_headers(self, response: Response) -> list[OwnValue]:
        """Return the headers of a response; several lines are joined (RFC 9110 section 5.3)."""
        lines = ((name, response.header_lines(each)) for name, each in self._headers.items())
        return [OwnValue(name, _bounded(", ".join(each))) for name, each in lines if each]

    def read_document(self, body: bytes, charset: str | None) -> list[OwnValue]:
        """Return what is found in a document; ``charset`` is from Content-Type."""
        if not self._expressions:
            return []
        # Few audits need it: Scrapy's parser, because its selectors are known to many.
        from parsel import Selector  # noqa: PLC0415

        document = Selector(text=decode_html(body, charset), type="html").root
        found = ((name, _first_text(find(document))) for name, find in self._expressions.items())
        return [OwnValue(name, _bounded(text)) for name, text in found if text is not None]


def check_columns(selectors: Mapping[str, str]) -> None:
    """Raise ValueError, with the rest of a sentence, for what cannot be a column."""
    if len(selectors) > MAX_COLUMNS:
        raise ValueError(f"{len(selectors)} columns are more than {MAX_COLUMNS}")
    for name, text in selectors.items():
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{name!r} is not a name such as price: up to 40 lower-case letters, digits and _"
            )
        kind, colon, selector = text.partition(":")
        if kind not in KINDS or not colon or not selector.strip():
            raise ValueError(f"{text!r} (of {name}) is not css:…, xpath:… or header:…")
    OwnColumns(selectors)


def _read_header(name: str) -> str:
    if not _HEADER.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a header")
    if name.lower() == _COOKIES:
        raise ValueError("cookies are secrets, and are not recorded")
    return name.lower()


def _compile(kind: str, selector: str) -> Find:
    from cssselect import SelectorError  # noqa: PLC0415
    from lxml import etree  # noqa: PLC0415
    from parsel.csstranslator import HTMLTranslator  # noqa: PLC0415

    try:
        expression = HTMLTranslator().css_to_xpath(selector) if kind == CSS else selector
        find = etree.XPath(expression, namespaces=_NAMESPACES, smart_strings=False)
        find(etree.Element("html"))  # An unknown function is only found now.
    except (SelectorError, etree.XPathError, re.error) as error:  # EXSLT has regular expressions.
        raise ValueError(f"{selector!r} is not a selector of {kind} ({error})") from None
    return find


def _first_text(found: Any) -> str | None:
    """Return the text of a result: of its first node, or of a number or a truth value."""
    if isinstance(found, list):
        if not found:
            return None
        found = found[0]
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, float):
        return None if math.isnan(found) else f"{found:g}"
    if isinstance(found, str):
        return found
    return "".join(_texts(found))


def _texts(element: Any) -> Iterator[str]:
    """Yield the texts in an element, up to the limit."""
    left = 4 * MAX_VALUE
    for text in element.itertext():
        yield text
        left -= len(text.strip())
        if left < 0:
            return


def _bounded(text: str) -> str:
    return " ".join(text.split())[:MAX_VALUE]
