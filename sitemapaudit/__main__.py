"""``python -m sitemapaudit``."""

import sys

from sitemapaudit.cli.main import main

sys.exit(main())
