"""The IP ranges that operators publish for their crawlers, from their JSON files."""

import json
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

from sitemapaudit.evidence.tables import ExportError
from sitemapaudit.given_files import read_bytes


class CrawlerRanges:
    """The ranges in one or more files such as googlebot.json and bingbot.json.

    Each file has ``prefixes``, with ``ipv4Prefix`` or ``ipv6Prefix`` (developers.google.com,
    "Verify requests from Google crawlers"). Raises ExportError (a ValueError) if it does not,
    and OSError.
    """

    def __init__(self, files: Iterable[str | Path]) -> None:
        self._networks = [network for file in files for network in _read(Path(file))]
        self._cached: dict[str, bool] = {}

    def __contains__(self, address: str) -> bool:
        """Return whether an address is in one of the ranges."""
        if address not in self._cached:
            self._cached[address] = self._contains(address)
        return self._cached[address]

    def _contains(self, text: str) -> bool:
        try:
            address = ip_address(text)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _read(file: Path) -> list[IPv4Network | IPv6Network]:
    try:
        prefixes = json.loads(read_bytes(file))["prefixes"]
        return [ip_network(value) for each in prefixes for value in each.values()]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ExportError(f"{file} has no IP ranges: see googlebot.json for the format") from None
