"""One request outside of a crawl: to an endpoint of IndexNow, or to a Scrapyd server.

Redirects are not followed: the answer is that of the address that was asked, and what is sent, such
as a password, reaches no other.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
from msgspec import Struct
from yarl import URL

from sitemapaudit import urls
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.certificates import configure_trusted_authorities
from sitemapaudit.fetching.http_session import GuardedResolver, new_session, sent_url
from sitemapaudit.fetching.proxies import proxy_for

SECONDS: Final = 30
"""The time for a request and its answer."""

_MAX_BYTES: Final = 2**24


class Answer(Struct, frozen=True):
    """The status of an answer, its reason phrase, its body, and where it redirects to."""

    status: int
    reason: str
    body: bytes
    location: str | None


class NoAnswerError(OSError):
    """There is no answer; the message is the reason."""


def ask(
    url: str,
    policy: AddressPolicy,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    limit: int = _MAX_BYTES,
) -> Answer:
    """Send a request, POST if it has a body, and return the answer. Raises NoAnswerError.

    Of a body, ``limit`` bytes and one more are read.
    """
    configure_trusted_authorities()
    try:
        return asyncio.run(_ask(url, policy, body, headers or {}, limit))
    except TimeoutError:
        raise NoAnswerError(f"no answer in {SECONDS} seconds") from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise NoAnswerError(str(error)) from None


async def _ask(
    url: str,
    policy: AddressPolicy,
    body: bytes | None,
    headers: Mapping[str, str],
    limit: int,
) -> Answer:
    host, port = urls.host(url), urls.port(urls.origin(url))
    if policy.refuses(host, port):
        raise NoAnswerError(f"{host} is a private address")
    async with (
        new_session(GuardedResolver(policy), {}, None, reuses=False) as session,
        session.request(
            "GET" if body is None else "POST",
            sent_url(url),
            data=body,
            headers=headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(SECONDS),
            **_through_proxy(url),
        ) as response,
    ):
        content = bytearray()
        async for part in response.content.iter_any():
            content += part
            if len(content) > limit:
                break
        return Answer(
            response.status,
            response.reason or "",
            bytes(content[: limit + 1]),
            response.headers.get("Location"),
        )


def _through_proxy(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    proxy = proxy_for(parts.scheme, parts.hostname or "")
    if proxy is None:
        return {}
    scheme = "https" if proxy.tls else "http"
    name, _, password = (proxy.credentials or "").partition(":")
    return {
        "proxy": URL.build(scheme=scheme, host=proxy.host, port=proxy.port),
        "proxy_auth": aiohttp.BasicAuth(name, password) if proxy.credentials else None,
    }
