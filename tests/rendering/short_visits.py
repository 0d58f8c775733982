"""``scrapy``, but with short timeouts for a page that is always busy.

``python -m tests.rendering.short_visits crawl …``
"""

from scrapy.cmdline import execute

from sitemapaudit.rendering import page_visit, renderer

if __name__ == "__main__":
    assert hasattr(renderer, "_MIN_TIMEOUT")
    assert hasattr(page_visit, "_SERIALIZE_TIMEOUT")
    vars(renderer)["_MIN_TIMEOUT"] = 5.0
    vars(page_visit)["_SERIALIZE_TIMEOUT"] = 3.0
    execute()
