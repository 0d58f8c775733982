"""The IndexNow key of a site: its format, and the file that proves it."""

import re
from typing import Final

from msgspec import Struct

from sitemapaudit.caps import cut
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.single_request import NoAnswerError, ask
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.urls import normalize

_KEY: Final = re.compile(r"[A-Za-z0-9-]{8,128}")

MAX_BYTES: Final = 1_024
"""A key file has one key of at most 128 characters."""


class KeyFileError(OSError):
    """The key file cannot be fetched or has another key; the message is one sentence."""


class Key(Struct, frozen=True):
    """A key and the location of its file; by default, the file is at the root of each host.

    Raises ValueError if the key or the location cannot be used.
    """

    value: str
    location: str | None = None

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.value):
            raise ValueError(f"--key: {self.value!r} must be 8 to 128 letters, digits and hyphens")
        if self.location is not None and normalize(self.location) is None:
            raise ValueError(f"--key-location: {self.location!r} is not an http(s) URL")

    def file_for(self, origin: str) -> str:
        """Return the URL of the key file for the URLs of an origin."""
        return self.location or f"{origin}/{self.value}.txt"

    def covers(self, url: str) -> bool:
        """Return whether a URL can be submitted with this key.

        "The location of a key file determines the set of URLs that can be included with this key"
        (indexnow.org/documentation, option 2): those in its folder, and below.
        """
        if self.location is None:
            return True
        folder = (normalize(self.location) or "").partition("?")[0].rpartition("/")[0]
        return url.partition("://")[2].startswith(f"{folder.partition('://')[2]}/")


def check_key_file(key: str, location: str, policy: AddressPolicy) -> None:
    """Raise KeyFileError if the file at a URL, without redirects, does not have this key."""
    try:
        answer = ask(location, policy, limit=MAX_BYTES)
    except NoAnswerError as error:
        raise KeyFileError(f"The key file {location} cannot be fetched: {error}") from None
    if answer.location is not None and 300 <= answer.status < 400:
        raise KeyFileError(
            f"The key file {location} redirects to {hide_passwords(cut(answer.location))}"
        )
    if answer.status != 200:
        raise KeyFileError(f"The key file {location} returns {answer.status}")
    if answer.body.decode("utf-8-sig", errors="replace").strip() != key:
        raise KeyFileError(f"The key file {location} does not contain the key")
