"""``sitemapaudit notebooks``: copies every notebook into a folder, and overwrites nothing."""

from pathlib import Path

from tests.notebooks.kernel import FOLDER, NOTEBOOKS
from tests.support.commands import run_in_process


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_notebooks_are_copied_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    done = run_in_process("notebooks", str(folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{len(NOTEBOOKS) + 1} files in {folder}.")
    copied = contents(folder)
    assert copied.keys() == {"charts.py", *(f"{name}.ipynb" for name in NOTEBOOKS)}
    assert all((FOLDER / name).read_bytes() == content for name, content in copied.items())

    (folder / "first-look.ipynb").write_text("mine")
    (folder / "charts.py").unlink()
    again = run_in_process("notebooks", str(folder))
    expected = f"{folder / 'first-look.ipynb'} exists; choose another folder.\n"
    assert (again.returncode, again.stdout, again.stderr) == (2, "", expected)
    assert contents(folder).keys() == copied.keys() - {"charts.py"}
    assert (folder / "first-look.ipynb").read_text() == "mine"
    inside = run_in_process("notebooks", str(folder / "first-look.ipynb" / "below"))
    assert (inside.returncode, len(inside.stderr.splitlines())) == (2, 1)
