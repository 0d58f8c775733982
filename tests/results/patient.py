"""The program ``sitemapaudit``, whose second process waits for the end of any crawl.

``python -m tests.results.patient audit …``. The variable ``SILENCE`` is how long that process may
give no sign of life.
"""

import os

from sitemapaudit.cli.main import start
from sitemapaudit.results import builder, process

SECONDS = 300.0

if __name__ == "__main__":
    assert hasattr(builder, "PATIENCE")
    assert hasattr(process, "SILENCE")
    vars(builder)["PATIENCE"] = SECONDS
    vars(process)["SILENCE"] = float(os.environ.get("SILENCE", process.SILENCE))
    start()
