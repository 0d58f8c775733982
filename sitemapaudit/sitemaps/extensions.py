"""The image, video, news and xhtml:link extensions of an entry, detected by namespace.

Neither the prefix nor the local name decides: ``image:loc`` is not ``loc``. Values are kept as
written.
"""

import re
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from typing import Final

from sitemapaudit.caps import append, appended, cut
from sitemapaudit.items import Alternate, Entry, Image, News, Video
from sitemapaudit.languages import find_code_error
from sitemapaudit.sitemaps.entry_urls import entry_url
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from sitemapaudit.sitemaps.xml_stream import Element, keep_entity_names, text_of

IMAGE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO: Final = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS: Final = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"

_NAMESPACES: Final = {"image": IMAGE, "video": VIDEO, "news": NEWS, "xhtml": XHTML}
"""The namespace of each usual prefix."""

_LOOKALIKE: Final = re.compile(
    r"https?://(?:www\.)?(?:google\.com/schemas/sitemap-(?:image|video|news)\b|w3\.org/.*xhtml)",
    re.IGNORECASE,
)


def is_misspelled_namespace(prefix: str | None, namespace: str) -> bool:
    """Return whether a namespace looks like that of an extension, but differs from it.

    Elements in such a namespace are not read.
    """
    if prefix in _NAMESPACES:
        return namespace != _NAMESPACES[prefix]
    return namespace not in _NAMESPACES.values() and _LOOKALIKE.match(namespace) is not None


_PARSED: Final = frozenset({"published_at", "expires_at"})
"""Fields without a separate element: the parsed values of dates."""


def _names(namespace: str, item: type[Image | Video | News]) -> dict[str, str]:
    names = (field.name for field in fields(item))
    return {f"{{{namespace}}}{name}": name for name in names if name not in _PARSED}


_IMAGE_FIELDS: Final = _names(IMAGE, Image)
_VIDEO_FIELDS: Final = _names(VIDEO, Video)
_PUBLICATION: Final = f"{{{NEWS}}}publication"
_PUBLICATION_FIELDS: Final = {f"{{{NEWS}}}{name}": name for name in ("name", "language")}
_NEWS_FIELDS: Final = {
    tag: name for tag, name in _names(NEWS, News).items() if tag not in _PUBLICATION_FIELDS
}
_VIDEO_ATTRIBUTES: Final = {
    "restriction": ("relationship", "restriction_relationship"),
    "platform": ("relationship", "platform_relationship"),
    "price": ("currency", "price_currency"),
    "uploader": ("info", "uploader_info"),
}


def _read_image(element: Element, entry: Entry) -> bool:
    image = Image()
    entry.images = appended(entry.images, image)
    return _fill(image, element, _IMAGE_FIELDS)


def _read_video(element: Element, entry: Entry) -> bool:
    video, plain = Video(), True
    for child in element:
        field = _VIDEO_FIELDS.get(child.tag)
        plain = plain and field is not None and len(child) == 0
        if field == "tag":
            append(video.tag, text_of(child))
        elif field is not None:
            setattr(video, field, text_of(child))
            if field in _VIDEO_ATTRIBUTES:
                attribute, column = _VIDEO_ATTRIBUTES[field]
                setattr(video, column, _attribute(keep_entity_names(child), attribute))
    video.published_at = _parse_date(video.publication_date)
    video.expires_at = _parse_date(video.expiration_date)
    entry.videos = appended(entry.videos, video)
    return plain


def _read_news(element: Element, entry: Entry) -> bool:
    news = News()
    _fill(news, element, _NEWS_FIELDS)
    publication = element.find(_PUBLICATION)
    if publication is not None:
        _fill(news, publication, _PUBLICATION_FIELDS)
    news.published_at = _parse_date(news.publication_date)
    entry.news = appended(entry.news, news)
    return False


def _parse_date(written: str | None) -> datetime | None:
    parsed = w3c_datetime(written) if written else None
    return parsed.at if parsed else None


def _fill(item: Image | News, element: Element, names: dict[str, str]) -> bool:
    plain = True
    for child in element:
        field = names.get(child.tag)
        plain = plain and field is not None and len(child) == 0
        if field is not None:
            setattr(item, field, text_of(child))
    return plain


def _read_link(element: Element, entry: Entry) -> bool:
    link = keep_entity_names(element)
    href, hreflang = _attribute(link, "href"), _attribute(link, "hreflang")
    code = hreflang.strip() if hreflang else None
    unreliable = entry.recovered or link is not element
    alternate = Alternate(
        source="sitemap",
        rel=_attribute(link, "rel"),
        hreflang=hreflang,
        href=href,
        url=entry_url(href, unreliable=unreliable) if href else None,
        code_error=find_code_error(code) if code else None,
        media=_attribute(link, "media"),
    )
    entry.alternates = appended(entry.alternates, alternate)
    return len(element) == 0


def _attribute(element: Element, name: str) -> str | None:
    value = element.get(name)
    return cut(value) if value else value


EXTENSIONS: Final[dict[str, Callable[[Element, Entry], bool]]] = {
    f"{{{IMAGE}}}image": _read_image,
    f"{{{VIDEO}}}video": _read_video,
    f"{{{NEWS}}}news": _read_news,
    f"{{{XHTML}}}link": _read_link,
}
"""The reader of each extension, by the qualified name of its element.

A reader adds the element to the entry, and returns whether the element is plain: it contains
nothing but known fields.
"""
