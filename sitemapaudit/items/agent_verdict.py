"""The verdict on a listed URL for each crawler."""

from dataclasses import dataclass
from typing import Annotated

from sitemapaudit.items.vocabulary import Verdict


@dataclass(slots=True)
class AgentVerdict:
    """A row per listed URL and crawler, with the argument ``agents``."""

    url: Annotated[str, "the listed URL"]
    agent: Annotated[str, "the crawler"]
    verdict: Annotated[
        Verdict | None,
        "the verdict for this crawler; null if a directive forbids indexing and its owner does not "
        "say whether it obeys such directives",
    ]
    indexable: Annotated[bool | None, "whether it may index the page; null if that is unknown"]
    permitted: Annotated[bool | None, "by robots.txt; null if that is unknown"]
    robots_group: Annotated[
        str | None,
        "the `User-agent` of the group in robots.txt that it obeys, in lower case; null if none",
    ]
    directives: Annotated[list[str], "the robots directives that are addressed to it, or to all"]
