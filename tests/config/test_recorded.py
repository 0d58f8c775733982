"""A run that is reported or merged again has the settings that it was made with."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.config.effects import NEEDS
from sitemapaudit.runs.folders import find_run
from tests.config.recorded_site import (
    CHOSEN,
    LOGO,
    MERGED,
    NAMES,
    REBUILT,
    Site,
    default_of,
    differing,
    effect,
    recorded,
    results,
    setting,
)
from tests.support.audits import crawl
from tests.support.commands import run_in_process, scrapy

pytestmark = pytest.mark.xdist_group("recorded")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


def audit(folder: Path, site: Site, **arguments: str) -> Path:
    """Audit the site with every setting chosen that has an effect; return the run folder."""
    logo = folder / "logo.svg"
    logo.write_text(LOGO, encoding="utf-8")
    settings = {setting(name): value for name, value in CHOSEN.items()}
    # A whole run has results, a shard has them when it is merged; neither sends an alert.
    others = {*NEEDS, setting("notify")}
    if "shard" not in arguments:
        others.add(setting("results"))
    settings = {name: value for name, value in settings.items() if name not in others}
    settings[setting("report_logo")] = str(logo)
    settings[setting("dir")] = str(folder / "audits")
    settings[setting("upload")] = f"file://{folder / 'store'}"
    done = crawl(folder / "audits", {"site": site.origin, "links": "record", **arguments}, settings)
    assert done.status == 0, done.log
    logo.unlink()
    return find_run(folder / "audits")


@pytest.fixture(scope="module")
def audited(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run folder of an audit with every setting chosen; its logo is gone."""
    return audit(tmp_path_factory.mktemp("whole"), site)


@pytest.fixture
def run(audited: Path, tmp_path: Path) -> Path:
    """Return a copy of that run."""
    return Path(copytree(audited, tmp_path / "www.example.com" / audited.name))


@pytest.fixture(scope="module")
def shards(site: Site, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the run folders of two shards of such an audit."""
    folders = [tmp_path_factory.mktemp(f"shard-{index}") for index in (1, 2)]
    return [
        audit(folder, site, shard=f"{index}/2") for index, folder in enumerate(folders, start=1)
    ]


def defaults_of(names: Iterable[str]) -> list[str]:
    """Return the words that set these settings to their defaults."""
    given = (f"{setting(name)}={default_of(name)}" for name in names)
    return [word for each in given for word in ("-s", each)]


def report(*words: object) -> None:
    done = run_in_process("report", *map(str, words))
    assert done.returncode in (0, 1), done.stderr


def test_every_setting_has_a_value_that_is_not_its_default(tmp_path: Path) -> None:
    assert CHOSEN.keys() == set(NAMES)
    (tmp_path / "logo.svg").write_text(LOGO, encoding="utf-8")
    given = {**CHOSEN, "report_logo": str(tmp_path / "logo.svg"), "dir": "elsewhere"}
    chosen = AuditSettings.from_scrapy({setting(name): value for name, value in given.items()})
    same = [name for name in NAMES if getattr(chosen, name) == getattr(AuditSettings(), name)]
    assert same == []


def test_a_run_that_is_reported_again_stays_the_same(run: Path) -> None:
    before = results(run)
    report(run)
    assert differing(before, results(run)) == set()


def halves(names: Iterable[str]) -> Iterator[set[str]]:
    """Return every other setting, and the others: each half shows that it leaves the other."""
    ordered = sorted(names)
    yield {*ordered[::2]}
    yield {*ordered[1::2]}


def changed_effects(before: Path, after: Path) -> set[str]:
    """Return the settings whose effects on the results of two runs differ."""
    return {name for name in MERGED if effect(before, name) != effect(after, name)}


def assert_given(run: Path, names: Iterable[str]) -> None:
    """Check that a run records the defaults of settings, as given on the command line."""
    set_by = json.loads((run / "run.json").read_bytes())["set_by"]
    for name in names:
        chosen = AuditSettings.from_scrapy({setting(name): default_of(name)}).recorded()
        assert recorded(run, name) == json.loads(json.dumps(chosen[setting(name)]))
        assert set_by[setting(name)] == "command line"


def test_settings_given_now_take_precedence_and_stay(audited: Path, run: Path) -> None:
    given: set[str] = set()
    for names in halves(REBUILT):
        given |= names
        report(run, *defaults_of(names))
        # Formats that a run has are rebuilt.
        assert changed_effects(audited, run) == given - {"formats"}
        assert_given(run, given)
    before = results(run)
    report(run)
    assert differing(before, results(run)) == set()


@pytest.fixture(scope="module")
def merged(shards: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run that the shards are merged into."""
    into = tmp_path_factory.mktemp("merged") / "run"
    report(*shards, "--into", into)
    return into


def test_shards_that_are_merged_again_give_the_same_run(
    shards: list[Path], merged: Path, tmp_path: Path
) -> None:
    report(*shards, "--into", tmp_path / "run")
    assert differing(results(merged), results(tmp_path / "run")) == set()


def test_settings_given_to_a_merge_take_precedence_and_stay(
    shards: list[Path], merged: Path, tmp_path: Path
) -> None:
    for index, names in enumerate(halves(MERGED)):
        run = tmp_path / str(index)
        report(*shards, "--into", run, *defaults_of(names))
        assert changed_effects(merged, run) == names
        assert_given(run, names)
    before = results(run)
    report(run)
    assert differing(before, results(run)) == set()


def test_a_comparison_keeps_the_title_and_the_logo(run: Path, tmp_path: Path) -> None:
    earlier = run.parent / "2020-01-01T00-00-00Z"
    copytree(run, earlier)
    report(run)
    before = results(run)
    assert run_in_process("compare", str(earlier), str(run)).returncode == 0
    assert differing(before, results(run)) == set()


def test_a_resumed_run_records_the_settings_given_now(run: Path) -> None:
    manifest = json.loads((run / "run.json").read_bytes())
    (run / "run.json").write_text(json.dumps(manifest | {"status": "running", "finished": None}))
    words = ["-a", f"resume={run}", "-s", "AUDIT_DEEP_CLICKS=7"]
    assert scrapy("crawl", "sitemap", *words).returncode == 0
    resumed = json.loads((run / "run.json").read_bytes())
    assert resumed["settings"] == manifest["settings"] | {"AUDIT_DEEP_CLICKS": 7}
    assert resumed["set_by"] == manifest["set_by"]
    assert resumed["set_by"]["AUDIT_DEEP_CLICKS"] == "command line"


def test_no_header_of_staging_is_recorded(site: Site, tmp_path: Path) -> None:
    settings = {"AUDIT_STAGING_HEADERS": "Cookie=preview=1"}
    done = crawl(tmp_path, {"site": "www.example.com", "staging": site.origin}, settings)
    assert "preview=1" not in "".join(map(repr, results(done.run.path).values()))
