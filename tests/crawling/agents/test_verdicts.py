"""One audit with several agents says of each what an audit with this agent alone says."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import duckdb
import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.runs.folders import find_run
from tests.crawling.agents.site import PAGES, ROBOTS, AgentSite, Response, meta
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


def test_the_first_agent_gets_what_an_audit_of_its_own_gives(
    site: AgentSite, whole: Run, tmp_path: Path
) -> None:
    together, first = whole, audit(site, tmp_path, f"agent={OBEYING[0]}")
    with pytest.raises(FileNotFoundError, match="audit with agents"):
        _ = first.verdicts
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


PATHS = ("/a/1", "/a/2", "/b/1", "/b/2", "/c")
RULES = ("Disallow: /a", "Disallow: /b/", "Allow: /a/1", "Allow: /")
NAMES = ("robots", "googlebot", "bingbot", "yandexbot")
RESPONSES = (
    *[Response()] * 4,
    *map(meta, NAMES),
    *(Response(headers={"X-Robots-Tag": f"{name}: none"}) for name in NAMES),
    *[Response(canonical="/c"), Response(301, headers={"Location": "/c"}), Response(404)] * 4,
)


def draw_website(random: Random) -> tuple[dict[str, Response], str]:
    """Return the pages of a website, and its robots.txt."""
    names = random.sample(["*", *OBEYING], random.randrange(5))
    groups = (
        [f"User-agent: {name}", *random.choices(RULES, k=random.randrange(4))] for name in names
    )
    robots = "\n\n".join(map("\n".join, groups))
    pages = {path: random.choice(RESPONSES) for path in PATHS}
    return pages, f"{robots}\nAllow: /sitemap.xml"


def test_each_agent_gets_what_an_audit_of_its_own_gives(tmp_path: Path) -> None:
    """On the website with all pages, and on random ones."""
    seed = SystemRandom().randrange(10**9)
    random = Random(seed)
    websites = [(PAGES, ROBOTS), *(draw_website(random) for _ in range(8))]
    with ExitStack() as stack:
        sites = [stack.enter_context(AgentSite(*website)).origin for website in websites]
        words = f"site={','.join(sites)}"
        given = QUICK_RULES | {"RETRY_ENABLED": False}
        process = start(tmp_path / "all", words, f"agents={','.join(OBEYING)}", **given)
        alone = [start(tmp_path / agent, words, f"agent={agent}", **given) for agent in OBEYING]
        for each in (process, *alone):
            assert each.wait(60) in (0, 3), each.log
    run = open_run(tmp_path / "all")
    for agent in OBEYING:
        own = open_run(tmp_path / agent)
        for site, website in zip(sites, websites, strict=True):
            found = verdicts(run, agent, f"{site}/")
            assert found.keys() == website[0].keys()
            assert found == own_verdicts(own, f"{site}/"), (seed, agent, website)


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
    shards = [tmp_path / str(number) for number in (1, 2)]
    later = QUICK_RULES | {"AUDIT_RESULTS": "later"}
    for number, folder in enumerate(shards, start=1):
        finish(start(folder, f"site={site.origin}", given, f"shard={number}/2", **later))
    merged = merge(*map(find_run, shards), into=tmp_path / "merged" / "run")
    for agent in MORE:
        assert verdicts(merged, agent) == verdicts(whole, agent)


def test_the_report_compares_the_agents(tmp_path: Path) -> None:
    robots = f"{ROBOTS}\nUser-agent: Google-Extended\nDisallow: /\n"
    with AgentSite(robots=robots) as site:
        run = audit(site, tmp_path, "agents=Googlebot,Bingbot,GPTBot")
    report = (run.path / "report.html").read_text(encoding="utf-8")
    section = report.partition('<section id="agents"')[2].partition("</section>")[0]
    assert [name in section for name in ("Googlebot", "Bingbot", "GPTBot")] == [True] * 3
    assert "indexable for Googlebot; noindex for Bingbot; blocked for GPTBot" in section
    assert "<code>google-extended</code>. No crawler has this name" in section
    messages = run.findings.loc[run.findings["rule"] == "agents-disagree", "message"]
    assert all("indexable for" in message for message in messages)
