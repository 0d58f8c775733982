"""Executes notebooks in one kernel; each starts without the variables of the previous one.

To import Jupyter takes a fifth of a second, in each test process: only what starts a kernel does.
"""

# ruff: noqa: PLC0415 - see above
import json
import os
from typing import TYPE_CHECKING, Any, Self

from tests.support.paths import PROJECT

if TYPE_CHECKING:
    from nbformat import NotebookNode

FOLDER = PROJECT / "notebooks"
NOTEBOOKS = sorted(file.stem for file in FOLDER.glob("*.ipynb"))


class Executed:
    """The outputs of an executed notebook, and the value of an expression at its end."""

    def __init__(self, document: "NotebookNode") -> None:
        _, *cells, last = document.cells
        self.value: Any = json.loads(last.outputs[0].text)
        self.outputs = [output for cell in cells for output in cell.get("outputs", [])]

    @property
    def charts(self) -> int:
        """The number of charts."""
        return sum("image/png" in output.get("data", {}) for output in self.outputs)

    @property
    def printed(self) -> str:
        """The text that the cells print."""
        return "".join(output.text for output in self.outputs if output.get("name") == "stdout")

    @property
    def problems(self) -> list["NotebookNode"]:
        """Warnings, and charts that failed."""
        return [
            output
            for output in self.outputs
            if output.output_type == "error" or output.get("name") == "stderr"
        ]


class Kernel:
    """A running kernel; a context manager that shuts it down."""

    def __enter__(self) -> Self:
        from jupyter_client.manager import KernelManager

        self._manager = KernelManager()
        # The kernel imports the package from this project, installed or not.
        self._manager.start_kernel(cwd=str(FOLDER), env={**os.environ, "PYTHONPATH": str(PROJECT)})
        return self

    def __exit__(self, *_: object) -> None:
        self._manager.shutdown_kernel(now=True)

    def execute(
        self, notebook: str, expression: str, *, draw_twice: bool = True, **environment: str
    ) -> Executed:
        """Execute a notebook, and evaluate an expression with its variables.

        Jupyter draws each chart twice, first to measure it, which takes a third of the time.
        Without ``draw_twice``, it is drawn once, with its margins. Raises CellExecutionError if a
        cell fails.
        """
        import nbformat
        from nbclient import NotebookClient

        document = nbformat.read(FOLDER / f"{notebook}.ipynb", as_version=4)
        before = (
            "%reset -f\nimport os\n"
            "from matplotlib_inline.config import InlineBackend\n"
            "InlineBackend.instance(parent=get_ipython()).print_figure_kwargs = "
            f"{{'bbox_inches': {'tight' if draw_twice else None!r}}}\n"
            "for name in [name for name in os.environ if name.startswith('SITEMAPAUDIT_')]:\n"
            "    del os.environ[name]\n"
            f"os.environ |= {environment}"
        )
        after = f"import json\nprint(json.dumps({expression}, default=str))"
        document.cells = [
            nbformat.v4.new_code_cell(before),
            *document.cells,
            nbformat.v4.new_code_cell(after),
        ]
        client = NotebookClient(document, km=self._manager, timeout=120)
        try:
            client.execute()
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
        return Executed(document)
