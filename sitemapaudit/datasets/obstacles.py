"""Reasons why nothing could be read: a cause, a sentence, and what helps."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.datasets.database import sql_string
from sitemapaudit.http.login import LOGIN, is_login
from sitemapaudit.items import Error, Kind, Verdict
from sitemapaudit.sitemaps.format_detection import FileFormat

UNANSWERED: Final = (
    f"(verdict in ('{Verdict.UNREACHABLE}', '{Verdict.DENIED}')"
    f" or verdict = '{Verdict.REDIRECTED}' and"
    f" regexp_matches(lower(coalesce(final_url, '')), {sql_string(LOGIN)}))"
)
"""SQL: whether the response of a listed URL says nothing about the page."""

_LET_IN: Final = (
    "let this program in (the site sees its USER_AGENT and your address), or set USER_AGENT"
)


MAX_CAUSES: Final = 3
"""The number of causes that a sentence names."""

Explained = tuple[str, str | None]
"""A sentence about causes, and what helps."""


_PRIVATE: Final = re.compile(r"(\S+) has an address in a private network")


class Seen(Struct, frozen=True):
    """Responses that are alike: ``place`` is the first URL, ``count`` the number of URLs.

    ``kind`` is that of a sitemap, and ``FileFormat.EMPTY`` for an empty one, which has none.
    ``requested`` is the URL that was requested for the first one, if that is one of staging.
    """

    place: str
    count: int
    status: int | None = None
    error: str | None = None
    detail: str | None = None
    challenge: str | None = None
    target: str | None = None
    kind: str | None = None
    error_body: str | None = None
    requested: str | None = None

    @property
    def host(self) -> str:
        """The host that was requested for the first URL, with its port."""
        return urls.authority(self.requested or self.place)

    @property
    def refused(self) -> str:
        """The host with a private address: a redirect can lead to another one."""
        found = _PRIVATE.search(self.detail or "")
        return self.host if found is None or found[1].strip("[]") == self.name else found[1]

    @property
    def robots(self) -> str:
        """The robots.txt of the first URL."""
        return f"{urls.origin(self.place)}/robots.txt"

    @property
    def name(self) -> str:
        """The host that was requested for the first URL, without its port."""
        return urls.host(self.requested or self.place)

    def has_detail(self, pattern: str) -> bool:
        """Return whether the description of the error contains a pattern."""
        return re.search(pattern, self.detail or "", re.IGNORECASE) is not None


class Obstacle(Struct, frozen=True):
    """A cause: when it applies, the sentence about it, and what to do."""

    holds: Callable[[Seen], bool]
    sentence: str
    remedy: str


def _status(*statuses: int) -> Callable[[Seen], bool]:
    return lambda seen: seen.status in statuses


def _error(error: Error) -> Callable[[Seen], bool]:
    return lambda seen: seen.error == error


def _tls(pattern: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.error == Error.TLS and seen.has_detail(pattern)


ALLOW: Final = (
    "allow it in robots.txt, or audit as another crawler with the argument agent; of a staging"
    " site, give the site that it will be, --staging with its address, and --ignore-staging-block"
)
ALLOW_BUILD: Final = (
    "allow it in the robots.txt of the build, or audit as another crawler with the argument agent"
)
ALLOW_STAGING: Final = "if that is only so on staging, set it aside with --ignore-staging-block"

ADD_FILE: Final = "upload this file, or correct its address"
ALLOW_ADDRESS: Final = "check its DNS; if you trust the address, name it in AUDIT_PRIVATE_HOSTS"
ADD_STAGING: Final = (
    "give each such host its staging, or allow live requests with its own origin, as in"
    " cdn.example.com=https://cdn.example.com"
)

OBSTACLES: Final = (
    Obstacle(
        lambda seen: bool(seen.challenge),
        "{place} is answered with a bot challenge ({challenge})",
        _LET_IN,
    ),
    Obstacle(
        _error(Error.CHALLENGE),
        "{place} is answered with a bot challenge ({detail})",
        _LET_IN,
    ),
    Obstacle(
        _status(401),
        "{place} returns 401: it needs a password",
        "set HTTPAUTH_USER and HTTPAUTH_PASS",
    ),
    Obstacle(_status(403), "{place} returns 403: access is denied", _LET_IN),
    Obstacle(
        _status(407),
        "{place} returns 407: the proxy needs a password",
        "put it into http_proxy and https_proxy, as in http://USER:PASSWORD@proxy.example:3128",
    ),
    Obstacle(
        _status(429),
        "{place} returns 429: too many requests",
        "try again later, and slower: DOWNLOAD_DELAY=2",
    ),
    Obstacle(
        lambda seen: seen.target is not None and is_login(seen.target),
        "{place} redirects to a login ({target})",
        "let this program in without a login, for example by your address",
    ),
    Obstacle(
        lambda seen: seen.error == Error.BLOCKED and seen.has_detail("could not be read"),
        "{robots} {detail}",
        "try again later, or let robots.txt return 200 or 404",
    ),
    Obstacle(
        _error(Error.BLOCKED),
        "robots.txt disallows {place} for {agent}",
        ALLOW,
    ),
    Obstacle(
        _error(Error.IGNORED),
        "{place}: {detail}",
        "change this component, or switch it off for audits",
    ),
    Obstacle(_tls("has expired"), "the certificate of {host} has expired", "renew the certificate"),
    Obstacle(
        _tls("not yet valid"), "the certificate of {host} is not yet valid", "check both clocks"
    ),
    Obstacle(
        _tls("mismatch|another host|not valid for"),
        "the certificate of {host} is for another host",
        "audit the host that it is for, or add this one to the certificate",
    ),
    Obstacle(
        _tls("self.signed certificate(?! in)"),
        "the certificate of {host} is self-signed",
        "set the environment variable SSL_CERT_FILE to a file with this certificate",
    ),
    Obstacle(
        _tls("issuer|in (the )?certificate chain|unable to verify|verify failed"),
        "the certificate of {host} has an unknown issuer",
        "make the server send the whole chain, or set the environment variable SSL_CERT_FILE to"
        " a file with the certificate of the issuer",
    ),
    Obstacle(
        _error(Error.TLS),
        "the TLS handshake with {host} fails ({detail})",
        "check https on this port, or give the site with http://",
    ),
    Obstacle(
        _error(Error.DNS),
        "the host name {name} cannot be resolved",
        "check the spelling, and the DNS of this machine",
    ),
    Obstacle(
        _error(Error.REFUSED),
        "{host} refuses the connection",
        "check the port, and the firewall",
    ),
    Obstacle(
        _error(Error.RESET),
        "{host} closes the connection without a response",
        _LET_IN,
    ),
    Obstacle(
        _error(Error.TIMEOUT),
        "{host} does not respond in time ({detail})",
        "try again later, or raise DOWNLOAD_TIMEOUT",
    ),
    Obstacle(
        _error(Error.PRIVATE_ADDRESS),
        "{refused} has an address in a private network",
        "allow it with AUDIT_PRIVATE_HOSTS={refused}",
    ),
    Obstacle(_error(Error.ADDRESS_REFUSED), "{detail}", ALLOW_ADDRESS),
    Obstacle(
        lambda seen: seen.error == Error.NOT_IN_BUILD and seen.has_detail("is another host"),
        "{place} is not in the build: {detail}",
        "declare the sitemap with the address of the site, or audit the live site",
    ),
    Obstacle(
        _error(Error.NOT_IN_BUILD),
        "the response for {place} is unknown without its server: {detail}",
        "audit the live site, or its staging",
    ),
    Obstacle(_error(Error.NOT_ON_STAGING), "{detail}", ADD_STAGING),
    Obstacle(
        lambda seen: 500 <= (seen.status or 0) < 600 and seen.error_body is None,
        "{place} returns {status}: a server error",
        "try again later",
    ),
    Obstacle(
        lambda seen: seen.error_body is not None,
        "{place} returns {status}, although its body is a sitemap: search engines do not read it",
        "make it return 200",
    ),
    Obstacle(_status(404, 410), "{place} returns {status}: there is no such file", ADD_FILE),
    Obstacle(lambda seen: (seen.status or 0) >= 400, "{place} returns {status}", _LET_IN),
    Obstacle(
        lambda seen: seen.error is not None,
        "{place} has no usable response ({error}: {detail})",
        "try again later, and look at its response in another program",
    ),
    Obstacle(
        lambda seen: seen.kind == Kind.HTML,
        "{place} is an HTML page and not a sitemap",
        "check the address of the sitemap",
    ),
    Obstacle(
        lambda seen: seen.kind == FileFormat.EMPTY,
        "{place} is empty",
        "check what generates this file, or remove it",
    ),
    Obstacle(
        lambda seen: seen.kind == Kind.UNKNOWN,
        "{place} has no known format",
        "check the address of the sitemap",
    ),
)
"""Every cause; the first that applies is that of a response."""


def describe_obstacles(seen: Iterable[Seen], agent: str) -> Explained | None:
    """Return a sentence about the most frequent causes, and their remedies.

    It is the same for the same causes, in whatever order the responses are given.
    """
    counts: Counter[Obstacle] = Counter()
    first: dict[Obstacle, Seen] = {}
    for each in seen:
        obstacle = next((one for one in OBSTACLES if one.holds(each)), None)
        if obstacle is not None:
            counts[obstacle] += each.count
            first.setdefault(obstacle, each)
    if not counts:
        return None
    ranked = sorted(counts, key=lambda cause: (-counts[cause], OBSTACLES.index(cause)))
    causes, others = ranked[:MAX_CAUSES], ranked[MAX_CAUSES:]
    sentences = []
    for obstacle in causes:
        number = counts[obstacle]
        sentence = _fill(obstacle.sentence, first[obstacle], agent).replace(" ()", "")
        if number > 1 and "{place}" in obstacle.sentence:
            sentence += f" (and {number - 1:,} more)"
        elif number > 1 and len(counts) > 1:
            sentence = f"{sentence} ({number:,} times)".replace(") (", ", ")
        sentences.append(sentence)
    if rest := sum(counts[obstacle] for obstacle in others):
        sentences.append(f"and {rest:,} for other reasons")
    remedies = [_fill(obstacle.remedy, first[obstacle], agent) for obstacle in causes]
    return ", ".join(sentences), "; ".join(filter(None, dict.fromkeys(remedies)))


def _fill(text: str, example: Seen, agent: str) -> str:
    names = (*Seen.__struct_fields__, "host", "name", "refused", "robots")
    values = {name: getattr(example, name) for name in names}
    values |= {"agent": agent, "detail": re.sub(r"^robots\.txt:? ", "", example.detail or "")}
    return text.format(**values)
