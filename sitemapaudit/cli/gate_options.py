"""The options of ``gate`` in addition to those of an audit."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from fnmatch import filter as filter_names
from pathlib import Path
from typing import Final

from sitemapaudit.cli.options import as_type, read_pairs, word_of
from sitemapaudit.config.audit_settings import PREFIX, AuditSettings
from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.config.readers import read_share, split_words
from sitemapaudit.gating.passed import PASSED

_OF_DECISIONS: Final = frozenset(
    map(AuditSettings.public_name, ("fail_on", "notify", "rule_modules"))
)
"""The settings that have an effect on the decision about an existing run."""


def add_gate_options(parser: ArgumentParser) -> None:
    """Add the conditions under which a run passes, in addition to AUDIT_FAIL_ON."""
    gate = parser.add_argument_group("the gate")
    gate.add_argument(
        "--fail-on-rules",
        default="",
        metavar="RULES",
        help="fail if one of these rules has a finding, comma-separated; * stands for any"
        " characters",
    )
    gate.add_argument(
        "--min-share",
        type=as_type(read_share),
        metavar="SHARE",
        help="fail if the share of URLs known to be indexable is lower, such as 0.95",
    )
    gate.add_argument(
        "--baseline",
        type=Path,
        metavar="FILE",
        help="known findings, which do not fail; written by `sitemapaudit baseline RUN`"
        " (default: .sitemapaudit-baseline.json, if there is one)",
    )
    gate.add_argument(
        "--against",
        type=word_of(PASSED),
        metavar=PASSED,
        help="treat the findings of the last run that passed the gate as known",
    )
    gate.add_argument(
        "--require-baseline",
        action="store_true",
        help="fail without a baseline instead of counting every finding as new",
    )
    gate.add_argument(
        "--run", metavar="RUN", dest="existing", help="decide about this run, without an audit"
    )


def check_gate_options(options: Namespace, settings: Iterable[str]) -> None:
    """Raise ConfigError for options that exclude each other, or that have no effect.

    ``settings`` are the names of those that the user typed.
    """
    if options.existing and options.site:
        raise ConfigError("gate: give a site to audit, or --run, and not both")
    if options.existing and options.open:
        raise ConfigError("gate: --open has no effect with --run; use sitemapaudit open")
    if options.existing:
        _check_existing(options, settings)
    if options.against and options.baseline:
        raise ConfigError("gate: give --baseline, or --against, and not both")


def _check_existing(options: Namespace, settings: Iterable[str]) -> None:
    """Raise ConfigError for what only an audit reads."""
    words = [f"--{name}" for name in read_pairs(options.arguments, "-a")]
    words += ["--sites"] * (options.sites is not None)
    words += [f"-{letter}" for letter in "oO" if vars(options)[letter]]
    words += [each for each in settings if each.startswith(PREFIX) and each not in _OF_DECISIONS]
    if words:
        raise ConfigError(f"gate: {words[0]} has no effect with --run, which audits nothing")


def read_rules(given: str, known: Iterable[str]) -> list[str]:
    """Read the rules of ``--fail-on-rules``; raises ConfigError if one matches no known rule."""
    patterns, names = split_words(given), list(known)
    for pattern in patterns:
        if not filter_names(names, pattern):
            offer = suggest_name(pattern, names) or "see sitemapaudit rules"
            raise ConfigError(f"--fail-on-rules: there is no rule {pattern!r}; {offer}")
    return patterns
