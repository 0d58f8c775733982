"""The settings of Scrapy and scrapy-playwright for a run with a browser.

They are set only if pages are rendered: without them, no driver and no browser starts.
"""

from typing import Any, Final

from scrapy.settings import BaseSettings

from sitemapaudit.config import Config, ConfigError
from sitemapaudit.fetching.foreign_handlers import BEHIND_BROWSER, HANDLERS, handlers_of
from sitemapaudit.rendering.browser import Browser
from sitemapaudit.rendering.browser_proxy import BrowserProxy
from sitemapaudit.rendering.renderer import PAGES_PER_CONTEXT, SLOT

_HANDLER: Final = "sitemapaudit.rendering.browser_handler.BrowserHandler"

_PREFETCHES: Final = (
    "kPrefetchSchedulerTestingActiveSetSizeLimitForBase",
    "kPrefetchSchedulerTestingActiveSetSizeLimitForBurst",
)
_ARGUMENTS: Final = (
    "--disable-dev-shm-usage",  # Containers have little shared memory.
    "--disable-gpu",
    "--disable-quic",  # All traffic goes through the proxy, which speaks TCP.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # The older name
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # The proxy resolves names.
    "--proxy-bypass-list=<-loopback>",
    # Speculation rules prefetch and prerender past every interception: they are disabled.
    "--enable-features=PrefetchSchedulerTesting:" + "/".join(f"{name}/0" for name in _PREFETCHES),
)


_OTHER_BROWSERS: Final = (
    "PLAYWRIGHT_CDP_URL",
    "PLAYWRIGHT_CONNECT_URL",
    "PLAYWRIGHT_BROWSER_PROVIDER",
)


def check_browser(config: Config, settings: BaseSettings) -> None:
    """Raise ConfigError if no browser, or one without a known guard, would open pages.

    scrapy-playwright needs the reactor.
    """
    if config.renders and not settings.getbool("TWISTED_REACTOR_ENABLED"):
        raise ConfigError(
            "render: it needs Twisted's reactor: set TWISTED_REACTOR_ENABLED to true."
        )
    for name in _OTHER_BROWSERS:
        if config.renders and settings[name] and not config.settings.guarded_browser:
            raise ConfigError(
                f"{name}: pages could reach private networks from that browser; if something else"
                " prevents this, set AUDIT_GUARDED_BROWSER to true."
            )


def browser_settings(
    browser: Browser, proxy: BrowserProxy, concurrency: int, settings: BaseSettings
) -> dict[str, Any]:
    """Return the settings; the user's settings of Playwright take precedence.

    The arguments that keep the browser behind the proxy are an exception.
    """
    launch: dict[str, Any] = {
        "executable_path": browser.program,
        "chromium_sandbox": browser.sandbox,
        "headless": True,
        # A signal stops Scrapy, which stops the browser.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }
    launch |= settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    # Of two equal arguments, Chromium takes the last.
    launch["args"] = [*launch.get("args", ()), *_ARGUMENTS, _proxy_argument(proxy)]
    slot = {"concurrency": concurrency, "delay": 0, "jitter": 0, "throttle": False}
    return {
        BEHIND_BROWSER: handlers_of(settings),
        HANDLERS: settings.getdict(HANDLERS) | {"http": _HANDLER, "https": _HANDLER},
        "DOWNLOAD_SLOTS": settings.getdict("DOWNLOAD_SLOTS") | {SLOT: slot},
        "PLAYWRIGHT_BROWSER_TYPE": "chromium",
        "PLAYWRIGHT_LAUNCH_OPTIONS": launch,
        "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": PAGES_PER_CONTEXT,
        # Milliseconds in which a page that did not open may become a download.
        "PLAYWRIGHT_DOWNLOAD_TIMEOUT": 1_000,
        # The browser sends its usual headers; the context sets the user agent.
        "PLAYWRIGHT_PROCESS_REQUEST_HEADERS": None,
    }


def _proxy_argument(proxy: BrowserProxy) -> str:
    """Return the argument for the proxy.

    Web sockets prefer a SOCKS proxy (Chromium, "Proxy support"). This proxy does not speak SOCKS:
    it closes them all, in workers too.
    """
    socks = proxy.url.replace("http:", "socks5:")
    return f"--proxy-server=http={proxy.url};https={proxy.url};socks={socks}"


def context_options(settings: BaseSettings, origin: str) -> dict[str, Any]:
    """Return the options of a browser context; a password is only for the audited site."""
    options: dict[str, Any] = {
        "user_agent": settings.get("USER_AGENT"),
        "accept_downloads": False,
        "service_workers": "block",
        "ignore_https_errors": not settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
    }
    if settings.get("HTTPAUTH_USER"):
        options["http_credentials"] = {
            "username": settings.get("HTTPAUTH_USER"),
            "password": settings.get("HTTPAUTH_PASS") or "",
            "origin": origin,
        }
    return options
