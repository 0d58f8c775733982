"""Shards: the part of the URLs that one of several workers fetches."""

import re
from typing import Final, Self

from msgspec import Struct

from sitemapaudit import urls

_SHARD: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


class Shard(Struct, frozen=True, order=True):
    """Shard ``index`` (from 1) of ``count``."""

    index: int
    count: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a shard such as 2/8; raise ValueError if it is invalid."""
        match = _SHARD.fullmatch(text.strip())
        if not match or not 1 <= int(match.group(1)) <= int(match.group(2)):
            raise ValueError(f"{text!r} is not a shard such as 2/8")
        return cls(int(match.group(1)), int(match.group(2)))

    def owns(self, url: str) -> bool:
        """Return whether a URL belongs to this shard."""
        return self.count == 1 or self.index_of(url) == self.index

    @property
    def digests(self) -> range:
        """The digests of the URLs that belong to this shard."""
        first, last = ((number << 64) for number in (self.index - 1, self.index))
        return range(-(-first // self.count), -(-last // self.count))

    def owns_digest(self, digest: int) -> bool:
        """Return whether the URL with a digest belongs to this shard."""
        return digest in self.digests

    def index_of(self, url: str) -> int:
        """Return the index of the shard that a URL belongs to; the same on every machine."""
        return (urls.digest(url) * self.count >> 64) + 1

    def share_of(self, total: int) -> int:
        """Return this shard's share of a total; the shares of all shards add up to the total."""
        return total // self.count + (self.index <= total % self.count)

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE: Final = Shard(1, 1)
