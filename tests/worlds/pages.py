"""The pages of a drawn website: what each does, and what an audit must find out about it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from sitemapaudit.items import Error, Verdict
from tests.worlds.faults import ATTEMPTS, CUTS, ERRORS, Fault, Network

FORBIDDEN: Final = "/private/"
"""The start of the paths that robots.txt disallows."""

OUTSIDE: Final = "@"
"""The start of the paths at an address that no audit may contact."""

_DENIED: Final = 403
"""The status with which a page is requested as a browser too."""


class Kind(Enum):
    """What a page does, with the verdict on it."""

    FINE = Verdict.INDEXABLE
    GONE = Verdict.NOT_FOUND
    DENIED = Verdict.DENIED
    ODD = Verdict.CLIENT_ERROR
    BROKEN = Verdict.SERVER_ERROR
    MOVED = Verdict.REDIRECTED
    ARCHIVE = Verdict.UNSUPPORTED_TYPE
    HIDDEN = Verdict.NOINDEX
    COPY = Verdict.CANONICALIZED
    EMPTY = Verdict.SOFT_404
    OUTSIDE = Verdict.UNREACHABLE

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


STATUSES: Final = {
    Kind.GONE: (404, 410),
    Kind.DENIED: (401, 403),
    Kind.ODD: (400, 405, 418, 451),
    Kind.BROKEN: (500, 501, 502, 505),
    Kind.MOVED: (301, 302, 303, 307, 308),
}
"""The statuses of the kinds that have others than 200."""

VARIANTS: Final = {
    Kind.FINE: ("alike", "no-canonical", "relative", "bingbot", "later", "image", "pdf", "untyped"),
    Kind.MOVED: ("nowhere", "refresh"),
    Kind.HIDDEN: ("header", "none", "googlebot"),
    Kind.COPY: ("header", "relative"),
    Kind.EMPTY: ("title",),
}
"""Other ways to be of a kind.

alike: its text is that of other such pages. later: it leads elsewhere after some seconds. bingbot,
googlebot: only this crawler is forbidden to index it. image, pdf, untyped: the media type. nowhere:
its redirect has no target. refresh: its HTML redirects. header: an HTTP header says it. title: its
title says that nothing was found.
"""

READ: Final = (Kind.FINE, Kind.HIDDEN, Kind.COPY)
"""The kinds of pages whose body an audit reads."""

FILES: Final = {"image": "image/png", "pdf": "application/pdf"}
"""The variants that are not HTML."""

_COMMON: Final = (*[Kind.FINE] * 8, *[Kind.MOVED] * 2, *(k for k in Kind if k is not Kind.OUTSIDE))
_SITUATED: Final = (Kind.MOVED, Kind.COPY)
"""The kinds of pages that name another page."""


@dataclass(frozen=True)
class WorldPage:
    """A page: its path, what it does, and the paths that it leads and links to.

    ``version`` is that of its text.
    """

    path: str
    kind: Kind
    status: int = 200
    target: str | None = None
    links: tuple[str, ...] = ()
    fault: Fault | None = None
    manner: str = ""
    version: int = 0
    variant: str = ""

    @property
    def fails(self) -> bool:
        """Whether there is never a usable response."""
        return self.fault is not None and self.fault.lasts

    @property
    def verdict(self) -> Verdict:
        return Verdict.UNREACHABLE if self.fails else self.kind.value

    @property
    def error(self) -> Error | None:
        """The error that an audit must record of its response."""
        if self.kind is Kind.OUTSIDE:
            return Error.PRIVATE_ADDRESS
        return ERRORS[self.fault.how] if self.fault and self.fault.lasts else None

    @property
    def tries(self) -> int:
        """How often an audit may request it: failures are repeated, and checked again.

        What is denied is requested as a browser too.
        """
        if self.fails:
            return ATTEMPTS
        times = self.fault.times or 0 if self.fault else 0
        if self.kind is Kind.BROKEN:
            return max(ATTEMPTS, times + 2)
        return 1 + times + (self.kind is Kind.EMPTY or self.status == _DENIED)

    @property
    def leads_to(self) -> str | None:
        """The path that an audit fetches next because of the response."""
        return None if self.fails or self.kind not in _SITUATED else self.target

    @property
    def canonical(self) -> str | None:
        """The path of the canonical that an audit reads."""
        if self.kind is Kind.COPY:
            return self.target
        has_own = self.is_read and self.is_html and self.variant != "no-canonical"
        return self.path if has_own else None

    @property
    def is_relative(self) -> bool:
        """Whether its canonical is a path: that of another host cannot be."""
        return self.variant == "relative" and not (self.canonical or "").startswith(OUTSIDE)

    @property
    def linked(self) -> tuple[str, ...]:
        """The links that an audit that fetches the page records."""
        if self.fails or not self.is_html:
            return ()
        leads = self.variant == "later" and self.target and not self.target.startswith(OUTSIDE)
        return (*self.links, self.target) if leads and self.target else self.links

    @property
    def followed(self) -> tuple[str, ...]:
        """The links that an audit of linked pages follows."""
        return () if self.variant == "none" else self.linked

    @property
    def is_read(self) -> bool:
        return self.kind in READ

    @property
    def is_html(self) -> bool:
        """Whether it is HTML with links."""
        return self.variant == "refresh" or (self.is_read and self.variant not in FILES)


def draw_page(dice: random.Random, path: str, paths: Sequence[str], network: Network) -> WorldPage:
    """Return a page that can lead to each of these paths."""
    if path.startswith(OUTSIDE):
        return WorldPage(path, Kind.OUTSIDE)
    kind = dice.choice(_COMMON)
    others = [each for each in paths if each != path]
    if kind in _SITUATED and not others:
        kind = Kind.FINE
    variant = dice.choice(VARIANTS[kind]) if kind in VARIANTS and dice.random() < 0.3 else ""
    if variant == "later" and not others:
        variant = ""
    leads = kind in _SITUATED and variant != "nowhere"
    fault = Fault.draw(dice, [how for how in network.ways if kind in READ or how not in CUTS])
    suitable = [how for how in network.manners if kind in READ or how == "slow"]
    own = [each for each in paths if not each.startswith(OUTSIDE)]
    return WorldPage(
        path,
        kind,
        200 if variant == "refresh" else dice.choice(STATUSES.get(kind, (200,))),
        dice.choice(others) if leads or variant == "later" else None,
        tuple(sorted({dice.choice(own) for _ in range(dice.randint(0, 4))})),
        fault if dice.random() < 0.08 else None,
        dice.choice(suitable) if dice.random() < 0.1 else "",
        variant=variant,
    )
