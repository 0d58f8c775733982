"""Comparisons of responses: one of each origin, from several processes."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from sitemapaudit import urls


class Compared(Protocol):
    """Responses of a URL."""

    @property
    def url(self) -> str:
        """The URL."""


T = TypeVar("T", bound=Compared)


def merge_by_origin(parts: Iterable[Iterable[T]]) -> list[T]:
    """Return the comparisons of the first URL of each origin; of equal URLs, the last one."""
    merged: dict[str, T] = {}
    for part in parts:
        for each in part:
            known = merged.setdefault(urls.origin(each.url), each)
            if known.url == each.url:
                merged[urls.origin(each.url)] = each
    return list(merged.values())
