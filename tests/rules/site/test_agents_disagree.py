"""agents-disagree: crawlers get different verdicts."""

from sitemapaudit.items import Page, Permission, Robots
from tests.pages.responses import SITE, head, page_of
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import listed

RULE = "agents-disagree"
ARGUMENTS = {"agents": "Googlebot,Bingbot,GPTBot"}
A, B = f"{SITE}/a", f"{SITE}/b"
TEXT = "User-agent: GPTBot\nDisallow: /"


def robots(text: str) -> Robots:
    return Robots(SITE, f"{SITE}/robots.txt", status=200, permission=Permission.RULES, text=text)


def at(url: str, *headers: str) -> Page:
    page = page_of(head(), *headers)
    page.url = url
    return page


def example() -> list[Item]:
    """Return a site that keeps one crawler off, and one page out of Bing."""
    hidden = at(B, "X-Robots-Tag: bingbot: noindex")
    return [robots(TEXT), listed(A, B), at(A), hidden]


def disagree(*items: Item, agents: str = ARGUMENTS["agents"]) -> list[tuple[str, str]]:
    tables = tables_of(items, RULE, agents=agents)
    return sorted((severity, message) for _, severity, message in rule_on(tables, RULE))


def test_each_difference_is_one_finding() -> None:
    rest = "blocked for GPTBot, such as "
    assert disagree(*example()) == [
        ("notice", f"1 listed URL: indexable for Googlebot, Bingbot; {rest}{A}"),
        ("warning", f"1 listed URL: indexable for Googlebot; noindex for Bingbot; {rest}{B}"),
    ]


def test_urls_with_the_same_difference_are_counted() -> None:
    ((_, message),) = disagree(robots(TEXT), listed(A, B), at(A), at(B))
    assert message.startswith("2 listed URLs: indexable for Googlebot, Bingbot; blocked for GPTBot")


def test_verdicts_have_the_order_of_their_first_agents() -> None:
    hidden = at(B, "X-Robots-Tag: bingbot: noindex")
    ((_, message),) = disagree(robots(""), listed(B), hidden)
    assert message.startswith("1 listed URL: indexable for Googlebot, GPTBot; noindex for Bingbot")


def test_what_is_unknown_differs_from_nothing() -> None:
    hidden = at(A, "X-Robots-Tag: noindex")
    assert disagree(robots(""), listed(A), hidden, agents="Googlebot,ClaudeBot") == []


def test_yandex_prefers_directives_that_allow_indexing() -> None:
    rows = (robots(""), listed(A, B), at(A, "X-Robots-Tag: noindex", "X-Robots-Tag: all"))
    named = at(B, "X-Robots-Tag: yandex: noindex")
    assert disagree(*rows, named, agents="Googlebot,YandexBot") == [
        ("warning", f"1 listed URL: indexable for Googlebot; noindex for YandexBot, such as {B}"),
        ("warning", f"1 listed URL: noindex for Googlebot; indexable for YandexBot, such as {A}"),
    ]


def test_crawlers_that_agree_are_no_finding() -> None:
    assert disagree(robots("User-agent: *\nDisallow: /"), listed(A)) == []
    assert disagree(robots(""), listed(A), at(A)) == []


def test_one_agent_cannot_disagree() -> None:
    assert disagree(*example(), agents="") == []
