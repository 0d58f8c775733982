"""What a run records while it is open stays, however its process ends."""

from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals
from sitemapaudit.runs.manifest import Manifest

URL = "https://www.example.com/"


def test_comparisons_are_recorded_at_once(tmp_path: Path) -> None:
    run = AuditRun(tmp_path, "site", Manifest({}, {}, {}, ""))
    run.open(Audit(), links=False)
    agents = ComparedAgents(URL, "403", "200", browser_denied=False)
    canonicals = ComparedCanonicals(URL, ["Googlebot"], ["Bingbot"])
    run.note_comparison(agents)
    run.note_canonicals(canonicals)
    recorded = Manifest.read(run.folder)
    assert recorded.compared_agents == [agents]
    assert recorded.compared_canonicals == [canonicals]
    run.close("finished")
    run.release()
