"""Renders an entry as a ``url`` element, in the order of the schemas (sitemap.xsd and Google's)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from xml.sax import saxutils

from sitemapaudit.sitemaps.xml_syntax import forbidden

_IMAGE_FIELDS: Final = ("loc",)
"""The fields of images that are not deprecated."""

_VIDEO_FIELDS: Final = (
    "thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration",
    "expiration_date", "rating", "view_count", "publication_date", "family_friendly",
    "restriction", "platform", "requires_subscription", "uploader", "live", "tag",
)  # fmt: skip
_VIDEO_ATTRIBUTES: Final = {
    "restriction": "relationship",
    "platform": "relationship",
    "uploader": "info",
}
"""The attributes of elements; the column of an attribute has both names."""

Row = Mapping[str, Any]


def url_element(row: Row) -> str:
    """Return the ``url`` element of a row."""
    parts = [f"<loc>{escape(row['url'])}</loc>"]
    parts += [
        f"<{name}>{escape(row[name])}</{name}>"
        for name in ("lastmod", "changefreq", "priority")
        if row[name]
    ]
    parts += [_link(alternate) for alternate in row["alternates"] or ()]
    parts += [_element("image", "image", _image(image)) for image in row["images"]]
    parts += [_element("video", "video", _video(video)) for video in row["videos"]]
    parts += [_element("news", "news", _news(news)) for news in row["news"]]
    return f"<url>{''.join(parts)}</url>\n"


def escape(text: str) -> str:
    """Return a text escaped for the content of an element."""
    return saxutils.escape(forbidden().sub("", text))


def _quoted(text: str) -> str:
    return saxutils.quoteattr(forbidden().sub("", text))


def _link(alternate: Row) -> str:
    code, href = _quoted(alternate["code"]), _quoted(alternate["href"])
    return f'<xhtml:link rel="alternate" hreflang={code} href={href}/>'


def _image(image: Row) -> str:
    return _fields("image", image, _IMAGE_FIELDS)


def _video(video: Row) -> str:
    return "".join(_video_fields(video))


def _video_fields(video: Row) -> Iterator[str]:
    for name in _VIDEO_FIELDS:
        attribute = _VIDEO_ATTRIBUTES.get(name)
        qualifier = video[f"{name}_{attribute}"] if attribute else None
        attributes = f" {attribute}={_quoted(qualifier)}" if qualifier else ""
        values = video[name] if name == "tag" else [video[name]]
        for value in values:
            if value and value.strip():
                yield f"<video:{name}{attributes}>{escape(value)}</video:{name}>"


def _news(news: Row) -> str:
    publication = _fields("news", news, ("name", "language"))
    return _element("news", "publication", publication) + _fields(
        "news", news, ("publication_date", "title")
    )


def _fields(prefix: str, item: Row, names: Sequence[str]) -> str:
    return "".join(_element(prefix, name, escape(item[name])) for name in names if item[name])


def _element(prefix: str, name: str, content: str) -> str:
    return f"<{prefix}:{name}>{content}</{prefix}:{name}>"
