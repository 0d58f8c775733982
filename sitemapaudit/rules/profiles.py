"""Profiles: the rules whose sources one search engine, or the protocol, publishes."""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit.rules.catalog import Catalog, by_rule
from sitemapaudit.rules.rule import Rule

PROFILE: Final = "profile"
"""The name under which the setting for rules has the names of profiles."""

_PROTOCOL: Final = ("www.sitemaps.org", "www.w3.org")

PROFILES: Final[Mapping[str, tuple[str, ...]]] = {
    "google": ("developers.google.com", "support.google.com"),
    # Bing, Keeping content discoverable with sitemaps: "full support of the Sitemap protocol".
    "bing": ("blogs.bing.com", "www.bing.com", *_PROTOCOL),
    "yandex": ("yandex.com",),
    "protocol": _PROTOCOL,
}
"""The hosts that publish the sources of each profile."""


def profiles_of(rule: type[Rule]) -> list[str]:
    """Return the profiles that a rule belongs to."""
    hosts = {urlsplit(reference.url).hostname for reference in rule.references if reference.url}
    return [name for name, own in PROFILES.items() if hosts.intersection(own)]


def profile_rules(names: Iterable[str], rules: Catalog) -> Catalog:
    """Return the rules of any of these profiles."""
    wanted = set(names)
    return {name: rule for name, rule in rules.items() if wanted.intersection(profiles_of(rule))}


def choose_rules(chosen: Mapping[str, str], rules: Catalog) -> dict[str, str]:
    """Return what is chosen for each rule: ``off`` outside of the profiles, if any are given.

    A pattern takes precedence over the profiles, and a name over both.
    """
    others = {name: value for name, value in chosen.items() if name != PROFILE}
    if PROFILE not in chosen:
        return by_rule(others, rules)
    kept = profile_rules(split_profiles(chosen[PROFILE]), rules)
    return dict.fromkeys(rules.keys() - kept.keys(), "off") | by_rule(others, rules)


def split_profiles(names: str) -> list[str]:
    """Return the names of profiles in a comma-separated text."""
    return [name.strip().lower() for name in names.split(",") if name.strip()]
