"""The Scrapy settings of an audit, each with its reason.

The spider applies them below those of its project, so that other spiders of the project keep
Scrapy's. Each can be changed for one run: ``sitemapaudit audit www.example.com -s NAME=VALUE``.
The settings that begin with AUDIT_ and their defaults are in config/audit_settings.py.
"""

from sitemapaudit import __version__

# --- Components ---------------------------------------------------------------------------------
# A project adds its own to ITEM_PIPELINES, EXTENSIONS, DOWNLOADER_MIDDLEWARES, DOWNLOAD_HANDLERS.
ITEM_PIPELINES_BASE = {"sitemapaudit.extensions.pipeline.AuditPipeline": 100}
# Scrapy's extensions, except its console and remote control, which take a tenth of a second to
# import, and its feeds, which are replaced.
EXTENSIONS_BASE = {
    "sitemapaudit.extensions.core_stats.CoreStats": 0,
    "scrapy.extensions.logcount.LogCount": 0,
    "scrapy.extensions.memusage.MemoryUsage": 0,
    "scrapy.extensions.memdebug.MemoryDebugger": 0,
    "scrapy.extensions.closespider.CloseSpider": 0,
    "scrapy.extensions.logstats.LogStats": 0,
    "scrapy.extensions.spiderstate.SpiderState": 0,
    "scrapy.extensions.throttle.AutoThrottle": 0,
    "sitemapaudit.extensions.run_log.RunLog": 0,
    "sitemapaudit.extensions.progress.Progress": 0,
    "sitemapaudit.extensions.upload.Upload": 0,
    "sitemapaudit.extensions.alerts.Alerts": 0,
    # Scrapy's feeds, plus verdicts and findings; without -o or FEEDS they do nothing.
    "sitemapaudit.extensions.feeds.Feeds": 0,
}

# --- Identity and speed -------------------------------------------------------------------------
# Site owners find the requests in their logs by this name. Add your contact address.
USER_AGENT = f"sitemapaudit/{__version__}"
# The readers decode bodies within their limits; Scrapy does not.
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate, br",
}
# Polite, because the site may not be yours: at most five pages per second and four requests at a
# time per host, and fewer if it responds slowly. For your own site use AUDIT_SPEED=full.
CONCURRENT_REQUESTS = 40
CONCURRENT_REQUESTS_PER_DOMAIN = 4
DOWNLOAD_DELAY = 0.2
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.2
AUTOTHROTTLE_MAX_DELAY = 30
AUTOTHROTTLE_TARGET_CONCURRENCY = 2

# --- Responses are data -------------------------------------------------------------------------
# A redirect or an error is the response of its URL: no middleware may follow or drop it.
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
# Crawlers fetch each URL as a first visit does, without cookies.
COOKIES_ENABLED = False
# The crawl reads and obeys robots.txt of every host itself, and reports what it disallows.
ROBOTSTXT_OBEY = False
COMPRESSION_ENABLED = False
# Readers have their own limits and keep what they read up to there.
DOWNLOAD_MAXSIZE = 0
DOWNLOAD_WARNSIZE = 0
# Scrapy's middlewares drop responses and long URLs, or send a Referer, which no crawler does.
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
# Scrapy's middlewares except those that an audit replaces, which would be imported even if off: the
# download handler sets headers and timeouts, entries on other hosts are findings, and a redirect
# is the response of its URL. Add your middlewares to DOWNLOADER_MIDDLEWARES.
DOWNLOADER_MIDDLEWARES_BASE = {
    # A password is for the audited origin; Scrapy also sends it to its subdomains and over http.
    "sitemapaudit.fetching.site_password.SitePassword": 300,
    # A refused URL is retried after the wait in Retry-After, or a default one.
    "sitemapaudit.fetching.retries.PatientRetryMiddleware": 550,
    "sitemapaudit.fetching.request_stats.RequestStats": 850,
    # The spider adds cookies at 700 if they are on, and proxies at 750 if there are any.
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": 900,
    # Another download handler gets the identity, the limits and the address policy from here.
    "sitemapaudit.fetching.foreign_handlers.ForeignHandlers": 950,
    # Crawl-delay and Retry-After change the speed before the next request is sent.
    "sitemapaudit.hosts.pace_middleware.PaceMiddleware": 1000,
}
# The crawl fetches each URL once; Scrapy's filter takes ?a=1&b=2 and ?b=2&a=1 for the same URL.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

# No host gets a request while the bodies that are read, or wait for it, have more bytes than this.
# One host can have four bodies of 10 MiB: it must not delay the others.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 50_000_000

# --- Failures -----------------------------------------------------------------------------------
DOWNLOAD_TIMEOUT = 30
RETRY_TIMES = 2
# Those of our download handler. Scrapy's list names classes of its other handlers, which take a
# tenth of a second to import.
RETRY_EXCEPTIONS = [
    "scrapy.exceptions.CannotResolveHostError",
    "scrapy.exceptions.DownloadConnectionRefusedError",
    "scrapy.exceptions.DownloadFailedError",
    "scrapy.exceptions.DownloadTimeoutError",
    "scrapy.exceptions.ResponseDataLossError",
]
# A page that fails is a finding, not an error of the program.
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
# A bad certificate is a finding; an unverified response proves nothing.
DOWNLOAD_VERIFY_CERTIFICATES = True

# --- Safety -------------------------------------------------------------------------------------
# A loc can be file:///etc/passwd: only http and https URLs are fetched. The handler also limits
# response headers.
DOWNLOAD_HANDLERS_BASE = {
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
    "http": "sitemapaudit.fetching.http_handler.HttpHandler",
    "https": "sitemapaudit.fetching.http_handler.HttpHandler",
}
# No other process may control a run.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# --- Speed of the program itself ----------------------------------------------------------------
# A callback yields one item and a few requests: the default would start a hundred tasks for each.
CONCURRENT_ITEMS = 1
# Scrapy's downloader, without a task, a Deferred and a signal for each step of a request.
DOWNLOADER = "sitemapaudit.engine.downloader.Downloader"
# Scrapy's stats collector, without a check of each call.
STATS_CLASS = "sitemapaudit.engine.quick_stats.QuickStats"
# This check reads the source of the callback again for each page.
WARN_ON_GENERATOR_RETURN_VALUE = False

# The log is in the run folder; without LOG_FILE, only its warnings and errors are printed.
LOG_LEVEL = "INFO"
