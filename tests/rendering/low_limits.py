"""``scrapy``, but with low limits for pages that are always busy or request much.

``python -m tests.rendering.low_limits crawl …``
"""

from scrapy.cmdline import execute

from sitemapaudit.rendering import page_visit

MAX_REQUESTS = 60
LIMITS = {"MAX_REQUESTS": MAX_REQUESTS, "_SERIALIZE_TIMEOUT": 3.0}

if __name__ == "__main__":
    assert vars(page_visit).keys() >= LIMITS.keys()
    vars(page_visit).update(LIMITS)
    execute()
