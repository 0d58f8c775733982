"""Redirect maps: real servers load them, and answer as they say."""

import csv
import os
import random
import shutil
import sys
from pathlib import Path

import duckdb
import pytest

from sitemapaudit import urls
from sitemapaudit.comparison.redirect_map import KINDS, Redirects, read_redirects, write_redirects
from tests.builds.oracles.apache import Apache
from tests.builds.oracles.netlify import NetlifyRedirects
from tests.builds.oracles.oracle import Case
from tests.builds.oracles.serving import ask
from tests.builds.oracles.tools import Tools
from tests.crawling.revalidating.nginx import free_port, serving

pytestmark = pytest.mark.xdist_group("servers")

PARTS = (
    *("a", "B", "-", ".", "%20", "%C3%A9", "$", "$1", "%25", "'", "(x)", "+", ",", ";", "=", "@"),
    *("~", "!", "&", "a*", ":b", "|", "^", "[c]", "default"),
)
QUERIES = ("", "", "?", "?q=1", "?q={x}&$1=%20", "?\\1|^`'", "?a=b?c/../d", "?q=%2F")


def random_url(random: random.Random, host: str) -> str:
    words = ["".join(random.choices(PARTS, k=random.randint(1, 4))) for _ in range(2)]
    path = "/".join(words[: random.randint(1, 2)])
    url = urls.normalize(f"http://{host}/{path}{random.choice(('', '/'))}{random.choice(QUERIES)}")
    assert url is not None
    return url


def random_redirects(seed: int, host: str, number: int = 60) -> Redirects:
    """Return redirects of one host, to it and to another."""
    chosen = random.Random(seed)
    old = {random_url(chosen, host) for _ in range(number)}
    new = [random_url(chosen, chosen.choice((host, "new.example"))) for _ in old]
    pairs = zip(sorted(old), new, strict=True)
    return Redirects(
        {url: target for url, target in pairs if target not in old}, [f"http://{host}/g"]
    )


@pytest.fixture(scope="module")
def tools() -> Tools:
    """Return the programs, which are installed once for all runs of the tests."""
    if not shutil.which("apt-get") and not os.environ.get("CI"):
        pytest.skip("the servers come from Debian")
    folder = Path(sys.prefix) / "servers"
    folder.mkdir(exist_ok=True)
    return Tools(folder)


def write(redirects: Redirects, kind: str, folder: Path) -> tuple[Path, list[str]]:
    """Write a file; return it, and the URLs that it leaves out."""
    file = folder / KINDS[kind].name
    return file, write_redirects(redirects, kind, file)


def expected(redirects: Redirects) -> dict[str, str]:
    """Return the answer to the request of each URL."""
    return {
        urls.request_target(url): f"301 {target.removeprefix(urls.origin(url))}"
        for url, target in redirects.targets.items()
    }


def near(redirects: Redirects) -> list[str]:
    """Return requests that no redirect is for."""
    known = expected(redirects)
    changed = {f"{target}x" for target in known} | {f"/x{target}" for target in known}
    return sorted(changed - known.keys())


@pytest.mark.parametrize("seed", [1, 2])
def test_nginx_redirects_each_url_and_no_other(seed: int, tmp_path: Path) -> None:
    redirects, port = random_redirects(seed, "t0"), free_port()
    file, left = write(redirects, "nginx", tmp_path)
    rule = "if ($new_address) { return 301 $new_address; }"
    lines = {"http": f"include {file};", "server": rule}
    assert rule in file.read_text(encoding="utf-8")
    with serving(tmp_path / "empty", tmp_path / "nginx", port, **lines):
        answers = {target: ask(port, "t0", target) for target in expected(redirects)}
        others = {ask(port, "t0", target) for target in near(redirects)}
    wanted = {target: answer.replace("$", "%24") for target, answer in expected(redirects).items()}
    assert (answers, others, left) == (wanted, {"404"}, [])


@pytest.mark.parametrize("seed", [3, 4])
def test_apache_redirects_each_url_and_no_other(seed: int, tools: Tools, tmp_path: Path) -> None:
    redirects = random_redirects(seed, "t0")
    file, left = write(redirects, "apache", tmp_path)
    apache = Apache()
    apache.install(tools)
    requests = [*expected(redirects), *near(redirects)]
    case = Case({".htaccess": file.read_text(encoding="utf-8")}, requests)
    apache.ask([case], tools)
    answers = dict(zip(requests, case.answers, strict=True))
    wanted = {
        target: answer.replace("\\", "%5C").removesuffix("?")  # It drops an empty query.
        for target, answer in expected(redirects).items()
    }
    assert {target: answers[target] for target in wanted} == wanted
    assert {answers[target].partition(" ")[0] for target in near(redirects)} <= {"404", "403"}
    assert left == []


def test_netlify_redirects_each_url_that_it_can(tools: Tools, tmp_path: Path) -> None:
    redirects = random_redirects(5, "example.com")
    file, left = write(redirects, "netlify", tmp_path)
    netlify = NetlifyRedirects()
    netlify.install(tools)
    wanted = {
        urls.request_target(url): f"301 {target}"
        for url, target in redirects.targets.items()
        if url not in left
    }
    case = Case({"_redirects": file.read_text(encoding="utf-8")}, [*wanted])
    netlify.ask([case], tools)
    assert dict(zip(wanted, case.answers, strict=True)) == wanted
    assert len(wanted) > 10
    assert all("?" in url or ":" in url[8:] or "*" in url for url in left)


def test_the_table_has_every_url(tmp_path: Path) -> None:
    redirects = random_redirects(6, "t0")
    file, _ = write(redirects, "csv", tmp_path)
    rows = [*csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    assert {row["url"]: row["target"] for row in rows} == {
        **redirects.targets,
        **dict.fromkeys(redirects.gone, ""),
    }
    assert {row["status"] for row in rows} == {"301", "410"}


def table(*rows: tuple[str, str, str | None, str | None]) -> Redirects:
    """Return the redirects of changes, URLs, previous and final URLs."""
    with duckdb.connect() as connection:
        connection.execute(
            "create table changed_urls"
            " (change varchar, url varchar, previous_url varchar, final_url varchar)"
        )
        connection.executemany("insert into changed_urls values (?, ?, ?, ?)", rows)
        return read_redirects(connection)


def test_chains_are_flattened_and_circles_left_out() -> None:
    a, b, c, d, e, gone = (
        f"https://h.example/{name}" for name in ("a", "b", "c", "d", "e", "gone")
    )
    redirects = table(
        ("moved", b, a, None),
        ("redirected", b, None, c),
        ("redirected", d, None, e),
        ("redirected", e, None, d),
        ("redirected", "http://h.example/c", None, c),
        ("gone", gone, None, None),
        ("content-changed", "https://h.example/f", None, None),
    )
    assert redirects.targets == {a: c, b: c}
    assert redirects.gone == [gone]


def test_hosts_are_named_where_there_are_several(tmp_path: Path) -> None:
    one, other = "https://one.example", "https://other.example"
    redirects = Redirects({f"{one}/a": f"{other}/a", f"{other}/b": f"{other}/c"}, [])
    texts = {kind: write(redirects, kind, tmp_path)[0].read_text() for kind in KINDS}
    assert f"{one}/a {other}/a 301!\n" in texts["netlify"]
    assert texts["apache"].count("RewriteCond %{HTTP_HOST}") == 2
    assert f'    "one.example/a" "{other}/a";\n' in texts["nginx"]
