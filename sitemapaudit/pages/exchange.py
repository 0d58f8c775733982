"""The parts of a response that are recorded as the evidence of findings on its page."""

from typing import Final

from sitemapaudit.http.body_start import body_start
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page

MAX_HEADERS: Final = 40
MAX_HEADER: Final = 300
"""Limits of headers, and of the characters of one."""


def is_exchange(response: Response) -> bool:
    """Return whether a response came from a server, and has headers; a build has no server."""
    return bool(response.headers) and response.file is None


def record_exchange(page: Page, response: Response) -> None:
    """Record the headers of a page, and the beginning of a body that shows what is wrong."""
    page.headers = [text[:MAX_HEADER] for text in response.header_texts[:MAX_HEADERS]]
    is_error = page.status is not None and page.status >= 400
    if is_error or page.soft_404 is not None or page.challenge is not None:
        page.body_start = body_start(response)
