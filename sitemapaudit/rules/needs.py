"""What a run must have for some query rules to find anything, as conditions in SQL.

Most websites have no video, and most audits render no page: to plan the queries about those takes
longer than to find out that there is nothing. One query evaluates all conditions.
"""

from __future__ import annotations

from typing import Final

ALTERNATES: Final = "exists(from alternates)"
CANONICALIZED: Final = "exists(from pages where canonical <> url)"
LINKS: Final = "exists(from run where links)"
MEDIA: Final = "exists(from run where media)"
NEWS: Final = "exists(from entries where len(news) > 0)"
REDIRECTS: Final = "exists(from pages where target is not null)"
RENDERED: Final = "exists(from pages where render_reason is not null)"
REPEATED: Final = "exists(from repeated_urls)"
SEVERAL_AGENTS: Final = "exists(from agents)"
VIDEOS: Final = "exists(from entries where len(videos) > 0)"
