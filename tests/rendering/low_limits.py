"""``scrapy``, but with low limits for pages that are always busy or request much.

``python -m tests.rendering.low_limits crawl …``
"""

from scrapy.cmdline import execute

from sitemapaudit.rendering import page_visit, renderer

MAX_REQUESTS = 60
LIMITS = {
    page_visit: {"MAX_REQUESTS": MAX_REQUESTS, "_SERIALIZE_TIMEOUT": 3.0},
    renderer: {"_MIN_TIMEOUT": 2.0},
}

if __name__ == "__main__":
    for module, limits in LIMITS.items():
        assert vars(module).keys() >= limits.keys()
        vars(module).update(limits)
    execute()
