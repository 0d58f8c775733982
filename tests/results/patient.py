"""The program ``sitemapaudit``, whose second process waits for the end of any crawl.

``python -m tests.results.patient audit …``
"""

from sitemapaudit.cli.main import start
from sitemapaudit.results import builder

SECONDS = 300.0

if __name__ == "__main__":
    assert hasattr(builder, "PATIENCE")
    vars(builder)["PATIENCE"] = SECONDS
    start()
