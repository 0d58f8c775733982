"""``sitemapaudit changed``: its output, its files, and what it sends to a server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.indexnow.sending import MEANINGS
from tests.indexnow.engine import KEY, Engine
from tests.support.commands import run_in_process
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.shared_runs import copy_of_run

pytestmark = pytest.mark.xdist_group("compare")


@pytest.fixture(scope="module")
def started() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


@pytest.fixture
def engine(started: Engine) -> Engine:
    """Return an engine that has received nothing; always at one address, which is in the runs."""
    started.reset()
    return started


def fine(url: str) -> Any:
    return fetched_page(url, noindex=False, canonical=url, content_type="text/html", is_html=True)


def build_runs(audits: Path, *urls: str) -> Path:
    """Build two runs; in the later one, the first URL is gone and the others are new."""
    first, *others = urls
    before, after = listed(first), listed(first, *others)
    copy_of_run(audits / "site" / "2026-11-20T00-00-00Z", [sitemap_of(before), before, fine(first)])
    pages = [fetched_page(first, 404), *map(fine, others)]
    copy_of_run(audits / "site" / "2026-11-21T00-00-00Z", [sitemap_of(after), after, *pages])
    return audits


def batches(folder: Path) -> dict[str, Any]:
    return {
        file.name: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.iterdir())
    }


A, B, C = (f"https://www.example.com/{name}" for name in "abc")
OTHER = "http://other.example/x"


def test_the_text_lists_each_change_with_examples(tmp_path: Path) -> None:
    urls = [f"https://www.example.com/{number:02}" for number in range(12)]
    done = run_in_process("changed", str(build_runs(tmp_path, A, *urls)))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "12 new: listed for the first time" in lines
    assert f"  {urls[0]}" in lines
    assert f"  {urls[10]}" not in lines
    assert "  and 2 more" in lines
    assert lines[lines.index("1 gone: now returns 404 or 410") + 1] == f"  {A}"


def test_the_runs_stay_as_they_are(tmp_path: Path) -> None:
    audits = build_runs(tmp_path, A, B)
    before = {file: file.read_bytes() for file in audits.rglob("*.*") if file.is_file()}
    assert run_in_process("changed", str(audits), "--csv", str(tmp_path / "c.csv")).returncode == 0
    after = {file: file.read_bytes() for file in audits.rglob("*.*") if file.is_file()}
    assert after.keys() - before.keys() == {tmp_path / "c.csv"}
    assert before.items() <= after.items()


def test_redirects_are_written_next_to_the_runs(tmp_path: Path) -> None:
    audits, file = build_runs(tmp_path, A, B), tmp_path / "moved.conf"
    done = run_in_process("changed", str(audits), "--redirects", f"netlify={file}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\nRedirects    0 redirects, 1 gone URL: {file}\n")
    assert file.read_text(encoding="utf-8") == f"# gone: {A}\n"
    other = tmp_path / "moved.csv"
    kinds = ("--redirects", f"nginx={file}", "--redirects", f"csv={other}")
    both = run_in_process("changed", str(audits), *kinds)
    assert (both.returncode, both.stdout.count("\nRedirects ")) == (0, 2)
    assert (file.read_text(encoding="utf-8") != f"# gone: {A}\n", other.exists()) == (True, True)
    wrong = run_in_process("changed", str(audits), "--redirects", "ngnix")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "'ngnix' is not one of nginx, apache, netlify, csv" in wrong.stderr
    unwritable = run_in_process("changed", str(audits), "--redirects", f"csv={tmp_path}/no/x.csv")
    assert (unwritable.returncode, unwritable.stderr.count("\n")) == (2, 1)


def test_without_an_earlier_run_nothing_is_known(tmp_path: Path) -> None:
    first, second = sorted((build_runs(tmp_path, A, B) / "site").iterdir())
    done = run_in_process("changed", str(first))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("There is no run before")
    chosen = run_in_process("changed", str(first), "--since", str(second))
    assert "1 removed" in chosen.stdout


def test_batches_have_one_host_each_and_nothing_is_sent(tmp_path: Path) -> None:
    into = tmp_path / "batches"
    audits = build_runs(tmp_path / "audits", A, B, C, OTHER)
    done = run_in_process("changed", str(audits), "--indexnow", str(into), "--key", KEY)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"4 URLs in 2 files below {into}" in done.stdout
    assert batches(into) == {
        "other.example-1.json": {
            "host": "other.example",
            "key": KEY,
            "keyLocation": f"http://other.example/{KEY}.txt",
            "urlList": [OTHER],
        },
        "www.example.com-1.json": {
            "host": "www.example.com",
            "key": KEY,
            "keyLocation": f"https://www.example.com/{KEY}.txt",
            "urlList": [A, B, C],
        },
    }


def test_a_batch_has_at_most_10_000_urls(tmp_path: Path) -> None:
    into = tmp_path / "batches"
    urls = [f"https://www.example.com/{number}" for number in range(10_001)]
    audits = build_runs(tmp_path / "audits", A, *urls)
    run_in_process("changed", str(audits), "--indexnow", str(into), "--key", KEY)
    written = [batch["urlList"] for batch in batches(into).values()]
    assert [len(part) for part in written] == [10_000, 2]
    assert {url for part in written for url in part} == {A, *urls}


def test_a_key_file_in_a_folder_proves_only_what_is_below(tmp_path: Path) -> None:
    into = tmp_path / "batches"
    below = "https://www.example.com/shop/x"
    audits = build_runs(tmp_path / "audits", A, below, OTHER, "https://www.example.com/shopping")
    location = f"https://www.example.com/shop/{KEY}.txt"
    words = ["--indexnow", str(into), "--key", KEY, "--key-location", location]
    done = run_in_process("changed", str(audits), *words)
    (batch,) = batches(into).values()
    assert (batch["keyLocation"], batch["urlList"]) == (location, [below])
    assert "3 URLs not included" in done.stdout


def send(engine: Engine, tmp_path: Path, *words: str) -> tuple[int, str]:
    audits = build_runs(tmp_path / "audits", f"{engine.origin}/a", f"{engine.origin}/b")
    done = run_in_process(
        *("changed", str(audits), "--indexnow", str(tmp_path / "batches"), "--key", KEY),
        *("--send", "--endpoint", engine.endpoint, *words),
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, 0), (202, 0), (400, 3), (403, 3), (422, 3), (429, 3), (418, 3)],
)
def test_each_status_is_explained(
    engine: Engine, tmp_path: Path, status: int, expected: int
) -> None:
    engine.status = status
    returned, output = send(engine, tmp_path)
    assert returned == expected
    meaning = MEANINGS.get(status, "The protocol does not define this status.")
    assert f"-1.json: status {status}: {meaning}" in output
    assert engine.received == list(batches(tmp_path / "batches").values())
    assert engine.received[0]["urlList"] == [f"{engine.origin}/a", f"{engine.origin}/b"]
    assert engine.media_types == ["application/json; charset=utf-8"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [(None, "returns 404"), ("another key", "does not contain the key"), (KEY * 200, "does not")],
)
def test_nothing_is_sent_without_a_key_file(
    engine: Engine, tmp_path: Path, text: str | None, fault: str
) -> None:
    engine.key_files = {} if text is None else {f"/{KEY}.txt": text}
    returned, output = send(engine, tmp_path)
    assert returned == 3
    assert f"Not sent: The key file {engine.origin}/{KEY}.txt {fault}" in output
    assert engine.received == []


def test_no_redirect_is_followed(engine: Engine, tmp_path: Path) -> None:
    proof, elsewhere = f"/{KEY}.txt", f"{engine.origin}/other.txt"
    engine.key_files = {"/other.txt": KEY}
    engine.redirects = {proof: elsewhere}
    returned, output = send(engine, tmp_path / "key")
    assert (returned, engine.requested) == (3, [proof])
    assert f"Not sent: The key file {engine.origin}{proof} redirects to {elsewhere}" in output
    engine.key_files = {proof: KEY}
    engine.redirects = {"/indexnow": f"{engine.origin}/elsewhere"}
    returned, output = send(engine, tmp_path / "endpoint")
    assert (returned, engine.received, engine.requested[1:]) == (3, [], [proof, "/indexnow"])
    assert "status 302: The protocol does not define this status." in output


def test_no_private_address_is_asked_that_the_user_did_not_name(
    engine: Engine, tmp_path: Path
) -> None:
    audits = build_runs(tmp_path / "audits", f"{engine.origin}/a", f"{engine.origin}/b")
    words = ["--indexnow", str(tmp_path / "batches"), "--key", KEY, "--send"]
    done = run_in_process("changed", str(audits), *words)
    assert done.returncode == 3
    assert "cannot be fetched: 127.0.0.1 is a private address" in done.stdout
    assert engine.requested == []


def test_an_endpoint_that_does_not_respond_is_one_sentence(engine: Engine, tmp_path: Path) -> None:
    with Engine() as stopped:
        dead = stopped.endpoint
    allowed = ("-s", "AUDIT_PRIVATE_HOSTS=127.0.0.1")
    returned, output = send(engine, tmp_path, "--endpoint", dead, *allowed)
    assert returned == 3
    assert "The endpoint does not respond: " in output


def test_after_too_many_requests_nothing_else_is_sent(engine: Engine, tmp_path: Path) -> None:
    engine.status = 429
    other = f"{engine.origin.replace('127.0.0.1', 'localhost')}/b"
    audits = build_runs(tmp_path / "audits", f"{engine.origin}/a", other)
    done = run_in_process(
        *("changed", str(audits), "--indexnow", str(tmp_path / "batches"), "--key", KEY),
        *("--send", "--endpoint", engine.endpoint),
    )
    assert done.returncode == 3
    assert [batch["host"] for batch in engine.received] == [engine.origin.partition("//")[2]]
    assert "-1.json: Not sent: the endpoint received too many requests." in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--indexnow", "{into}"], "--indexnow needs --key"),
        (["--key", KEY], "--key needs --indexnow"),
        (["--send"], "--send needs --indexnow"),
        (["--indexnow", "{into}", "--key", KEY, "--endpoint", "http://x"], "--endpoint needs"),
        (["--indexnow", "{into}", "--key", "short"], "--key: 'short' must be 8 to 128 letters"),
        (
            ["--indexnow", "{into}", "--key", KEY, "--key-location", "key.txt"],
            "--key-location: 'key.txt' is not an http(s) URL",
        ),
        (
            ["--indexnow", "{into}", "--key", KEY, "--send", "--endpoint", "api"],
            "--endpoint: 'api' is not an http(s) URL",
        ),
        (["--indexnow", "{audits}", "--key", KEY], "is not empty; name another folder"),
        (["--indexnow", "{file}", "--key", KEY], "is not a folder"),
        (["--min-change", "2"], "argument --min-change: '2' is not a share from 0 to 1"),
        (["--since", "{into}"], "There is no run folder"),
        (["--since", "{audits}"], "cannot be compared with itself"),
        (["--csv", "{into}/missing/c.csv"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, words: list[str], sentence: str) -> None:
    audits = build_runs(tmp_path / "audits", A, B)
    file = tmp_path / "file"
    file.touch()
    places = {"audits": audits, "into": tmp_path / "into", "file": file}
    done = run_in_process("changed", str(audits), *(word.format(**places) for word in words))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize("argument", [{"staging": "http://127.0.0.1"}, {"folder": "public"}])
def test_engines_do_not_learn_of_a_site_before_it_is_live(
    tmp_path: Path, argument: dict[str, str]
) -> None:
    audits = build_runs(tmp_path / "audits", A, B)
    run = open_run(audits)
    run.manifest.arguments |= argument
    run.manifest.write(run.path)
    words = ["--indexnow", str(tmp_path / "into"), "--key", KEY]
    assert run_in_process("changed", str(audits)).returncode == 0
    done = run_in_process("changed", str(audits), *words)
    assert done.returncode == 2
    assert "before it is live" in done.stderr
