"""The options of ``changed``, and their checks."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from sitemapaudit.cli.options import as_type
from sitemapaudit.comparison.redirect_map import KINDS
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.readers import one_of, read_share
from sitemapaudit.indexnow.keys import Key
from sitemapaudit.runs.manifest import Manifest

_NEEDS: Final = {
    "indexnow": "key",
    "key": "indexnow",
    "key_location": "indexnow",
    "send": "indexnow",
    "endpoint": "send",
}
"""Options that require another one."""


def add_changed_options(parser: ArgumentParser) -> None:
    """Add the runs and the destinations of the changes."""
    parser.add_argument("run", metavar="RUN", help="a run folder, or a folder above it")
    parser.add_argument(
        "--since",
        metavar="RUN",
        help="the earlier run (default: the previous run of the site)",
    )
    parser.add_argument(
        "--min-change",
        type=as_type(read_share),
        metavar="SHARE",
        help="the share of a page's three-word sequences that must differ for its content to count"
        " as changed, from 0 (any difference) to 1 (default: 0.05)",
    )
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write every change as CSV")
    parser.add_argument(
        "--redirects",
        action="append",
        metavar="KIND[=FILE]",
        type=as_type(_read_redirects),
        help="write redirects to new addresses, for `nginx`, `apache` or `netlify`, or as `csv`,"
        " with a list of gone URLs (default FILE: redirects-nginx.conf and the like)",
    )
    parser.add_argument(
        "--indexnow",
        metavar="DIR",
        type=Path,
        help=(
            "write the URLs that search engines should learn about as IndexNow batches, one file "
            "per host; needs --key"
        ),
    )
    parser.add_argument("--key", metavar="KEY", help="the IndexNow key of the site")
    parser.add_argument(
        "--key-location",
        metavar="URL",
        help="URL of the key file (default: /KEY.txt of each host)",
    )
    parser.add_argument(
        "--send", action="store_true", help="send the batches, if the key file has the key"
    )
    parser.add_argument(
        "--endpoint",
        metavar="URL",
        help="where to send them (default: https://api.indexnow.org/indexnow)",
    )


def _read_redirects(given: str) -> tuple[str, Path]:
    """Return the kind of redirects, and their file."""
    kind, _, file = given.partition("=")
    name = KINDS[one_of(*KINDS)(kind)].name
    return kind, Path(file or name)


def read_key(options: Namespace) -> Key | None:
    """Return the key of the batches; None without --indexnow. Raises OSError or ValueError."""
    for name, needed in _NEEDS.items():
        if getattr(options, name) and not getattr(options, needed):
            raise ConfigError(f"--{_option(name)} needs --{_option(needed)}")
    if not options.indexnow:
        return None
    if options.endpoint and not options.endpoint.startswith(("http://", "https://")):
        raise ConfigError(f"--endpoint: {options.endpoint!r} is not an http(s) URL")
    into: Path = options.indexnow
    if into.exists() and not into.is_dir():
        raise ConfigError(f"--indexnow: {into} is not a folder")
    if into.is_dir() and any(into.iterdir()):
        raise ConfigError(f"{into} is not empty; name another folder with --indexnow")
    return Key(options.key, options.key_location)


def check_live(manifest: Manifest) -> None:
    """Raise ConfigError if the run did not audit the live site: engines would find no changes."""
    for name in ("staging", "folder"):
        if manifest.arguments.get(name):
            raise ConfigError(f"--indexnow: the run audited a site before it is live ({name})")


def _option(name: str) -> str:
    return name.replace("_", "-")
