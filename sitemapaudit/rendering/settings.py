"""The settings of Scrapy and scrapy-playwright under which a run has a browser.

They are set only where something is to be rendered: without them no driver and
no browser is started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies

from sitemapaudit.rendering.browser import Browser
from sitemapaudit.rendering.gate import Gate
from sitemapaudit.rendering.renderer import SLOT

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_HANDLER: Final = "sitemapaudit.rendering.handler.BrowserHandler"

_ARGUMENTS: Final = (
    "--disable-dev-shm-usage",  # Containers have little shared memory.
    "--disable-gpu",
    "--disable-quic",  # All traffic goes through the gate, which speaks TCP.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def browser_settings(
    browser: Browser, gate: Gate, tabs: int, settings: BaseSettings
) -> dict[str, Any]:
    """Return the settings; what the user has set for Playwright stands above ours."""
    launch = {
        "executable_path": browser.program,
        "chromium_sandbox": browser.sandbox,
        "headless": True,
        "args": list(_ARGUMENTS),
        "proxy": {"server": gate.address},
        # Whoever stops a run stops it once: Scrapy ends, and then the browser.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }
    proxies = getproxies()
    proxy = proxies.get("https") or proxies.get("http")
    if proxy:
        # Behind a proxy the proxy resolves names, and which addresses it admits is its own affair.
        launch["proxy"] = _proxy(proxy) | {"bypass": proxies.get("no", "")}
    slot = {"concurrency": tabs, "delay": 0, "jitter": 0, "throttle": False}
    return {
        "DOWNLOAD_HANDLERS": settings.getdict("DOWNLOAD_HANDLERS")
        | {"http": _HANDLER, "https": _HANDLER},
        "DOWNLOAD_SLOTS": settings.getdict("DOWNLOAD_SLOTS") | {SLOT: slot},
        "PLAYWRIGHT_BROWSER_TYPE": "chromium",
        "PLAYWRIGHT_LAUNCH_OPTIONS": launch | settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS"),
        "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": tabs,
        # The browser sends what browsers send; the name of the auditor comes with the context.
        "PLAYWRIGHT_PROCESS_REQUEST_HEADERS": None,
    }


def _proxy(address: str) -> dict[str, str]:
    """Return a proxy as Playwright takes it: a password would stand in the list of processes."""
    parts = urlsplit(address if "://" in address else f"http://{address}")
    chosen = {"server": f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"}
    if parts.username:
        chosen |= {"username": unquote(parts.username), "password": unquote(parts.password or "")}
    return chosen


def context_options(settings: BaseSettings, origin: str) -> dict[str, Any]:
    """Return the options of a context of the browser; a password is for the audited site alone."""
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
