"""Batches → an IndexNow endpoint, and the meaning of its responses."""

from collections.abc import Iterable, Iterator
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from msgspec import Struct

from sitemapaudit.indexnow.batches import Batch
from sitemapaudit.indexnow.keys import TIMEOUT, KeyFileError, check_key_file

ENDPOINT: Final = "https://api.indexnow.org/indexnow"
"""It shares the received URLs with all search engines that support the protocol."""

ACCEPTED: Final = frozenset({200, 202})

MEANINGS: Final = {
    200: "The endpoint received the URLs; engines decide whether to crawl them.",
    202: "The endpoint received the URLs, but has not checked the key yet.",
    400: "The endpoint could not read the batch.",
    403: "The endpoint found no key file at the key location, or another key in it.",
    422: "The endpoint says that URLs do not belong to the host, or the key to the location.",
    429: "The endpoint received too many requests: wait, and send only what changed.",
}
"""The statuses of the protocol (indexnow.org/documentation, "Response format")."""


class Delivery(Struct, frozen=True):
    """The outcome of a batch; ``status`` is None if it was not sent or got no response."""

    batch: Batch
    status: int | None
    meaning: str

    @property
    def accepted(self) -> bool:
        """Return whether the endpoint received the URLs."""
        return self.status in ACCEPTED


def send_batches(batches: Iterable[Batch], key: str, endpoint: str) -> Iterator[Delivery]:
    """Send each batch whose key file contains the key.

    After status 429 nothing else is sent.
    """
    faults: dict[str, str | None] = {}
    refused = False
    for batch in batches:
        if refused:
            yield Delivery(batch, None, "Not sent: the endpoint received too many requests.")
            continue
        if batch.key_location not in faults:
            faults[batch.key_location] = _key_fault(key, batch.key_location)
        fault = faults[batch.key_location]
        delivery = Delivery(batch, None, f"Not sent: {fault}.") if fault else _send(batch, endpoint)
        refused = delivery.status == 429
        yield delivery


def _key_fault(key: str, location: str) -> str | None:
    try:
        check_key_file(key, location)
    except KeyFileError as error:
        return str(error)
    return None


def _send(batch: Batch, endpoint: str) -> Delivery:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    request = Request(endpoint, batch.file.read_bytes(), headers)  # noqa: S310 - an http(s) URL
    try:
        with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310 - as above
            status = int(response.status)
    except HTTPError as error:
        status = error.code
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        return Delivery(batch, None, f"The endpoint does not respond: {reason}.")
    return Delivery(
        batch, status, MEANINGS.get(status, "The protocol does not define this status.")
    )
