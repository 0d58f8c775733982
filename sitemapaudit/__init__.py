"""Audits the XML sitemaps of a site.

    robots.txt → sitemap files → entries → page responses → findings → datasets → report
    robots/      sitemaps/       items/    pages/           rules/     datasets/  report/
                                           rendering/

From a notebook: ``open_run("audits/www.example.com")``.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitemapaudit.addon import Addon
    from sitemapaudit.datasets.run import Run, open_run, open_runs

__version__ = "0.1.0"
__all__ = ["Addon", "Run", "__version__", "open_run", "open_runs"]


def __getattr__(name: str) -> Any:
    # The command line and the crawl do not need the imports of notebooks.
    if name == "Addon":
        from sitemapaudit.addon import Addon  # noqa: PLC0415

        return Addon
    if name in __all__:
        from sitemapaudit.datasets import run  # noqa: PLC0415

        run.display = _display
        return getattr(run, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _display(run: "Run") -> str:
    """Return the HTML of a run: the report is above the tables, which cannot import it."""
    from sitemapaudit.report.run_display import render_run  # noqa: PLC0415

    return render_run(run.manifest, run.path)
