"""Redirects from the addresses that a site left to its new ones, for a server or a table."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

import duckdb
from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.comparison.changed_urls import Change

_ROWS: Final = f"""
    select change, coalesce(previous_url, url) as url,
        if(change = '{Change.MOVED}', url, final_url) as target
    from changed_urls
    where change in ('{Change.MOVED}', '{Change.REDIRECTED}', '{Change.GONE}')
    order by 2
"""


class Redirects(Struct, frozen=True):
    """The new address of each URL that moved or redirects, and the URLs that are gone.

    Chains are flattened: no new address has another one. Addresses that differ in their scheme only
    are the same here: a server that moved to https redirects them all.
    """

    targets: Mapping[str, str]
    gone: Sequence[str]

    @property
    def has_several_hosts(self) -> bool:
        """True if the URLs have several hosts, so that rules must name them."""
        return len({urls.authority(url) for pair in self.targets.items() for url in pair}) > 1


def read_redirects(connection: duckdb.DuckDBPyConnection) -> Redirects:
    """Return the redirects of the table ``changed_urls``."""
    rows = connection.execute(_ROWS).fetchall()
    moved = {_key(url): target for _, url, target in rows if target and _key(target) != _key(url)}
    ends = {url: _end(_key(url), moved) for _, url, _ in rows if _key(url) in moved}
    return Redirects(
        {url: end for url, end in ends.items() if end is not None},
        [url for change, url, _ in rows if change == Change.GONE and url not in ends],
    )


def _key(url: str) -> str:
    """Return a URL without its scheme."""
    return urls.authority(url) + urls.request_target(url)


def _end(key: str, moved: Mapping[str, str]) -> str | None:
    """Return the last URL on the way from a URL; None if the way is a circle."""
    seen, url = {key}, moved[key]
    while (key := _key(url)) in moved:
        if key in seen:
            return None
        seen.add(key)
        url = moved[key]
    return None if key in seen else url


def write_redirects(redirects: Redirects, kind: str, file: Path) -> list[str]:
    """Write a file of one of ``KINDS``; return the URLs that it cannot redirect. Raises OSError."""
    with file.open("w", encoding="utf-8", newline="") as lines:
        return KINDS[kind].write(redirects, lines)


def _write_csv(redirects: Redirects, lines: TextIO) -> list[str]:
    rows = csv.writer(lines)
    rows.writerow(["url", "target", "status"])
    rows.writerows((url, target, 301) for url, target in redirects.targets.items())
    rows.writerows((url, "", 410) for url in redirects.gone)
    return []


def _write_nginx(redirects: Redirects, lines: TextIO) -> list[str]:
    keys = {_key(url): target for url, target in redirects.targets.items()}
    longest = max(map(len, keys), default=0)
    lines.write(
        "# Include this file in http { }, and put this into each server { } of the old URLs:\n"
        "#     if ($new_address) { return 301 $new_address; }\n"
        "# If your configuration has these two lines already, keep the larger values.\n"
        f"map_hash_bucket_size {_power_of_two(longest + 64)};\n"
        f"map_hash_max_size {_power_of_two(2 * len(keys) + 2048)};\n"
        "map $http_host$request_uri $new_address {\n"
    )
    for key, target in keys.items():
        plain = target.replace("$", "%24")  # It would begin a variable.
        lines.write(f"    {_nginx_text(key)} {_nginx_text(plain)};\n")
    lines.write("}\n")
    lines.writelines(_comments(redirects.gone))
    return []


def _nginx_text(text: str) -> str:
    """Return a text in quotation marks; a normalized URL contains none."""
    return '"{}"'.format(text.replace("\\", r"\\"))


def _write_apache(redirects: Redirects, lines: TextIO) -> list[str]:
    lines.write(
        "# For .htaccess, <VirtualHost> or <Directory>. Needs mod_rewrite.\nRewriteEngine On\n"
    )
    for url, target in redirects.targets.items():
        if redirects.has_several_hosts:
            lines.write(f'RewriteCond %{{HTTP_HOST}} "^{_pattern(urls.authority(url))}$" [NC]\n')
        request = _pattern(urls.request_target(url))
        lines.write(f'RewriteCond %{{THE_REQUEST}} "^\\S+ {request} HTTP"\n')
        # Otherwise these would refer to parts of the request.
        plain = re.sub(r"[%$]", r"\\\g<0>", target.replace("\\", "%5C"))
        lines.write(f'RewriteRule ^ "{plain}" [R=301,L,NE,QSD]\n')
    lines.writelines(_comments(redirects.gone))
    return []


def _pattern(text: str) -> str:
    """Return a regular expression for a text; the file would take two backslashes for one."""
    return r"\x5c".join(map(re.escape, text.split("\\")))


def _write_netlify(redirects: Redirects, lines: TextIO) -> list[str]:
    left = []
    for url, target in redirects.targets.items():
        path, query = urls.path(url), urls.request_target(url).partition("?")[2]
        is_slash = url.rstrip("/") == target.rstrip("/")  # Netlify takes both for one path.
        if query or is_slash or re.search(r"[*:]", path):
            left.append(url)
            continue
        # Netlify redirects every request to https first.
        source = f"https://{urls.authority(url)}{path}" if redirects.has_several_hosts else path
        lines.write(f"{source} {target} 301!\n")
    lines.writelines(_comments(redirects.gone))
    return left


def _comments(gone: Sequence[str]) -> Iterator[str]:
    yield from (f"# gone: {url}\n" for url in gone)


def _power_of_two(number: int) -> int:
    return 1 << (number - 1).bit_length()


class Kind(Struct, frozen=True):
    """A kind of file: its name, and its writer, which returns the URLs for which it has no form."""

    name: str
    write: Callable[[Redirects, TextIO], list[str]]


KINDS: Final[Mapping[str, Kind]] = {
    "nginx": Kind("redirects-nginx.conf", _write_nginx),
    "apache": Kind("redirects-apache.conf", _write_apache),
    "netlify": Kind("redirects-netlify.txt", _write_netlify),
    "csv": Kind("redirects.csv", _write_csv),
}
