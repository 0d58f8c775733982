"""Known crawlers: their owners, their purposes, and what their owners say they obey.

None means that the owner does not say. A crawler that is not listed here is the user's own.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

_GOOGLE: Final = "https://developers.google.com/search/docs/crawling-indexing"
_GOOGLE_META: Final = f"{_GOOGLE}/robots-meta-tag"
_BING: Final = "https://www.bing.com/webmasters/help/5198d240"
_YANDEX: Final = "https://yandex.com/support/webmaster/controlling-robot/meta-robots.html"
_APPLE: Final = "https://support.apple.com/en-us/119829"
_OPENAI: Final = "https://platform.openai.com/docs/bots"
_ANTHROPIC: Final = "https://support.claude.com/en/articles/8896518"
_PERPLEXITY: Final = "https://docs.perplexity.ai/guides/bots"


class Purpose(StrEnum):
    """The purpose for which a crawler fetches pages."""

    SEARCH = "search"
    AI_SEARCH = "ai-search"
    AI_TRAINING = "ai-training"
    USER = "user"
    ARCHIVE = "archive"
    UNKNOWN = "unknown"


class Agent(Struct, frozen=True):
    """A crawler: its product token, and whether it obeys robots.txt and noindex directives.

    ``meta`` is about meta tags, ``header`` about X-Robots-Tag. ``source`` is the page of its owner
    that says so, and ``verified`` whether we read that page, not only reports about it. In
    robots.txt, it obeys the groups of ``also`` if there is none with its name. In meta tags and
    headers, it obeys the names of ``signed`` besides its own. ``is_lenient`` says that a directive
    that allows indexing wins over a directive that forbids it, ``ignores_all`` that it does not
    obey the group ``*``.
    """

    name: str
    purpose: Purpose
    robots: bool | None = True
    meta: bool | None = None
    header: bool | None = None
    source: str | None = None
    verified: bool = True
    also: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    is_lenient: bool = False
    ignores_all: bool = False


def _google(name: str) -> Agent:
    """Return one of Google's crawlers that obeys the group of Googlebot if it has none."""
    return Agent(
        *(name, Purpose.SEARCH),
        meta=True,
        header=True,
        source=_GOOGLE_META,
        also=("googlebot",),
        signed=("googlebot",),
    )


def _special(name: str) -> Agent:
    """Return one of Google's crawlers for other products: a site agrees with these."""
    return Agent(
        name, Purpose.UNKNOWN, source=f"{_GOOGLE}/google-special-case-crawlers", ignores_all=True
    )


def _agents(*agents: Agent) -> Mapping[str, Agent]:
    return {agent.name.lower(): agent for agent in agents}


KNOWN: Final = _agents(
    Agent("Googlebot", Purpose.SEARCH, meta=True, header=True, source=_GOOGLE_META),
    _google("Googlebot-Image"),
    _google("Googlebot-News"),
    _google("Googlebot-Video"),
    _special("AdsBot-Google"),
    _special("AdsBot-Google-Mobile"),
    _special("APIs-Google"),
    _special("Mediapartners-Google"),
    Agent("Bingbot", Purpose.SEARCH, meta=True, header=True, source=_BING),
    Agent("Yandex", Purpose.SEARCH, meta=True, header=True, source=_YANDEX, is_lenient=True),
    Agent(
        *("YandexBot", Purpose.SEARCH),
        meta=True,
        header=True,
        source=_YANDEX,
        also=("yandex",),
        signed=("yandex",),
        is_lenient=True,
    ),
    Agent("Applebot", Purpose.SEARCH, meta=True, source=_APPLE, also=("googlebot",)),
    Agent("DuckDuckBot", Purpose.SEARCH, verified=False),
    Agent("Baiduspider", Purpose.SEARCH, verified=False),
    Agent("GPTBot", Purpose.AI_TRAINING, source=_OPENAI, verified=False),
    Agent("OAI-SearchBot", Purpose.AI_SEARCH, source=_OPENAI, verified=False),
    Agent("ChatGPT-User", Purpose.USER, robots=None, source=_OPENAI, verified=False),
    Agent("ClaudeBot", Purpose.AI_TRAINING, source=_ANTHROPIC),
    Agent("Claude-SearchBot", Purpose.AI_SEARCH, source=_ANTHROPIC),
    Agent("Claude-User", Purpose.USER, source=_ANTHROPIC),
    Agent("PerplexityBot", Purpose.AI_SEARCH, source=_PERPLEXITY, verified=False),
    Agent("Perplexity-User", Purpose.USER, robots=False, source=_PERPLEXITY, verified=False),
    Agent("Amazonbot", Purpose.AI_TRAINING, source="https://developer.amazon.com/amazonbot"),
    Agent("meta-externalagent", Purpose.AI_TRAINING, verified=False),
    Agent("Bytespider", Purpose.AI_TRAINING, robots=None, verified=False),
    Agent("CCBot", Purpose.ARCHIVE, source="https://commoncrawl.org/ccbot", verified=False),
)
"""By name in lower case."""

POLICY_TOKENS: Final[Mapping[str, str]] = {
    "google-extended": "controls how Google may use pages that Googlebot fetches",
    "applebot-extended": "controls how Apple may use pages that Applebot fetches",
}
"""Names in robots.txt that are not crawlers, in lower case, with their meanings."""


def agent_named(name: str) -> Agent:
    """Return the facts about a crawler; the user's own crawlers obey robots.txt."""
    return KNOWN.get(name.lower()) or Agent(name, Purpose.UNKNOWN)


def signed_names(agent: str) -> tuple[str, ...]:
    """Return the names, in lower case, that an agent obeys in meta tags and headers."""
    return (agent.lower(), *agent_named(agent).signed)
