"""Responses to this program and to a browser's User-Agent where a site denied access."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_DESCRIBED: Final = 3
"""The number of comparisons that are described: those of other sites seldom differ."""

_CRAWLERS_UNKNOWN: Final = (
    "Whether the site admits Googlebot cannot be tested from here: sites recognize it by its"
    " address. Use the URL inspection of Search Console."
)


@dataclass(slots=True, frozen=True)
class ComparedAgents:
    """Two responses of a URL: a status, a bot challenge or an error for each.

    ``denied`` is the response to this program, ``browser`` that to the same request with the
    User-Agent of a browser. ``browser_denied`` says whether that was denied too.
    """

    url: str
    denied: str
    browser: str
    browser_denied: bool

    def describe(self) -> str:
        """Describe which of the two is refused, and what to do."""
        seen = f"{self.url}: {self.denied} for this program, {self.browser} for a browser's"
        if self.browser_denied:
            return (
                f"{seen} User-Agent too. The site refuses your address, or every program:"
                " let your address in."
            )
        return f"{seen} User-Agent. Only this program is refused: let it in, or set USER_AGENT."


def describe_comparisons(compared: Sequence[ComparedAgents]) -> list[str]:
    """Describe the first comparisons, and what they cannot show."""
    if not compared:
        return []
    described = [each.describe() for each in compared[:MAX_DESCRIBED]]
    if len(compared) > MAX_DESCRIBED:
        described.append(f"run.json has all {len(compared)} comparisons.")
    return [*described, _CRAWLERS_UNKNOWN]
