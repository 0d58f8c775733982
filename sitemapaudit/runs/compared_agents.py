"""Responses to this program and to a browser's User-Agent where a site denied access."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

MAX_DESCRIBED: Final = 3
"""Comparisons that are described: those of other sites of an audit seldom differ."""

_CRAWLERS_UNKNOWN: Final = (
    "Whether Googlebot is let in cannot be seen from here: sites recognize it by its address. "
    "The URL inspection of Search Console shows it."
)


@dataclass(slots=True, frozen=True)
class ComparedAgents:
    """Two responses of a URL: a status, a bot challenge or an error for each.

    ``denied`` is what this program got; ``browser`` what the same request got with the User-Agent
    of a browser, and ``browser_denied`` whether that was denied too.
    """

    url: str
    denied: str
    browser: str
    browser_denied: bool

    def describe(self) -> str:
        """Say which of the two is refused, and what to do."""
        seen = f"{self.url}: {self.denied} for this program, {self.browser} for a browser's"
        if self.browser_denied:
            return (
                f"{seen} User-Agent too. The site refuses your address, or every program:"
                " let your address in."
            )
        return f"{seen} User-Agent. Only this program is refused: let it in, or set USER_AGENT."


def describe_comparisons(compared: Sequence[ComparedAgents]) -> list[str]:
    """Say what the first ones got, and what cannot be known from them."""
    if not compared:
        return []
    described = [each.describe() for each in compared[:MAX_DESCRIBED]]
    if len(compared) > MAX_DESCRIBED:
        described.append(f"run.json has all {len(compared)} comparisons.")
    return [*described, _CRAWLERS_UNKNOWN]


def merge_comparisons(parts: Iterable[Iterable[ComparedAgents]]) -> list[ComparedAgents]:
    """Return the comparisons of several runs, the last one of each URL."""
    return list({each.url: each for part in parts for each in part}.values())
