"""The image, video, news and xhtml:link extensions of an entry, told by namespace.

A prefix says nothing, and neither does a local name: ``image:loc`` is not
``loc``. Values are kept as written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Final

from sitemapaudit.items import Alternate, Entry, Image, News, Video
from sitemapaudit.sitemaps.addresses import url_of
from sitemapaudit.sitemaps.xml import Element, text_of, with_names

IMAGE: Final = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO: Final = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS: Final = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML: Final = "http://www.w3.org/1999/xhtml"


def _names(namespace: str, item: type[Image | Video | News]) -> dict[str, str]:
    return {f"{{{namespace}}}{field.name}": field.name for field in fields(item)}


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


def _read_image(element: Element, entry: Entry) -> None:
    image = Image()
    _fill(image, element, _IMAGE_FIELDS)
    entry.images.append(image)


def _read_video(element: Element, entry: Entry) -> None:
    video = Video()
    for child in element:
        field = _VIDEO_FIELDS.get(child.tag)
        if field == "tag":
            video.tag.append(text_of(child))
        elif field is not None:
            setattr(video, field, text_of(child))
            if field in _VIDEO_ATTRIBUTES:
                attribute, column = _VIDEO_ATTRIBUTES[field]
                setattr(video, column, with_names(child).get(attribute))
    entry.videos.append(video)


def _read_news(element: Element, entry: Entry) -> None:
    news = News()
    _fill(news, element, _NEWS_FIELDS)
    publication = element.find(_PUBLICATION)
    if publication is not None:
        _fill(news, publication, _PUBLICATION_FIELDS)
    entry.news.append(news)


def _fill(item: Image | News, element: Element, names: dict[str, str]) -> None:
    for child in element:
        field = names.get(child.tag)
        if field is not None:
            setattr(item, field, text_of(child))


def _read_link(element: Element, entry: Entry) -> None:
    link = with_names(element)
    href = link.get("href")
    doubtful = entry.recovered or link is not element
    entry.alternates.append(
        Alternate(
            source="sitemap",
            rel=link.get("rel"),
            hreflang=link.get("hreflang"),
            href=href,
            url=url_of(href, doubtful=doubtful) if href else None,
        )
    )


EXTENSIONS: Final[dict[str, Callable[[Element, Entry], None]]] = {
    f"{{{IMAGE}}}image": _read_image,
    f"{{{VIDEO}}}video": _read_video,
    f"{{{NEWS}}}news": _read_news,
    f"{{{XHTML}}}link": _read_link,
}
"""How the element of each extension is read into its entry, by qualified name."""
