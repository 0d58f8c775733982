"""Batches → an IndexNow endpoint, and the meaning of its responses."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.single_request import NoAnswerError, ask
from sitemapaudit.indexnow.batches import Batch
from sitemapaudit.indexnow.keys import KeyFileError, check_key_file

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


def send_batches(
    batches: Iterable[Batch], key: str, endpoint: str, policy: AddressPolicy
) -> Iterator[Delivery]:
    """Send each batch whose key file contains the key, to addresses that a policy allows.

    After status 429 nothing else is sent.
    """
    faults: dict[str, str | None] = {}
    refused = False
    for batch in batches:
        if refused:
            yield Delivery(batch, None, "Not sent: the endpoint received too many requests.")
            continue
        if batch.key_location not in faults:
            faults[batch.key_location] = _key_fault(key, batch.key_location, policy)
        fault = faults[batch.key_location]
        delivery = (
            Delivery(batch, None, f"Not sent: {fault}.")
            if fault
            else _send(batch, endpoint, policy)
        )
        refused = delivery.status == 429
        yield delivery


def _key_fault(key: str, location: str, policy: AddressPolicy) -> str | None:
    try:
        check_key_file(key, location, policy)
    except KeyFileError as error:
        return str(error)
    return None


def _send(batch: Batch, endpoint: str, policy: AddressPolicy) -> Delivery:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    try:
        status = ask(endpoint, policy, batch.file.read_bytes(), headers).status
    except NoAnswerError as error:
        return Delivery(batch, None, f"The endpoint does not respond: {error}.")
    return Delivery(
        batch, status, MEANINGS.get(status, "The protocol does not define this status.")
    )
