"""``scrapy``, but with short timeouts for a browser that does not respond.

``python -m tests.rendering.short_timeouts crawl …``
"""

from scrapy.cmdline import execute

from sitemapaudit.rendering import renderer

SECONDS = {"_MIN_TIMEOUT": 5.0, "_BROWSER_TIMEOUT": 3.0, "_CLOSE_TIMEOUT": 1.0}

if __name__ == "__main__":
    assert vars(renderer).keys() >= SECONDS.keys()
    vars(renderer).update(SECONDS)
    execute()
