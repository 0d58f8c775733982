"""Names of runs: each names a run of the folder, and none leads out of it."""

from pathlib import Path

import pytest

from sitemapaudit.audit_folder.answers import list_runs, summarize
from sitemapaudit.audit_folder.folder import AuditFolder, UnknownRunError
from tests.report.fleet import make_run

RUN = "a.example/2026-11-21T12-00-00Z"


@pytest.fixture
def folder(tmp_path: Path) -> AuditFolder:
    audits = tmp_path / "audits"
    make_run(audits, "a.example", 3, 1, day=14)
    make_run(audits, "a.example", 4)
    make_run(audits, "b.example", 5, 5, day=20)
    return AuditFolder(audits)


def test_a_run_is_found_by_its_name_and_a_site_means_its_newest_run(folder: AuditFolder) -> None:
    assert folder.name(folder.find(RUN)) == folder.name(folder.find("a.example")) == RUN
    assert folder.name(folder.find_earlier(folder.find(RUN))) == "a.example/2026-11-14T12-00-00Z"
    assert [folder.name(run) for run in folder.runs()][:2] == [
        RUN,
        "b.example/2026-11-20T12-00-00Z",
    ]
    assert len(folder.runs("a.example")) == 2
    assert folder.runs("c.example") == []


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "/",
        "a.example/",
        f"{RUN}/",
        f"{RUN}/log",
        "../outside",
        "a.example/..",
        "x\0",
    ],
)
def test_another_name_is_no_run(folder: AuditFolder, name: str) -> None:
    make_run(folder.path.parent, "outside", 1)
    for each in (name, f"a.example/../{name}", str(folder.path / name)):
        with pytest.raises(UnknownRunError):
            folder.find(each)


@pytest.mark.parametrize("link", ["a.example", RUN, f"{RUN}/urls.parquet", f"{RUN}/log"])
def test_no_link_leads_out_of_the_folder(folder: AuditFolder, link: str) -> None:
    inside = folder.path / link
    outside = folder.path.parent / "outside"
    if inside.exists():
        inside.rename(outside)
    else:
        outside.mkdir()
    inside.symlink_to(outside)
    assert RUN not in [folder.name(run) for run in folder.runs()]
    with pytest.raises(UnknownRunError):
        folder.find(RUN)


def test_a_run_that_cannot_be_read_hides_no_other(folder: AuditFolder) -> None:
    (folder.find(RUN) / "run.json").write_text("{")
    first, second, _ = list_runs(folder, "", 0, 9)["rows"]
    assert (first["run"], "cannot be read" in first["error"]) == (RUN, True)
    assert second["indexable"] == "50.0\N{NO-BREAK SPACE}% of 10 judged URLs are indexable."
    assert list_runs(folder, "", 1, 1)["next_offset"] == 2


def test_the_rules_of_a_summary_begin_with_the_most_severe(folder: AuditFolder) -> None:
    rules = summarize(folder, folder.find("b.example"))["rules"]
    assert [(each["rule"], each["severity"], each["findings"]) for each in rules] == [
        ("page-not-found", "error", 5),
        ("lastmod-missing", "notice", 1),
    ]
