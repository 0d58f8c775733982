"""Stops an audit that this machine cannot continue."""

from scrapy.crawler import Crawler

from sitemapaudit.engine.signals import machine_failed
from sitemapaudit.machine import MachineFault, find_shortage
from sitemapaudit.regexes import SlowRegexError


def stop_for(crawler: Crawler, fault: MachineFault) -> None:
    """Stop an audit: nothing that it sees from now on is a fact about the site."""
    crawler.signals.send_catch_log(machine_failed, fault=fault)


def stop_if_short(crawler: Crawler, error: BaseException) -> bool:
    """Stop an audit if this machine ran out of something, time included; return whether it did."""
    fault = find_shortage(error)
    if isinstance(error, SlowRegexError):
        fault = MachineFault(f"the regular expression {error} takes too long", "simplify it")
    if fault is not None:
        stop_for(crawler, fault)
    return fault is not None
