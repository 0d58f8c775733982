"""A website whose pages have versions, and servers that are honest about them or not."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from itertools import chain

from sitemapaudit.demo.documents import TEXT, entry, page, prose, urlset, xml
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest

LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)

Headers = list[tuple[str, str]]


@dataclass(slots=True)
class Version:
    """A page as it is now: what its validators are, what it says, and what else it sends."""

    number: int = 1
    tag: str | None = '"{number}"'
    modified: datetime | None = None
    dated_now: bool = False
    """It is modified whenever it is requested."""
    headers: Headers = field(default_factory=list)
    head: str = ""
    text: str = ""
    lies: bool = False
    """It says that it was not modified, whatever changed."""
    fails: bool = False
    """Its server sends a 304 from a cache, and no page."""
    confirms: Headers = field(default_factory=list)
    """Headers of its 304."""
    rest: bytes | None = None
    """The bytes that follow the status and the tag of its 304; None for a valid 304."""

    lifetime: timedelta | None = None
    """It becomes noindex so long after it is first sent."""
    until: datetime | None = None
    """The time when that is."""

    @property
    def etag(self) -> str | None:
        return self.tag.format(number=self.number) if self.tag else None


class VersionedSite(Server):
    """Serves pages, and answers conditional requests for them as RFC 9110 section 13 says."""

    def __init__(
        self,
        pages: int,
        *,
        make: Callable[[int], Version] | None = None,
        host: str = LOOPBACK,
    ) -> None:
        super().__init__(self._reply)
        self.host = host
        self.pages = [make(number) if make else Version() for number in range(pages)]
        self.robots = ""
        self.answers: defaultdict[int, list[int]] = defaultdict(list)
        """The statuses that were sent, by the number of the page."""

    @property
    def origin(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def statuses(self) -> Counter[int]:
        """How often each status was sent."""
        return Counter(chain.from_iterable(self.answers.values()))

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"{self.robots}\nSitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            locs = (f"{self.origin}/page/{number}" for number in range(len(self.pages)))
            return xml(urlset(map(entry, locs)))
        number = request.path.removeprefix("/page/")
        if not number.isdecimal():
            return Reply(status=404)
        reply = self._page(request, self.pages[int(number)])
        self.answers[int(number)].append(reply.status)
        return reply

    def _page(self, request: ServerRequest, version: Version) -> Reply:
        asked = request.headers.get("if-none-match"), request.headers.get("if-modified-since")
        validators = _validators(version)
        if any(asked) and (version.lies or _is_current(version, *asked)):
            head = f"HTTP/1.1 304 Not Modified\r\nETag: {version.etag}\r\n".encode()
            raw = None if version.rest is None else head + version.rest
            return Reply(status=304, headers=[*validators, *version.confirms], raw=raw)
        if version.fails:
            return Reply(status=503)
        if version.lifetime and not version.until:
            version.until = datetime.now(UTC) + version.lifetime
            content = f"unavailable_after: {version.until.isoformat()}"
            version.head = f"<meta name=robots content='{content}'>"
        text = version.text or f"{prose(request.path)} Version {version.number}."
        reply = page(
            f"{request.path} {version.number}",
            canonical=self.origin + request.path,
            head=version.head,
            body=f"<p>{text}</p>",
        )
        return Reply(reply.body, 200, [*reply.headers, *validators, *version.headers])


def _validators(version: Version) -> Headers:
    found = [("ETag", version.etag)] if version.etag else []
    modified = datetime.now(UTC) if version.dated_now else version.modified
    if modified:
        found.append(("Last-Modified", format_datetime(modified, usegmt=True)))
    return [*found, ("Date", format_datetime(datetime.now(UTC), usegmt=True))]


def _is_current(version: Version, tags: str | None, since: str | None) -> bool:
    """Return whether a server answers 304; If-None-Match counts before If-Modified-Since."""
    if tags is not None:
        names = [tag.strip().removeprefix("W/") for tag in tags.split(",")]
        return version.etag is not None and version.etag.removeprefix("W/") in names
    if version.modified is None or since is None:
        return False
    return version.modified - timedelta(microseconds=version.modified.microsecond) <= (
        parsedate_to_datetime(since)
    )
