"""One audit with several agents says of each what an audit with this agent alone says."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sitemapaudit import Run, open_run
from tests.crawling.agents.site import PAGES, AgentSite, Response, meta
from tests.crawling.agents.site import ROBOTS as ROBOTS_TEXT
from tests.crawling.sharding.worker import merge
from tests.runs.killing import finish, kill, start, wait_for_pages, wait_for_run
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("agents")

OBEYING = ("Googlebot", "Bingbot", "YandexBot")
"""Agents that are known to obey every directive."""

QUICK_RULES: dict[str, Any] = {"AUDIT_RULES": QUICK["AUDIT_RULES"]}

MORE = (*OBEYING, "GPTBot", "Claude-User", "ChatGPT-User", "mybot")


def audit(site: AgentSite, audits: Path, *arguments: str, **given: Any) -> Run:
    """Audit a website, and return the run."""
    finish(start(audits, f"site={site.origin}", *arguments, RETRY_ENABLED=False, **given))
    return open_run(audits)


def verdicts(run: Run, agent: str, site: str = "http") -> dict[str, str | None]:
    """Return the verdict on each path of a site for an agent, from the table of verdicts."""
    source = f"from '{run.path}/verdicts.parquet' where agent = ?"
    with duckdb.connect() as connection:
        rows = connection.execute(f"select url, verdict {source}", [agent]).fetchall()
    return {path_of(url): verdict for url, verdict in rows if url.startswith(site)}


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def own_verdicts(run: Run, site: str = "http") -> dict[str, str]:
    """Return the verdicts on a site of the table of URLs."""
    rows = zip(run.urls["url"], run.urls["verdict"], strict=True)
    return {path_of(url): verdict for url, verdict in rows if url.startswith(site)}


@pytest.fixture(scope="module")
def site() -> Iterator[AgentSite]:
    with AgentSite() as served:
        yield served


@pytest.fixture(scope="module")
def whole(site: AgentSite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the audit of the site with all agents; no page was fetched twice."""
    before = Counter(site.by_path())
    run = audit(site, tmp_path_factory.mktemp("whole"), f"agents={','.join(MORE)}")
    after = Counter(site.by_path())
    assert after - before == Counter(PAGES.keys())
    return run


def test_each_agent_gets_what_an_audit_of_its_own_gives(
    site: AgentSite, whole: Run, tmp_path: Path
) -> None:
    together = whole
    for agent in OBEYING:
        rules = {} if agent == OBEYING[0] else QUICK_RULES
        alone = audit(site, tmp_path / agent, f"agent={agent}", **rules)
        assert verdicts(together, agent) == own_verdicts(alone)
    first = open_run(tmp_path / "Googlebot")
    # A directive for another agent is a notice for the first one, if it is known.
    volatile_of_urls = ["rules", "response_seconds"]
    urls = [run.urls.drop(columns=volatile_of_urls).astype(str) for run in (together, first)]
    assert urls[0].equals(urls[1])
    volatile = ["fetched_at", "elapsed", "date", "headers", "statements"]
    # The random URL of the probe differs.
    listed = [run.pages[run.pages["role"] == "listed"] for run in (together, first)]
    kept = [frame.drop(columns=volatile).reset_index(drop=True) for frame in listed]
    assert kept[0].astype(str).equals(kept[1].astype(str))
    assert {*first.findings["rule"]} | {"agents-disagree"} == {*together.findings["rule"]}


def test_what_an_owner_does_not_document_is_unknown(whole: Run) -> None:
    run = whole
    assert {*verdicts(run, "GPTBot").values()} == {"blocked"}
    claude = verdicts(run, "Claude-User")
    assert claude["/plain"] == claude["/not-for-bing"] == "indexable"
    unknown = ["/noindex", "/header", "/expired", "/not-for-claude", "/only-google-not/noindex"]
    assert sorted(path for path, verdict in claude.items() if verdict is None) == sorted(unknown)
    assert claude["/moved"] == claude["/only-google-not/moved"] == "redirected"
    # It may fetch what robots.txt disallows: OpenAI does not rule that out.
    assert verdicts(run, "ChatGPT-User")["/only-google/1"] is None
    assert run.manifest.agents["GPTBot"] == {"blocked": len(PAGES)}
    assert run.manifest.agents["Claude-User"]["unknown"] == len(unknown)
    groups = run.verdicts.set_index(["agent", "url"])["robots_group"]
    plain = f"{run.urls['url'].iloc[0].rpartition('/')[0].split('/only')[0]}/plain"
    assert [groups[agent, plain] for agent in ("Googlebot", "GPTBot", "mybot")] == [
        "googlebot", "gptbot", "*",
    ]  # fmt: skip


def test_nobody_fetches_what_no_obeying_agent_may_fetch(tmp_path: Path) -> None:
    with AgentSite(robots="User-agent: *\nDisallow: /\nAllow: /sitemap.xml") as site:
        run = audit(site, tmp_path, "agents=Googlebot,Perplexity-User", **QUICK_RULES)
        assert {*site.by_path().values()} == {0}
    assert {*verdicts(run, "Perplexity-User").values()} == {"unchecked"}


PATHS = st.sampled_from(["/a/1", "/a/2", "/b/1", "/b/2", "/c"])
RULES = st.lists(st.sampled_from(["Disallow: /a", "Disallow: /b/", "Allow: /a/1", "Allow: /"]))
ROBOTS = st.dictionaries(st.sampled_from(["*", *OBEYING]), RULES).map(
    lambda groups: "\n\n".join(
        "\n".join([f"User-agent: {name}", *rules]) for name, rules in groups.items()
    )
)
NAMES = st.sampled_from(["robots", "googlebot", "bingbot", "yandexbot"])
RESPONSES = st.one_of(
    st.just(Response()),
    NAMES.map(meta),
    NAMES.map(lambda name: Response(headers={"X-Robots-Tag": f"{name}: none"})),
    st.just(Response(canonical="/c")),
    st.just(Response(301, headers={"Location": "/c"})),
    st.just(Response(404)),
)


WEBSITES = st.tuples(st.dictionaries(PATHS, RESPONSES, min_size=5), ROBOTS)


@settings(
    # The first example is four times the simplest website.
    max_examples=2,
    phases=set(Phase) - {Phase.shrink},
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(websites=st.lists(WEBSITES, min_size=4, max_size=4))
def test_random_websites(
    tmp_path_factory: pytest.TempPathFactory, websites: list[tuple[dict[str, Response], str]]
) -> None:
    """Each audit is one of four websites."""
    audits = tmp_path_factory.mktemp("random")
    with ExitStack() as stack:
        sites = [
            stack.enter_context(AgentSite(pages, f"{robots}\nAllow: /sitemap.xml")).origin
            for pages, robots in websites
        ]
        words = f"site={','.join(sites)}"
        process = start(audits / "all", words, f"agents={','.join(OBEYING)}", **QUICK_RULES)
        alone = {
            agent: start(audits / agent, words, f"agent={agent}", **QUICK_RULES)
            for agent in OBEYING
        }
        for each in (process, *alone.values()):
            assert each.wait(60) in (0, 3), each.log
    run = open_run(audits / "all")
    for agent in OBEYING:
        own = open_run(audits / agent)
        for site, (pages, _) in zip(sites, websites, strict=True):
            found = verdicts(run, agent, f"{site}/")
            assert found.keys() == pages.keys()
            assert found == own_verdicts(own, f"{site}/"), agent


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_fetches_only_what_is_missing(
    site: AgentSite, whole: Run, tmp_path: Path, workers: int
) -> None:
    given = (f"agents={','.join(MORE)}", f"workers={workers}")
    process = start(tmp_path, f"site={site.origin}", *given, DOWNLOAD_DELAY=0.1, **QUICK_RULES)
    killed = wait_for_run(tmp_path, process)
    wait_for_pages(killed, process)
    assert kill(process)
    finish(start(tmp_path, f"resume={killed}", RETRY_ENABLED=False))
    resumed = open_run(killed)
    for agent in MORE:
        assert verdicts(resumed, agent) == verdicts(whole, agent)


def test_shards_have_the_verdicts_of_their_urls(
    site: AgentSite, whole: Run, tmp_path: Path
) -> None:
    given = f"agents={','.join(MORE)}"
    shards = [
        audit(site, tmp_path / str(number), given, f"shard={number}/2", **QUICK_RULES)
        for number in (1, 2)
    ]
    merged = merge(*(shard.path for shard in shards), into=tmp_path / "merged" / "run")
    for agent in MORE:
        assert verdicts(merged, agent) == verdicts(whole, agent)


def test_one_agent_has_no_table(site: AgentSite, tmp_path: Path) -> None:
    run = audit(site, tmp_path, **QUICK_RULES)
    with pytest.raises(FileNotFoundError, match="audit with agents"):
        _ = run.verdicts


def test_the_report_compares_the_agents(tmp_path: Path) -> None:
    robots = f"{ROBOTS_TEXT}\nUser-agent: Google-Extended\nDisallow: /\n"
    with AgentSite(robots=robots) as site:
        run = audit(site, tmp_path, "agents=Googlebot,Bingbot,GPTBot")
    report = (run.path / "report.html").read_text(encoding="utf-8")
    section = report.partition('<section id="agents"')[2].partition("</section>")[0]
    assert [name in section for name in ("Googlebot", "Bingbot", "GPTBot")] == [True] * 3
    assert "indexable for Googlebot; noindex for Bingbot; blocked for GPTBot" in section
    assert "<code>google-extended</code>. No crawler has this name" in section
    messages = run.findings.loc[run.findings["rule"] == "agents-disagree", "message"]
    assert all("indexable for" in message for message in messages)
