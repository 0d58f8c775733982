"""Audits the XML sitemaps of a site.

    robots.txt → sitemap files → entries → page responses → findings → datasets → report
    robots.py    sitemaps/       Entry     pages/           rules/     datasets/  report/
                                           rendering/

From a notebook: ``open_run("audits/www.example.com")``.
"""

from sitemapaudit.datasets.run import Run, open_run, open_runs

__version__ = "0.1.0"
__all__ = ["Run", "__version__", "open_run", "open_runs"]
