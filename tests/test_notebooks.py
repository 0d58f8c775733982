"""The notebooks run from top to bottom on a real run, and are shipped without their outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.sites.website import Website
from tests.support import PROJECT, crawl

NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Website("canonicals") as website:
        assert crawl(tmp_path, {"site": website.origin}).status == 0
    monkeypatch.setenv("SITEMAPAUDIT_RUN", str(tmp_path))
    document = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        document, timeout=120, resources={"metadata": {"path": notebook.parent}}
    )
    client.execute()
    outputs = [output for cell in document.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_shipped_without_outputs(notebook: Path) -> None:
    document = nbformat.read(notebook, as_version=4)
    for cell in document.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
