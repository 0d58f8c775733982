"""A program that crashes, hangs or prints nonsense fails that case, and answers the next one."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.cases import Case, File
from tests.conformance.programs import ADAPTERS, Adapter, NotInstalledError, judge, start

SCRIPT = """
import json, os, sys, time, urllib.request
print(json.dumps({"name": "toy", "version": "1", "tells": {"sitemap": ["urls"]},
                  "without": ["text"]}), flush=True)
for line in sys.stdin:
    start = json.loads(line)["start"]
    match start.rpartition("/")[2]:
        case "crash": os._exit(1)
        case "hang": time.sleep(60)
        case "nonsense": print("nonsense", flush=True)
        case "error": print(json.dumps({"error": "it is damaged"}), flush=True)
        case "skip": print(json.dumps({"not_applicable": "a reason"}), flush=True)
        case _:
            found = urllib.request.urlopen(start).read().decode().split()
            print(json.dumps({"urls": found}), flush=True)
"""


@pytest.fixture(scope="module")
def toy() -> Iterator[Adapter]:
    adapter = Adapter([sys.executable, "-S", "-c", SCRIPT], answering=2)
    yield adapter
    adapter.stop()


def case(
    start: str, *urls: str, topic: str = "urlset", fact: str = "urls", kind: str = "sitemap"
) -> Case:
    return Case(
        id=start,
        level="must",
        source="https://a.example",
        section="1",
        says="It lists a page.",
        files={f"/{start}": File(body="{site}/a")},
        kind=kind,
        start=f"/{start}",
        expect={fact: list(urls)},
        topic=topic,
    )


GOOD = case("map", "{site}/a")

OUTCOMES = [
    (GOOD, True, ""),
    (case("map", "{site}/b"), False, "urls: ["),
    (case("crash", "{site}/a"), False, "ended"),
    (case("hang", "{site}/a"), False, "no answer"),
    (case("nonsense", "{site}/a"), False, "malformed"),
    (case("error", "{site}/a"), False, "it is damaged"),
    (case("error"), True, ""),
    (case("skip"), None, "a reason"),
    (case("map", topic="text"), None, "not a subject"),
    (case("map", kind="page"), None, "not a subject"),
    (case("map", fact="sitemaps"), None, "none of these facts"),
]


@pytest.mark.parametrize(("asked", "passed", "reason"), OUTCOMES)
def test_each_case_has_its_outcome(
    toy: Adapter, asked: Case, passed: bool | None, reason: str
) -> None:
    outcome = judge(toy, asked)
    assert outcome.passed is passed
    assert reason in outcome.reason
    assert judge(toy, GOOD).passed is True


def test_a_program_that_does_not_start_is_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADAPTERS, "toy", [sys.executable, "-S", "-c", ""])
    with pytest.raises(NotInstalledError, match="toy"):
        start("toy", tmp_path)
