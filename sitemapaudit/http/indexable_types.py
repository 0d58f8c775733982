"""Media types that Google indexes, from its list "File types indexable by Google".

The list names file extensions; here are the media types that servers send for them. Google also
lists text in general, XML, and the formats of its image and video search.
"""

import re
from typing import Final

_PREFIXES: Final = (
    "text/",
    "video/",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-word",
    "application/vnd.oasis.opendocument.",
    "application/vnd.openxmlformats-officedocument.",
)

_TYPES: Final = frozenset(
    f"{family}/{name}"
    for family, names in {
        "application": (
            # Documents: PDF, PostScript, EPUB, KMZ, Hancom, Excel, PowerPoint, Word, RTF, TeX.
            "pdf", "x-pdf", "postscript", "epub+zip", "vnd.google-earth.kmz",
            "x-hwp", "haansofthwp", "vnd.hancom.hwp", "vnd.hancom.hwpx", "hwp+zip",
            "msexcel", "x-msexcel", "x-excel", "mspowerpoint", "msword", "rtf", "x-rtf",
            "x-tex", "x-latex",
            # Text: XML, and source code.
            "xml", "javascript", "x-javascript", "ecmascript", "x-perl", "x-python",
            # Videos.
            "mp4", "vnd.apple.mpegurl", "x-mpegurl", "vnd.ms-asf", "vnd.rn-realmedia",
            "x-silverlight-app",
        ),
        "audio": ("mpegurl", "x-mpegurl", "x-pn-realaudio"),
        "image": (
            "avif", "bmp", "gif", "jpeg", "jpg", "pjpeg", "png", "svg+xml", "webp", "x-bmp",
            "x-ms-bmp", "x-png",
        ),
    }.items()
    for name in names
)  # fmt: skip

UNKNOWN_TYPES: Final = (
    r"(?:application|binary)/(?:x-)?(?:octet-stream|(?:force-)?download|unknown)"
    r"|(?:unknown|content)/unknown|\*/\*|[^/]*|/.*|.*/"
)
"""A regular expression for media types that say nothing about the content."""

_UNKNOWN: Final = re.compile(UNKNOWN_TYPES)

_UNINDEXED: Final = frozenset(
    {
        "7z", "apk", "bin", "bz2", "cab", "deb", "dmg", "exe", "gz", "iso", "jar", "msi", "pkg",
        "rar", "rpm", "tar", "tgz", "xz", "zip",
        "aac", "aiff", "flac", "m4a", "mp3", "ogg", "wav",
        "eot", "otf", "ttf", "woff", "woff2",
    }
)  # fmt: skip
"""Extensions of archives, programs, sounds and fonts."""

_NAME: Final = "regexp_extract(url, '^[^?#]*')"

UNINDEXED_TYPE: Final = f"""
    case
        when content_type is null then false
        when regexp_full_match(content_type, '{UNKNOWN_TYPES}')
            then lower(regexp_extract({_NAME}, '[^/.]*$')) in {tuple(sorted(_UNINDEXED))}
        else content_type not in {tuple(sorted(_TYPES))}
            and not regexp_matches(content_type, '^({"|".join(map(re.escape, _PREFIXES))})|[+]xml$')
    end
"""
"""SQL: whether ``is_indexable_type`` of the columns ``content_type`` and ``url`` is false."""


def is_unknown_type(media_type: str | None) -> bool:
    """Return whether a media type is missing, or says nothing about the content."""
    return media_type is None or _UNKNOWN.fullmatch(media_type) is not None


def is_indexable_type(media_type: str | None, url: str) -> bool | None:
    """Return whether Google indexes files of a media type; None if unknown.

    If the media type says nothing, the extension of the URL decides, but only extensions of
    archives, programs, sounds and fonts count.
    """
    if media_type is None:
        return None
    if is_unknown_type(media_type):
        name = re.split(r"[?#]", url, maxsplit=1)[0].rpartition("/")[2]
        return False if name.rpartition(".")[2].lower() in _UNINDEXED else None
    return media_type in _TYPES or media_type.startswith(_PREFIXES) or media_type.endswith("+xml")
