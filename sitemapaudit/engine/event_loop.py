"""The event loop of asyncio, which every audit needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object
from scrapy.utils.reactor import is_asyncio_reactor_installed, is_reactor_installed

from sitemapaudit.config import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_NAME: Final = "TWISTED_REACTOR"
_ASYNCIO: Final = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"


def choose_event_loop(settings: BaseSettings) -> None:
    """Let Scrapy use asyncio where TWISTED_REACTOR is empty, unless a reactor runs already.

    Scrapy would use the default reactor of the system. It sets the options of the command line
    again afterwards, so the priority is above theirs.
    """
    if not settings[_NAME] and not is_reactor_installed():
        settings.set(_NAME, _ASYNCIO, SETTINGS_PRIORITIES["cmdline"] + 1)


def check_event_loop(settings: BaseSettings) -> None:
    """Raise ConfigError if the audit would run in a reactor without asyncio."""
    if not settings.getbool("TWISTED_REACTOR_ENABLED"):
        return
    if is_reactor_installed():
        if not is_asyncio_reactor_installed():
            raise ConfigError(
                "The installed reactor of Twisted has no event loop of asyncio, which an audit"
                f" needs; install {_ASYNCIO} before it."
            )
    elif (reactor := settings[_NAME]) and not _has_asyncio(reactor):
        raise ConfigError(f"{_NAME}: {reactor} has no event loop of asyncio, which an audit needs.")


def _has_asyncio(reactor: str) -> bool:
    """Return whether a class of reactors has asyncio. Raises ConfigError if there is none."""
    if reactor == _ASYNCIO:
        return True
    # Few runs name another one.
    from twisted.internet.asyncioreactor import AsyncioSelectorReactor  # noqa: PLC0415

    try:
        return issubclass(load_object(reactor), AsyncioSelectorReactor)
    except (ImportError, NameError, TypeError, ValueError) as error:
        raise ConfigError(f"{_NAME}: {reactor!r} is not the name of a reactor.") from error
