"""The settings of Scrapy that an audit needs, each with its reason.

Every one can be set for one run: ``scrapy crawl sitemap -a site=… -s NAME=VALUE``.
The settings that begin with AUDIT_, and their defaults, are in config/settings.py.
"""

BOT_NAME = "sitemapaudit"
SPIDER_MODULES = ["sitemapaudit.spiders"]
COMMANDS_MODULE = "sitemapaudit.commands"
ITEM_PIPELINES = {"sitemapaudit.pipelines.AuditPipeline": 100}
EXTENSIONS = {
    "sitemapaudit.progress.Progress": 0,
    # Scrapy's own feeds, with verdicts and findings in them; nothing happens without -o or FEEDS.
    "scrapy.extensions.feedexport.FeedExporter": None,
    "sitemapaudit.feeds.Feeds": 0,
}

# --- Who asks, and how fast ---------------------------------------------------------------------
# The name by which site owners find the requests in their logs. Add an address of yours.
USER_AGENT = "sitemapaudit/0.1"
# Bodies are decoded by the readers, within their caps, and not by Scrapy.
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br",
}
# Polite, since the site may be somebody else's: at most five pages a second and four at once from
# one host, and fewer where it answers slowly (a request is under way half of the time). A site of
# your own can take more: AUDIT_SPEED=full.
CONCURRENT_REQUESTS = 40
CONCURRENT_REQUESTS_PER_DOMAIN = 4
DOWNLOAD_DELAY = 0.2
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.2
AUTOTHROTTLE_MAX_DELAY = 30
AUTOTHROTTLE_TARGET_CONCURRENCY = 2

# --- What an answer is --------------------------------------------------------------------------
# A redirect is the answer of its URL, and an error is data: nothing may follow or drop them.
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
# Each URL is asked for as a first visit would, as crawlers do.
COOKIES_ENABLED = False
# robots.txt of every host is read and obeyed by the spider, which tells what it forbids.
ROBOTSTXT_OBEY = False
COMPRESSION_ENABLED = False
# Readers have caps of their own, and keep what they read up to those.
DOWNLOAD_MAXSIZE = 0
DOWNLOAD_WARNSIZE = 0
SPIDER_MIDDLEWARES = {
    # These would drop answers and long URLs, or send a Referer that no crawler sends.
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
}
DOWNLOADER_MIDDLEWARES = {
    # Entries may name other hosts: that is a finding, not a reason to look away.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
}
# The tables count statuses and bytes; counting them twice costs time for each page.
DOWNLOADER_STATS = False
# Each URL is asked for once by the spider's own account; Scrapy's takes ?a=1&b=2 for ?b=2&a=1.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

# --- Failures -----------------------------------------------------------------------------------
DOWNLOAD_TIMEOUT = 30
RETRY_TIMES = 2
# That a page fails is a finding, and no error of the program.
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
# A bad certificate is a finding; unverified answers prove nothing.
DOWNLOAD_VERIFY_CERTIFICATES = True

# --- Safety -------------------------------------------------------------------------------------
# A loc may say file:///etc/passwd: only http and https are ever asked for. The headers of an answer
# may be endless.
DOWNLOAD_HANDLERS = {
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
    "http": "sitemapaudit.crawling.handler.HttpHandler",
    "https": "sitemapaudit.crawling.handler.HttpHandler",
}
# Resolves IPv6 as well, and each address is checked before it is connected to.
TWISTED_DNS_RESOLVER = "scrapy.resolver.CachingHostnameResolver"
# Nobody else may control a run.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# --- Speed of the program itself ----------------------------------------------------------------
# A callback yields one item and a few requests: Scrapy's default starts a hundred tasks for each.
CONCURRENT_ITEMS = 1
# It would read the source of the callback again for each page.
WARN_ON_GENERATOR_RETURN_VALUE = False

LOG_LEVEL = "INFO"
