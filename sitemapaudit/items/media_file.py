"""The images and videos that were checked."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.vocabulary import Error, MediaKind


@dataclass(slots=True)
class MediaFile:
    """A row per URL of an image or video that was checked, with its own response.

    Redirects are not followed: the target of a redirect has its own row.
    """

    url: Annotated[str, "the URL, normalized"]
    via: Annotated[str | None, "the URL that redirects to it; null if entries list it"] = None
    kinds: Annotated[
        list[MediaKind],
        "what entries list it as: `image` (image:loc), `thumbnail` (video:thumbnail_loc), "
        "`content` (video:content_loc), `player` (video:player_loc); empty for the target of a "
        "redirect",
    ] = field(default_factory=list)
    method: Annotated[
        str | None,
        "`HEAD`, or `GET` if HEAD was refused, failed or returned no image or video, or if the URL "
        "was fetched as a page; null if it was not requested",
    ] = None
    status: Annotated[int | None, "HTTP status"] = None
    target: Annotated[str | None, "where a redirect points, normalized"] = None
    error: Annotated[
        Error | None, "why there is no usable response: `dns`, `refused`, `timeout`, `tls` …"
    ] = None
    error_detail: Annotated[str | None, "the error as reported by the network"] = None
    allowed: Annotated[bool | None, "by robots.txt for `agent`; null if unknown"] = None
    challenge: Annotated[str | None, "the bot challenge that was served instead"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    bytes: Annotated[int | None, "size of the file, as announced"] = None
    retries: Annotated[int, "how often the GET request was repeated"] = 0
    fetched_at: Annotated[datetime | None, "when the response arrived"] = None
    truncated_columns: Annotated[
        list[str],
        "columns that contain only a part of what was sent, because it was too long",
    ] = field(default_factory=list)
