"""The table ``verdicts``: what each agent may do with each listed URL.

Nothing is fetched for it: the directives of every agent are in the pages, and the rules in the
text of each robots.txt.
"""

from collections.abc import Iterator
from typing import Final

import duckdb

from sitemapaudit import verdicts
from sitemapaudit.datasets.build import Build
from sitemapaudit.items import Permission
from sitemapaudit.pages.directives import ALLOWING
from sitemapaudit.robots import Policy, group_of
from sitemapaudit.robots.agents import agent_named, signed_names
from sitemapaudit.runs.manifest import UNKNOWN_VERDICT, Manifest

AGENTS: Final = (
    "(position integer, agent varchar, purpose varchar, robots boolean, meta boolean,"
    " header boolean, names varchar[],"
    " lenient boolean)"
)
"""The agents of the run, the first one first; what they obey, null if that is unknown."""

AGENT_GROUPS: Final = "(origin varchar, agent varchar, robots_group varchar)"
"""The group of each robots.txt that an agent obeys."""

AGENT_BLOCKS: Final = "(url varchar, agent varchar)"
"""The listed URLs that the rules of a robots.txt disallow for an agent."""

_READ: Final = (
    "statements", "truncated_columns", "truncated", "canonical", "status", "bytes", "soft_404",
    "words", "scripts",
)  # fmt: skip
"""The columns of a page with its directives, and those that count if none forbids indexing."""

_FACTS: Final = ", ".join(
    f"if(other.url is null, page.{each}, other.{each}) as {each}" for each in _READ
)

AGENT_FACTS: Final = f"""
    select listed.url, coalesce(other.verdict, urls.verdict) as verdict, urls.skip_reason,
        coalesce(other.fetched_at, page.fetched_at) as fetched_at,
        {_FACTS},
        robots.permission, origin_of(listed.url) as origin
    from listed
    join urls on urls.url = listed.url
    left join pages as page on page.url = listed.url
    left join (
        from agent_pages_log qualify row_number() over (partition by url order by fetched_at) = 1
    ) as other on other.url = listed.url
    left join robots on robots.site = origin_of(listed.url)
"""
"""The facts about each listed URL, whichever agent may fetch it."""

VERDICTS: Final = f"""
    with addressed as (
        select facts.url, agents.position, agents.agent, agents.robots, agents.meta, agents.header,
            agents.lenient,
            facts.* exclude (url, statements), agent_groups.robots_group,
            case permission
                when '{Permission.RULES}' then agent_blocks.url is null
                when '{Permission.ALL}' then true
                when '{Permission.NONE}' then false
            end as permitted,
            list_filter(coalesce(statements, []), lambda each:
                each.agent is null or list_contains(agents.names, each.agent)
            ) as statements
        from agent_facts as facts
        cross join agents
        left join agent_blocks on agent_blocks.url = facts.url and agent_blocks.agent = agents.agent
        left join agent_groups
            on agent_groups.origin = facts.origin and agent_groups.agent = agents.agent
    ), directed as (
        select *, if(
                lenient and list_bool_or(
                    list_transform(statements, lambda each: each.token in {ALLOWING})
                ), [], list_filter(statements, lambda each: each.token in ('noindex', 'none')
                    or each.until <= fetched_at)
            ) as forbidding
        from addressed
    ), obeyed as (
        select *,
            list_bool_or(list_transform(forbidding, lambda each:
                if(each.source = 'header', header, meta) = true)) as forbidden,
            list_bool_or(list_transform(forbidding, lambda each:
                if(each.source = 'header', header, meta) is null))
                or list_contains(truncated_columns, 'statements') as doubtful
        from directed
    ), decided as (
        select url, position, agent, permitted, robots_group, statements,
            {verdicts.AGENT_VERDICT} as verdict
        from obeyed
    )
    select url, agent, verdict, {verdicts.INDEXABLE} as indexable, permitted, robots_group,
        list_distinct(list_transform(statements, lambda each: each.token)) as directives, position
    from (
        select decided.* replace (
            if(position = 1, urls.verdict, decided.verdict) as verdict
        )
        from decided join urls on urls.url = decided.url
    )
"""
"""A row per listed URL and agent; that of the first agent is the one of the table ``urls``."""

_COUNTS: Final = f"""
    select agent, coalesce(verdict, '{UNKNOWN_VERDICT}') as verdict, count(*)
    from verdicts group by agent, position, verdict order by position, 3 desc, 2
"""
_LISTED: Final = """
    select url, origin_of(url)
    from listed semi join (select url from urls where skip_reason is null) as fetched using (url)
    where rowid between $from and $to
"""
_RULES: Final = f"from robots select site, text where permission = '{Permission.RULES}'"
_GROUPS: Final = """
    select site, text, list(agent) from agent_groups join robots on site = origin
    where robots_group is not null group by site, text, robots_group
"""
_INSERT_BLOCKS: Final = """
    insert into agent_blocks
    select url, name from (select unnest($urls) as url), (select unnest($names) as name)
"""
_BATCH: Final = 10_000


def agents_of(manifest: Manifest) -> list[str]:
    """Return the agents of a run; none if it has only one."""
    others = [name.strip() for name in str(manifest.arguments.get("agents") or "").split(",")]
    if not any(others):
        return []
    first = str(manifest.arguments.get("agent"))
    return [first, *(name for name in others if name.lower() != first.lower())]


def has_agents(manifest: Manifest) -> bool:
    """Return whether a run has several agents."""
    return bool(agents_of(manifest))


def count_verdicts(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, int]]:
    """Return the number of URLs of each verdict, by agent."""
    counts: dict[str, dict[str, int]] = {}
    for agent, verdict, number in connection.execute(_COUNTS).fetchall():
        counts.setdefault(agent, {})[verdict] = number
    return counts


def fill_agents(build: Build) -> None:
    """Fill the table of agents."""
    rows = []
    for position, name in enumerate(agents_of(build.manifest), start=1):
        known = agent_named(name)
        obeyed = (known.robots, known.meta, known.header, list(signed_names(name)))
        rows.append((position, name, known.purpose, *obeyed, known.is_lenient))
    build.connection.executemany("insert into agents values (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def fill_groups(build: Build) -> None:
    """Fill the table of the groups that agents obey."""
    agents = agents_of(build.manifest)
    for origin, text in build.connection.execute(_RULES).fetchall():
        rows = [(origin, name, group_of(text or "", name)) for name in agents]
        build.connection.executemany("insert into agent_groups values (?, ?, ?)", rows)


def fill_blocks(build: Build) -> None:
    """Fill the table of what robots.txt disallows; agents of one group are looked up once."""
    connection = build.connection
    groups: dict[str, list[tuple[Policy, list[str]]]] = {}
    for origin, text, names in connection.execute(_GROUPS).fetchall():
        groups.setdefault(origin, []).append((Policy(Permission.RULES, text), names))
    for origin, urls in _listed(connection):
        for policy, names in groups.get(origin, ()):
            blocked = [url for url in urls if not policy.allows(url, names[0])]
            connection.execute(_INSERT_BLOCKS, {"urls": blocked, "names": names})


def _listed(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, list[str]]]:
    """Yield the listed URLs of each origin, in batches."""
    ends = connection.execute("select min(rowid), max(rowid) from listed").fetchall()
    first, last = ends[0]
    if first is None:
        return
    for begin in range(first, last + 1, _BATCH):
        place = {"from": begin, "to": begin + _BATCH - 1}
        by_origin: dict[str, list[str]] = {}
        for url, origin in connection.execute(_LISTED, place).fetchall():
            by_origin.setdefault(origin, []).append(url)
        yield from by_origin.items()
