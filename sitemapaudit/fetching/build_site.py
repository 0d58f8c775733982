"""Responses for the hosts of the site from a build folder, without a server or a socket."""

import errno
import logging
import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote, unquote

from scrapy import Request

from sitemapaudit import urls
from sitemapaudit.builds.build import Build
from sitemapaudit.builds.replies import HostedReply
from sitemapaudit.config import Config
from sitemapaudit.fetching.body_download import BodyDownload
from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.failures import NotInBuildError
from sitemapaudit.fetching.plain_response import PlainResponse
from sitemapaudit.given_files import read_parts
from sitemapaudit.machine import find_shortage

logger = logging.getLogger(__name__)

_HTML: Final = frozenset({".html", ".htm"})
_ERROR_PAGE: Final = re.compile(r"(?:.*/)?(?:200|404|4xx|500|50x|5xx)(?:/index)?\.html?")
"""The names by which hostings find the page of an error, or of a single-page application."""

_PROOF: Final = re.compile(
    r"google[0-9a-f]{16}\.html|yandex_[0-9a-f]+\.html|pinterest-[0-9a-z]+\.html"
    r"|naver[0-9a-f]+\.html|baidu_verify_\w[\w-]*\.html"
)
"""Files that prove to Google, Yandex, Pinterest, Naver or Baidu who owns a site."""

_OF_THE_FILE: Final = (errno.EACCES, errno.EPERM)
"""Errors of one file of a build: others can be read."""

_SITEMAP: Final = re.compile(rb"<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]")

_SAFE: Final = "/~!$&'()*+,;=:@"


class BuildSite:
    """The build of a run, served as its hosting does. Nothing is requested from the network."""

    def __init__(
        self, folder: Path, build: Build, origins: tuple[str, ...], path: str = ""
    ) -> None:
        self._folder = folder.resolve()
        self._path = path
        self._build = build
        self._origins = origins
        self._hosts = {urls.authority(f"{origin}/") for origin in origins}

    @classmethod
    def create(cls, config: Config) -> Self | None:
        """Return the build of a run, if it has one. Raises ValueError."""
        folder = config.arguments.folder
        if folder is None:
            return None
        build = Build(folder, config.arguments.hosting, config.path)
        return cls(folder, build, tuple(config.origins), config.path)

    @property
    def preset(self) -> str | None:
        """The generator for whose builds the hosting has own rules, if it made this build."""
        return self._build.preset

    @property
    def generator(self) -> str | None:
        """The known generator that files of the build show, or files of its project."""
        return self._build.generator

    @property
    def deployment_fault(self) -> str | None:
        """The rule for which the hosting refuses to publish the build, if there is one."""
        return self._build.deployment_fault

    def respond(self, request: Request) -> PlainResponse:
        """Return the response for a request. Raises NotInBuildError."""
        host = urls.authority(request.url)
        if host not in self._hosts:
            raise NotInBuildError(
                f"{host} is another host: a build folder contains no pages of other hosts"
            )
        reply = self._reply(request.url)
        if reply.unknown is not None:
            raise NotInBuildError(reply.unknown)
        exchange = Exchange.of(request)
        exchange.note_headers(request, time.monotonic())
        raw = tuple((name.encode(), value.encode()) for name, value in reply.headers)
        body = self._body(exchange, reply)
        if reply.status == HTTPStatus.FORBIDDEN:
            exchange.file = exchange.file or self._folder_at(request.url)
        return PlainResponse(request.url, reply.status, body=body, request=request, raw_headers=raw)

    def is_without_page(self, url: str) -> bool:
        """Return whether the hosting is known to serve no page at a URL of the site."""
        if urls.authority(url) not in self._hosts:
            return False
        reply = self._reply(url)
        return reply.unknown is None and reply.status != 200

    def _reply(self, url: str) -> HostedReply:
        scheme = url.partition(":")[0]
        return self._build.reply(urls.authority(url), urls.request_target(url), scheme)

    def _folder_at(self, url: str) -> str:
        """Return the folder that has no index file, relative to the build."""
        return unquote(urls.path(url).removeprefix(f"{self._path}/")).strip("/") + "/"

    def log_problems(self) -> None:
        """Log the lines that the hosting cannot use, of ``_redirects``, ``_headers`` and others."""
        for problem in self._build.problems():
            line = f", line {problem.line}" if problem.line else ""
            logger.warning("%s%s has no effect: %s", problem.file, line, problem.reason)

    def pages(self) -> Iterator[list[str]]:
        """Yield the URLs at which the first site serves the HTML files of the build.

        The usual URL of a file comes first. Hidden files have no URL. Error pages, and files that
        prove to a service who owns the site, are not for visitors.
        """
        for file in sorted(self._folder.rglob("*")):
            if file.suffix in _HTML and file.is_file() and not self._is_service_file(file):
                yield from self._addresses_of(file)

    def sitemaps(self) -> Iterator[list[str]]:
        """Yield the URLs at which the first site serves the XML sitemaps of the build."""
        for file in sorted(self._folder.rglob("*.xml")):
            if file.is_file() and _is_sitemap(file):
                yield from self._addresses_of(file)

    def _addresses_of(self, file: Path) -> Iterator[list[str]]:
        found = [self._origins[0] + target for target in self._targets_of(file)]
        if found:
            yield found

    def _body(self, exchange: Exchange, reply: HostedReply) -> bytes:
        if reply.file is None:
            return b""
        file = Path(os.path.realpath(reply.file))
        if not file.is_relative_to(self._folder):
            name = _name(reply.file.relative_to(self._folder))
            raise NotInBuildError(f"{name} cannot be read: it leads outside of the folder")
        exchange.file = _name(file.relative_to(self._folder))
        try:
            return _read(reply.file, exchange.download, reply)
        except OSError as error:
            if find_shortage(error) is not None and error.errno not in _OF_THE_FILE:
                raise
            reason = error.strerror
        # Outside of the exception, which is otherwise the cause of this one.
        raise NotInBuildError(f"{exchange.file} cannot be read: {reason}")

    def _is_service_file(self, file: Path) -> bool:
        name = file.relative_to(self._folder).as_posix()
        return _ERROR_PAGE.fullmatch(name) is not None or _PROOF.fullmatch(name) is not None

    def _targets_of(self, file: Path) -> Iterator[str]:
        """Yield the paths at which a file is served."""
        name = quote(os.fsencode(file.relative_to(self._folder).as_posix()), safe=_SAFE)
        path = f"{self._path}/{name}"
        stem = path.removesuffix(file.suffix)
        folder = stem.removesuffix("index") if file.stem == "index" else f"{stem}/"
        usual = (folder, stem, path) if file.stem == "index" else (stem, folder, path)
        for target in usual:
            reply = self._reply(self._origins[0] + target)
            with suppress(OSError):  # The file was removed meanwhile.
                if reply.status == 200 and reply.file is not None and reply.file.samefile(file):
                    yield target


def _name(path: Path) -> str:
    """Return a path as text; bytes that are not UTF-8 are replaced."""
    return os.fsencode(path.as_posix()).decode(errors="replace")


def _read(file: Path, download: BodyDownload, reply: HostedReply) -> bytes:
    """Read the body of a reply within the limit. Raises OSError."""
    kinds = (value for name, value in reply.headers if name.lower() == "content-type")
    if download.start(next(kinds, ""), str(file.stat().st_size)):
        return b""
    body = bytearray()
    for part in read_parts(file):
        body += part
        if download.add(part):
            break
    return bytes(body[: download.limit] if download.truncated else body)


def _is_sitemap(file: Path) -> bool:
    """Return whether the root element of a sitemap begins in the first bytes of a file."""
    with suppress(OSError):
        return _SITEMAP.search(next(read_parts(file), b"")) is not None
    return False
