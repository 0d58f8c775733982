"""``entries_from``: which runs it accepts, and what it takes over from them."""

import json
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.config import Config
from sitemapaudit.config.options import ConfigError


def finished(run: Path, **arguments: str) -> Path:
    """Write what is read of a finished run; return its folder."""
    run.mkdir(parents=True)
    manifest: dict[str, Any] = {
        "arguments": {"site": "www.example.com", "agent": "Bingbot", "pages": "none", **arguments},
        "settings": {},
        "versions": {},
        "started": "2026-11-21T12:00:00Z",
        "status": "finished",
    }
    (run / "run.json").write_text(json.dumps(manifest))
    (run / "urls.parquet").touch()
    return run


def read(run: Path, **arguments: str) -> Config:
    return Config.read({"entries_from": str(run), **arguments}, {"DOWNLOAD_TIMEOUT": 10})


def test_the_site_and_the_crawlers_are_those_of_the_run(tmp_path: Path) -> None:
    run = finished(tmp_path / "run", sitemap="https://www.example.com/a.xml", exclude="x")
    config = read(tmp_path, shard="2/3", agent="Bingbot")
    arguments = config.arguments
    assert [site.origin for site in arguments.site] == ["https://www.example.com"]
    assert (arguments.sitemap, arguments.agent) == (("https://www.example.com/a.xml",), "Bingbot")
    assert (arguments.pages, arguments.exclude) == ("all", None)
    recorded, _ = config.recorded_values()
    assert recorded["entries_from"] == str(run.resolve())
    assert recorded["site"] == "www.example.com"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"site": "www.example.org"}, "site was www.example.com in "),
        ({"staging": "https://staging.example.com"}, "staging was not given in "),
        ({"pages": "100"}, "a sample is drawn from all entries"),
        ({"render": "5"}, "a sample is drawn from all entries"),
        ({"folder": "."}, "every run reads its folder itself"),
    ],
)
def test_other_entries_are_refused(arguments: dict[str, str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"^entries_from: {reason}"):
        read(finished(tmp_path / "run"), **arguments)


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        ({"shard": "1/2"}, "is a shard; name a whole run"),
        ({"folder": "/build"}, "has folder; name a run of the site itself"),
        ({"entries_from": "/run"}, "has entries_from; name a run of the site itself"),
        ({"site": "demo"}, "every run has its own demo"),
    ],
)
def test_a_run_without_all_entries_is_refused(
    recorded: dict[str, str], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=reason):
        read(finished(tmp_path / "run", **recorded))


def test_a_run_that_is_not_finished_is_refused(tmp_path: Path) -> None:
    run = finished(tmp_path / "run")
    (run / "urls.parquet").unlink()
    with pytest.raises(ConfigError, match="has no tables: sitemapaudit report "):
        read(run)
    (run / "run.json").write_text((run / "run.json").read_text().replace("finished", "failed"))
    (run / "urls.parquet").touch()
    with pytest.raises(ConfigError, match="is not finished; resume it"):
        read(run)
    with pytest.raises(ConfigError, match=r"^entries_from: .*no run folder"):
        read(tmp_path / "nowhere")
