"""Content types by the extension of a file: one table, so that every machine gives the same."""

from typing import Final

# Sources: IANA's list of media types; text/javascript is RFC 9239 section 6.
_TYPES: Final = {
    "atom": "application/atom+xml",
    "avif": "image/avif",
    "css": "text/css",
    "csv": "text/csv",
    "gif": "image/gif",
    "gz": "application/gzip",
    "htm": "text/html",
    "html": "text/html",
    "ico": "image/x-icon",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "js": "text/javascript",
    "json": "application/json",
    "map": "application/json",
    "md": "text/markdown",
    "mjs": "text/javascript",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "pdf": "application/pdf",
    "png": "image/png",
    "rss": "application/rss+xml",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "txt": "text/plain",
    "wasm": "application/wasm",
    "webm": "video/webm",
    "webmanifest": "application/manifest+json",
    "webp": "image/webp",
    "woff": "font/woff",
    "woff2": "font/woff2",
    "xhtml": "application/xhtml+xml",
    "xml": "application/xml",
    "zip": "application/zip",
}
UNKNOWN_TYPE: Final = "application/octet-stream"


def content_type(name: str, *, charset: bool) -> str:
    """Return the content type of a file; ``charset``: texts are declared as UTF-8."""
    stem, dot, extension = name.rpartition(".")
    media_type = _TYPES.get(extension.lower(), UNKNOWN_TYPE) if stem and dot else UNKNOWN_TYPE
    return f"{media_type}; charset=utf-8" if charset and media_type[:5] == "text/" else media_type
