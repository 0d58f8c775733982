"""Checks of the classes that Scrapy's settings name, before an audit starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config.options import ConfigError, sentence
from sitemapaudit.config.scrapy_settings import check_types

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_ORDERED: Final = ("ADDONS", "ITEM_PIPELINES", "EXTENSIONS", "DOWNLOADER_MIDDLEWARES")
"""Settings that give the order of each class."""

_NAMED: Final = ("DOWNLOAD_HANDLERS", "FEED_EXPORTERS", "FEED_STORAGES")
"""Settings that give a class for each name."""

_CLASS: Final = re.compile(r"scrapy(?:\.\w+)*\.[A-Z]\w+")
"""The default of a setting that names a class."""

_PIPELINE: Final = "sitemapaudit.extensions.pipeline.AuditPipeline"


def check_settings(settings: BaseSettings) -> None:
    """Raise ConfigError if no audit can run with the settings of its spider."""
    check_types(settings)
    check_components(settings)
    check_stats(settings)
    _check_pipeline(settings)


def check_components(settings: BaseSettings) -> None:
    """Raise ConfigError if a setting names a class that does not exist.

    An exception of a module that exists is a fault of that module: it has its traceback.
    """
    for name in _ORDERED:
        for path, order in settings.getdict(name).items():
            if order is not None:
                _check_order(name, path, order)
                _load(name, path)
    for name, path in _named_classes(settings):
        _load(name, path)
    for name in ("http", "https"):
        if settings.getdict("DOWNLOAD_HANDLERS").get(name, "") is None:
            raise ConfigError(f"DOWNLOAD_HANDLERS: an audit needs a handler of {name}.")


def _named_classes(settings: BaseSettings) -> Iterator[tuple[str, Any]]:
    """Yield each class that a setting names without an order, with the setting."""
    from scrapy.settings import default_settings  # noqa: PLC0415 - other commands need no Scrapy

    for name in _NAMED:
        yield from ((name, path) for path in settings.getdict(name).values())
    yield from (("RETRY_EXCEPTIONS", path) for path in settings.getlist("RETRY_EXCEPTIONS"))
    yield "ASYNCIO_EVENT_LOOP", settings["ASYNCIO_EVENT_LOOP"]
    for name, default in vars(default_settings).items():
        if isinstance(default, str) and _CLASS.fullmatch(default) and settings[name] != default:
            yield name, settings[name]


def check_stats(settings: BaseSettings) -> None:
    """Raise ConfigError if the stats collector keeps nothing: an audit counts in it."""
    from scrapy.statscollectors import DummyStatsCollector  # noqa: PLC0415 - as above

    collector = _load("STATS_CLASS", settings["STATS_CLASS"])
    if isinstance(collector, type) and issubclass(collector, DummyStatsCollector):
        raise ConfigError(
            f"STATS_CLASS: an audit needs its stats, and {collector.__name__} keeps none."
        )


def _check_pipeline(settings: BaseSettings) -> None:
    """Raise ConfigError if the pipeline of an audit is switched off."""
    from scrapy.utils.conf import build_component_list  # noqa: PLC0415 - as above
    from scrapy.utils.misc import load_object  # noqa: PLC0415 - as above
    from scrapy.utils.python import global_object_name  # noqa: PLC0415 - as above

    for each in build_component_list(settings.getwithbase("ITEM_PIPELINES")):
        bases = getattr(load_object(each), "__mro__", ())
        if _PIPELINE in map(global_object_name, bases):
            return
    raise ConfigError(f"ITEM_PIPELINES: without {_PIPELINE}, an audit writes nothing.")


def _check_order(name: str, path: Any, order: Any) -> None:
    if not isinstance(order, Real):
        raise ConfigError(sentence(f"{name}: the order of {path} is not a number: {order!r}"))


def _load(name: str, path: Any) -> Any:
    """Return the class that a setting names, by its path or itself; None without one."""
    from scrapy.utils.misc import load_object  # noqa: PLC0415 - as above

    if not path:
        return None
    try:
        found = load_object(path)
    except ModuleNotFoundError as error:
        if not f"{path}.".startswith(f"{error.name}."):
            raise
        raise ConfigError(f"{name}: there is no module {error.name}, for {path}.") from None
    except (NameError, TypeError, ValueError) as error:
        raise ConfigError(sentence(f"{name}: {error}")) from None
    if not callable(found):
        raise ConfigError(f"{name}: {path} is not a class.")
    return found
