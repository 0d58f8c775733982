"""Executes notebooks in one kernel, one after the other, none with the names of another."""

import json
from typing import Any, Self

import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient

from tests.support import PROJECT

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = sorted(file.stem for file in FOLDER.glob("*.ipynb"))


class Executed:
    """What an executed notebook shows, and its answer."""

    def __init__(self, document: nbformat.NotebookNode) -> None:
        _, *cells, last = document.cells
        self.answer: Any = json.loads(last.outputs[0].text)
        self.outputs = [output for cell in cells for output in cell.get("outputs", [])]

    @property
    def pictures(self) -> int:
        """How many it draws."""
        return sum("image/png" in output.get("data", {}) for output in self.outputs)

    @property
    def printed(self) -> str:
        """What its cells print."""
        return "".join(output.text for output in self.outputs if output.get("name") == "stdout")

    @property
    def complaints(self) -> list[nbformat.NotebookNode]:
        """Warnings, and pictures that failed."""
        return [
            output
            for output in self.outputs
            if output.output_type == "error" or output.get("name") == "stderr"
        ]


class Kernel:
    """A kernel; a context manager that shuts it down."""

    def __enter__(self) -> Self:
        self._manager = KernelManager()
        self._manager.start_kernel(cwd=str(FOLDER))
        return self

    def __exit__(self, *_: object) -> None:
        self._manager.shutdown_kernel(now=True)

    def execute(self, notebook: str, question: str, **environment: str) -> Executed:
        """Execute a notebook, and then what answers a question: an expression.

        Raises CellExecutionError if a cell does.
        """
        document = nbformat.read(FOLDER / f"{notebook}.ipynb", as_version=4)
        before = (
            "%reset -f\nimport os\n"
            "os.environ.pop('SITEMAPAUDIT_OLD', None)\n"
            f"os.environ |= {environment}"
        )
        after = f"import json\nprint(json.dumps({question}, default=str))"
        document.cells = [
            nbformat.v4.new_code_cell(before),
            *document.cells,
            nbformat.v4.new_code_cell(after),
        ]
        client = NotebookClient(document, km=self._manager, timeout=120)
        client.execute()
        assert client.kc is not None
        client.kc.stop_channels()
        return Executed(document)
