"""Why nothing could be read: the true cause, and the setting that helps."""

import re
from itertools import permutations

import pytest

from sitemapaudit import urls
from sitemapaudit.datasets.obstacles import (
    ALLOW,
    ALLOW_STAGING,
    OBSTACLES,
    Seen,
    describe_obstacles,
)
from sitemapaudit.http.login import is_login
from sitemapaudit.items import DeclaredSitemap, Entries, Error, Kind, Page, Robots, Sitemap
from tests.rules.tables import manifest_in_memory
from tests.support.rows import fetched_page, listed, sitemap_of

PRIVATE = "has an address in a private network"

SITE = "https://www.example.com"
FILE = f"{SITE}/sitemap.xml"
SECOND = f"{SITE}/second.xml"
DENIED = [f"{SITE}/robots.txt", FILE]
OTHER = "https://files.example.com"
LOGIN = "https://login.example.com"
MISSING = "returns 404: there is no such file"
GONE = f"{FILE}?0 {MISSING}"
PAGE = "is an HTML page and not a sitemap"
DISALLOWED = "could not be read (503): its host counts as disallowed"
THREE = (
    f"{FILE}?0 returns 500: a server error (and 1,001 more), www.example.com closes the connection"
    f" without a response (3 times), {FILE}?y0 returns 403: access is denied (and 1 more),"
    " and 1 for other reasons"
)
INNER = DeclaredSitemap(3, "http://10.0.0.1/sitemap.xml", "http://10.0.0.1/sitemap.xml")


def unsent(sitemap: str) -> Sitemap:
    return Sitemap(sitemap, error=Error.PRIVATE_ADDRESS)


def tls(detail: str) -> Seen:
    return Seen(FILE, 1, error=Error.TLS, detail=detail)


def failed(error: Error) -> Seen:
    return Seen(FILE, 1, error=error)


@pytest.mark.parametrize(
    ("seen", "sentence", "remedy"),
    [
        (Seen(FILE, 1, 401), "needs a password", "HTTPAUTH_USER and HTTPAUTH_PASS"),
        (Seen(FILE, 1, 403), "access is denied", "USER_AGENT"),
        (Seen(FILE, 1, 403, challenge="cf-mitigated: challenge"), "bot challenge", "USER_AGENT"),
        (Seen(FILE, 1, 407), "the proxy needs a password", "http_proxy"),
        (Seen(FILE, 1, 429), "too many requests", "DOWNLOAD_DELAY"),
        (Seen(FILE, 1, 200, target=f"{SITE}/sign-in"), "redirects to a login", "login"),
        (failed(Error.BLOCKED), "robots.txt disallows", "agent"),
        (tls("Certificate HAS EXPIRED"), "has expired", "renew"),
        (tls("robots.txt: certificate is not yet valid"), "is not yet valid", "clock"),
        (tls("Hostname mismatch, certificate is not valid for 'x'."), "another host", "host"),
        (tls("the certificate is for another host"), "is for another host", "host"),
        (tls("self-signed certificate"), "is self-signed", "SSL_CERT_FILE"),
        (tls("self signed certificate"), "is self-signed", "SSL_CERT_FILE"),
        (tls("self-signed certificate in certificate chain"), "unknown issuer", "SSL_CERT_FILE"),
        (tls("unable to get local issuer certificate"), "unknown issuer", "SSL_CERT_FILE"),
        (tls("wrong version number"), "handshake", "http://"),
        (failed(Error.NOT_IN_BUILD), "is unknown without its server", "the live site"),
        (
            Seen(FILE, 1, error=Error.NOT_IN_BUILD, detail="a.example is another host: x"),
            "is not in the build",
            "the address of the site",
        ),
        (failed(Error.DNS), "cannot be resolved", "spelling"),
        (failed(Error.REFUSED), "refuses the connection", "port"),
        (failed(Error.RESET), "closes the connection", "USER_AGENT"),
        (failed(Error.TIMEOUT), "does not respond in time", "DOWNLOAD_TIMEOUT"),
        (failed(Error.PRIVATE_ADDRESS), "private network", "AUDIT_PRIVATE_HOSTS"),
        (Seen(FILE, 1, 503), "a server error", "later"),
        (Seen(FILE, 1, 404), "there is no such file", ""),
        (Seen(FILE, 1, 410), "there is no such file", ""),
        (Seen(FILE, 1, 404, error_body="urlset"), "its body is a sitemap", "return 200"),
        (Seen(FILE, 1, 500, error_body="urlset"), "its body is a sitemap", "return 200"),
        (Seen(FILE, 1, 403, error_body="urlset"), "access is denied", "USER_AGENT"),
        (Seen(FILE, 1, 399), None, None),
        (Seen(FILE, 1, 400), "returns {status}", ""),
        (failed(Error.INVALID_HTTP), "no usable response", ""),
        (Seen(FILE, 1, 200, kind="html"), "is an HTML page", "address"),
        (Seen(FILE, 1, 200, kind="unknown"), "has no known format", "address"),
        (Seen(FILE, 1, 200, kind="empty"), "is empty", "generates"),
        (Seen(FILE, 1, 200, kind="urlset"), None, None),
    ],
)
def test_each_cause_has_its_sentence_and_its_remedy(
    seen: Seen, sentence: str | None, remedy: str | None
) -> None:
    obstacle = next((each for each in OBSTACLES if each.holds(seen)), None)
    assert (obstacle is None) == (sentence is None)
    if obstacle is not None and sentence is not None and remedy is not None:
        assert sentence in obstacle.sentence
        assert remedy in obstacle.remedy


CAPITALS = {
    *("AUDIT_PRIVATE_HOSTS", "DOWNLOAD_DELAY", "DOWNLOAD_TIMEOUT", "HTTPAUTH_PASS"),
    *("HTTPAUTH_USER", "SSL_CERT_FILE", "USER_AGENT", "USER", "PASSWORD", "DNS", "HTML", "TLS"),
}
"""Settings, variables and abbreviations."""


def test_remedies_name_settings_that_exist() -> None:
    texts = [ALLOW_STAGING, *(text for each in OBSTACLES for text in (each.sentence, each.remedy))]
    words = {word for text in texts for word in re.findall(r"[A-Z][A-Z_]+", text)}
    assert words == CAPITALS


@pytest.mark.parametrize(
    ("url", "login"),
    [
        (f"{SITE}/login", True),
        (f"{SITE}/account/log-in?next=%2F", True),
        (f"{SITE}/wp-login.php", True),
        ("https://login.example.com/", True),
        ("https://sso.example.com/x", True),
        (f"{SITE}/users/sign_in", True),
        (f"{SITE}/authors/ann", False),
        (f"{SITE}/blog/login-problems", False),
        (f"{SITE}/?page=login", False),
    ],
)
def test_logins(url: str, login: bool) -> None:
    assert is_login(url) is login


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        (
            [Robots(SITE, DENIED[0], status=403, well_known_tried=[FILE], well_known_found=0)],
            f"{DENIED[0]} returns 403: access is denied",
        ),
        (
            [
                Robots(
                    *(SITE, DENIED[0]), status=404, well_known_tried=[FILE, SECOND],
                    well_known_found=0, well_known_outcomes=["401", "401"],
                )
            ],
            f"{SECOND} returns 401: it needs a password (and 1 more)",
        ),
        (
            [
                Robots(
                    *(SITE, DENIED[0]), status=404, well_known_tried=[FILE], well_known_found=0,
                    well_known_outcomes=["blocked"],
                ),
            ],
            f"robots.txt disallows {FILE} for Googlebot",
        ),
        (
            [
                Robots(
                    *(SITE, DENIED[0]), status=410, well_known_tried=[FILE], well_known_found=0,
                    well_known_outcomes=["404", "410", "200", "301"],
                )
            ],
            f"{DENIED[0]} declares none, and there is none at the usual places",
        ),
        (
            [Robots(SITE, DENIED[0], status=200, well_known_tried=[], well_known_found=0)],
            f"{DENIED[0]} declares none, and disallows the usual places for Googlebot",
        ),
        (
            [
                *(Sitemap(url, status=200, kind=Kind.SITEMAPINDEX) for url in (FILE, SECOND)),
                listed("a.xml", "b.xml", kind=Kind.SITEMAPINDEX),
                listed("z.xml", kind=Kind.SITEMAPINDEX, sitemap=SECOND),
                Sitemap(f"{FILE}.gz", status=200, kind=Kind.SITEMAPINDEX),
                listed("0.xml", "1.xml", kind=Kind.SITEMAPINDEX, sitemap=f"{FILE}.gz"),
            ],
            f"{FILE} is an index, and none of its 2 locs is a full URL, such as a.xml",
        ),
        (
            [Robots(SITE, DENIED[0], final_url=f"{SITE}/login", status=200, hops=1)],
            f"{DENIED[0]} redirects to a login ({SITE}/login)",
        ),
        (
            [
                *(
                    Sitemap(f"{FILE}?{n}", status=200, hops=1, final_url=f"{LOGIN}/{n}")
                    for n in range(2)
                ),
                Sitemap(f"{LOGIN}/a", status=200, final_url=f"{LOGIN}/a", kind=Kind.HTML),
            ],
            f"{FILE}?0 redirects to a login ({LOGIN}/0) (and 1 more), {LOGIN}/a {PAGE}",
        ),
        (
            [Robots(LOGIN, f"{LOGIN}/robots.txt", final_url=f"{LOGIN}/robots.txt", status=200)],
            f"{LOGIN}/robots.txt declares none, and there is none at the usual places",
        ),
        (
            [Robots(SITE, DENIED[0], error=Error.TLS, error_detail="certificate has expired")],
            "the certificate of www.example.com has expired",
        ),
        (
            [Robots(SITE, DENIED[0], status=200), Sitemap(FILE, error=Error.BLOCKED)],
            f"robots.txt disallows {FILE} for Googlebot",
        ),
        (
            [Sitemap(FILE, status=418)],
            f"{FILE} returns 418",
        ),
        (
            [Sitemap(FILE, status=404, error_body=Kind.URLSET)],
            f"{FILE} returns 404, although its body is a sitemap: search engines do not read it",
        ),
        (
            [
                Sitemap(f"{FILE}?0", status=200, detected_format="empty"),
                Sitemap(f"{FILE}?1", status=204, detected_format="empty"),
                Sitemap(f"{FILE}?2", status=404, detected_format="empty"),
                Sitemap(f"{FILE}?3", status=200, detected_format="empty", gzip_error="x"),
            ],
            f"{FILE}?0 is empty (and 1 more), {FILE}?2 {MISSING}, {FILE}?3 has no known format",
        ),
        (
            [
                Robots(
                    *(SITE, DENIED[0]), sitemaps=[INNER],
                    well_known_tried=[FILE], well_known_found=0,
                ),
                unsent(INNER.value),
            ],
            f"line 3 of {DENIED[0]} declares {INNER.value}, which has a private address",
        ),
        (
            [Sitemap(f"{FILE}?{n}", status=status) for n, status in enumerate((404, 403, 403))],
            f"{FILE}?1 returns 403: access is denied (and 1 more), {GONE}",
        ),
        (
            [
                *(Sitemap(f"{FILE}?{n}", status=500) for n in range(1_002)),
                *(Sitemap(f"{FILE}?x{n}", error=Error.RESET) for n in range(3)),
                *(Sitemap(f"{FILE}?y{n}", status=403) for n in range(2)),
                Sitemap(f"{FILE}?z", status=404),
            ],
            THREE,
        ),
        (
            [
                Robots(SITE, DENIED[0], status=200),
                Sitemap(
                    f"{OTHER}/a.xml", error=Error.BLOCKED, error_detail=f"robots.txt {DISALLOWED}"
                ),
            ],
            f"{OTHER}/robots.txt {DISALLOWED}",
        ),
    ],
    ids=[
        "robots", "well-known", "well-known-blocked", "none", "not-looked", "relative", "login",
        "logins", "host-of-logins", "tls", "blocked", "418", "error-body", "empty", "private",
        "most-frequent", "three-causes", "robots-fails",
    ],
)  # fmt: skip
def test_the_manifest_names_the_cause(items: list[Robots | Sitemap | Entries], reason: str) -> None:
    manifest = manifest_in_memory(items)
    assert manifest.reason == f"no sitemap could be read: {reason}"
    assert manifest.remedy
    assert not manifest.complete


@pytest.mark.parametrize(
    ("urls", "first"),
    [
        (["http://h:1313/", "http://h:1313/a"], "all 2 listed URLs are on h:1313"),
        (["http://h:1313/"], "the only listed URL is on h:1313"),
        (["http://a.invalid/", "http://b.invalid/"], "a.invalid and 1 other host"),
        (["http://a.invalid/", f"{SITE}/"], None),
    ],
)
def test_locs_that_are_all_on_other_hosts_come_first(urls: list[str], first: str | None) -> None:
    """Of the hosts of the sitemaps with URLs, the first one is named."""
    pages = [fetched_page(url, None, error=Error.DNS) for url in urls]
    lists = [
        listed(*urls),
        listed(urls[0], sitemap="https://x.example/other.xml"),
        listed("https://a.example/a.xml", sitemap="https://a.example/", kind=Kind.SITEMAPINDEX),
        listed(urls[0], sitemap="https://b.example/urls.txt", kind=Kind.LIST),
    ]
    empty = Sitemap("https://c.example/empty.xml", status=200, kind=Kind.URLSET)
    manifest = manifest_in_memory([*map(sitemap_of, lists), empty, *lists, *pages])
    place = f"{first}, but the sitemap is on www.example.com; " if first else ""
    failed = f"{place}no listed page could be read: {len(urls)} unreachable; the host name"
    assert failed in (manifest.reason or "")
    assert (manifest.reason or "").startswith(("all 2", "the only") if first else "no listed page")
    assert ("address of the site" in (manifest.remedy or "")) == (first is not None)
    assert ("check the spelling" in (manifest.remedy or "")) == (first is None)
    assert not manifest.complete


def test_a_sitemap_with_a_private_address_was_replaced_by_one_in_a_usual_place() -> None:
    entries = listed(f"{SITE}/a", sitemap=SECOND)
    tried = [FILE, SECOND]
    robots = Robots(SITE, DENIED[0], sitemaps=[INNER], well_known_tried=tried, well_known_found=1)
    items: list[Robots | Sitemap | Entries | Page] = [sitemap_of(entries), entries, robots]
    items += [fetched_page(f"{SITE}/a"), unsent(INNER.value)]
    manifest = manifest_in_memory(items)
    line = f"line 3 of {DENIED[0]} declares {INNER.value}, which has a private address"
    instead = f"{SECOND}, a usual place, was read instead"
    assert manifest.reason == f"1 sitemap could not be read: {line}; {instead}"
    assert manifest.remedy == (
        "declare the public address; to audit this one, allow AUDIT_PRIVATE_HOSTS=10.0.0.1"
    )


@pytest.mark.parametrize(
    ("site", "host", "declares", "complete"),
    [
        (SITE, "http://localhost:1313", False, False),
        (SITE, "https://other.example", False, False),
        (SITE, "https://other.example", True, True),
        (SITE, "https://shop.example.com", False, True),
        (None, "https://other.example", False, True),
    ],
)
def test_pages_of_another_site_are_not_those_of_the_audited_one(
    site: str | None, host: str, *, declares: bool, complete: bool
) -> None:
    urls = [f"{host}/", f"{host}/a"]
    declared = [DeclaredSitemap(1, FILE, FILE)] if declares else []
    robots = Robots(host, f"{host}/robots.txt", status=200, sitemaps=declared)
    pages = map(fetched_page, urls)
    items: list[Robots | Sitemap | Entries | Page] = [robots, sitemap_of(listed(*urls))]
    items += [listed(*urls), *pages]
    manifest = manifest_in_memory(items, site=site)
    assert manifest.complete is complete
    assert ("listed URLs are on" in (manifest.reason or "")) is not complete


@pytest.mark.parametrize("frequent", [404, 500, None])
def test_the_order_of_responses_is_not_that_of_causes(frequent: int | None) -> None:
    statuses = (404, 403, 500, 401, 429)
    sites = [Seen(f"{SITE}/{each}", 1 + (each == frequent), each) for each in statuses]
    found = {describe_obstacles(order, "Googlebot") for order in permutations(sites)}
    assert len(found) == 1
    ((sentence, _),) = filter(None, found)
    first = f"{frequent or 401}"
    assert sentence.startswith(f"{SITE}/{first} returns {first}")


BLOG, NEWS, SHOP = (f"https://{name}.example.com" for name in ("blog", "news", "shop"))


@pytest.mark.parametrize("readable", [True, False])
def test_every_cause_is_named_with_its_remedy(readable: bool) -> None:
    skipped = Sitemap(f"{SITE}/c.xml", error=Error.LIMIT, error_detail="AUDIT_MAX_SITEMAPS is 2")
    entries = listed(f"{SITE}/")
    known = [sitemap_of(entries), entries, fetched_page(f"{SITE}/"), skipped]
    items: list[Robots | Sitemap | Entries | Page] = [
        *(known if readable else ()),
        Robots(SITE, f"{SITE}/robots.txt", status=200),
        Robots(BLOG, f"{BLOG}/robots.txt", status=200),
        Robots(
            *(SHOP, f"{SHOP}/robots.txt"), status=404, well_known_tried=[f"{SHOP}/sitemap.xml"],
            well_known_outcomes=["404"], well_known_found=0,
        ),
        Robots(NEWS, f"{NEWS}/robots.txt", status=200, well_known_tried=[], well_known_found=0),
        Sitemap(f"{SITE}/b.xml", status=500),
        Sitemap(f"{BLOG}/b.xml", status=401),
    ]  # fmt: skip
    manifest = manifest_in_memory(items, site=f"{SITE},{BLOG},{NEWS},{SHOP}")
    failed = f"{SITE}/b.xml returns 500: a server error"
    denied = f"{BLOG}/b.xml returns 401: it needs a password"
    none = f"{SHOP}/robots.txt declares none, and there is none at the usual places"
    all_denied = f"{NEWS}/robots.txt declares none, and disallows the usual places for Googlebot"
    reason = f"no sitemap could be read: {denied}, {all_denied}, {none}, and 1 other"
    if readable:
        reason = (
            f"2 sitemaps could not be read: {denied}, {failed};"
            f" no sitemap of {BLOG}, {NEWS}, {SHOP} could be read: {all_denied}, {none};"
            " AUDIT_MAX_SITEMAPS skipped 1"
        )
    assert manifest.reason == reason
    remedies = [
        "set HTTPAUTH_USER and HTTPAUTH_PASS",
        *(["try again later"] if readable else []),
        ALLOW,
        "give the URL of one with the argument sitemap",
        *(["raise AUDIT_MAX_SITEMAPS"] if readable else []),
    ]
    assert manifest.remedy == "; ".join(remedies)
    kinds = ["failed-sitemaps", "sites", "limit"] if readable else ["sitemaps"]
    assert [cause.kind for cause in manifest.causes] == kinds


def test_the_host_of_staging_is_named() -> None:
    """It is the one that was asked: the site need not exist yet."""
    items = [Robots(SITE, f"{SITE}/robots.txt", error=Error.DNS)]
    given = ("", f"{SITE}=https://stage.example:8443", f"{SITE}={SITE}")
    reasons = [manifest_in_memory(items, site=SITE, staging=each).reason for each in given]
    sentence = "no sitemap could be read: the host name {} cannot be resolved"
    hosts = ("www.example.com", "stage.example", "www.example.com")
    assert reasons == [sentence.format(host) for host in hosts]


@pytest.mark.parametrize(
    ("detail", "host"),
    [
        (f"10.0.0.1 {PRIVATE}", "10.0.0.1"),
        (f"robots.txt: [fd00::1] {PRIVATE}", "[fd00::1]"),
        (f"{urls.host(FILE)} {PRIVATE}", urls.authority(FILE)),
        (None, urls.authority(FILE)),
    ],
)
def test_the_host_with_the_private_address_is_named(detail: str | None, host: str) -> None:
    """A redirect led to another host."""
    seen = Seen(FILE, 1, error=Error.PRIVATE_ADDRESS, detail=detail)
    expected = f"{host} {PRIVATE}", f"allow it with AUDIT_PRIVATE_HOSTS={host}"
    assert describe_obstacles([seen], "Googlebot") == expected
