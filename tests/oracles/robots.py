"""robots.txt: which agent may fetch which URL, its Crawl-delay, and the declared sitemaps."""

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from random import Random
from typing import Final

from gpyrobotstxt.robots_cc import RobotsMatcher
from gpyrobotstxt.robotstxtparser import RobotsTxtParser
from msgspec import Struct, structs
from protego import Protego
from robots.parser import RobotsParser

from sitemapaudit.http.response import Response
from sitemapaudit.items import Robots
from sitemapaudit.robots import read_robots
from sitemapaudit.robots.agents import agent_named
from sitemapaudit.robots.groups import read_groups
from sitemapaudit.urls import normalize
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Explanation, Oracle, words

SITE: Final = "https://example.com"
_ROBOTS: Final = f"{SITE}/robots.txt"

_AGENTS: Final = ("Googlebot", "Bingbot", "Other")
_NAMES: Final = (
    *_AGENTS,
    "Googlebot-News",
    "MJ12bot",
    "*",
    "*",
    "Google",
    "bing",
    "G",
    "other",
    "googlebot/2.1",
    "Bingbot 2",
)
_ODD_NAMES: Final = (*_NAMES, "googlebot*", "* all", "*bot", "x:y", "é", "")
_AGENT_FORMS: Final = ("User-agent: {}", "user-agent:{}", "USER-AGENT : {} ", "User-agent: {} # a")
_ODD_FORMS: Final = (
    *_AGENT_FORMS,
    "useragent: {}",
    "user agent: {}",
    "\tUser-agent:\t{}",
    "User-agents: {}",
)
_RULES: Final = ("Allow", "Disallow")
_ODD_RULES: Final = (*_RULES, *_RULES, "disalow", "DISSALLOW", "allow ", "Disallowed", "Allow-all")
_PIECES: Final = (
    *("/", "/", "a", "b", "ab", "*", "$", "?", "=", "&", "%61", "%2F", "%2f", "%2A", "%24"),
    *("%3F", "%3f", "%26", "%3D"),
    *("é", "%C3%A9", "%c3%a9", "%", "%zz", " ", ".", "~", "-", "//", "ツ", "index.html", ";", "!"),
)
_PATHS: Final = ("", "/", "/a", "/b", "/ab", "/a/", "/*", "/a*", "/*b", "/a$", "/*b$", "*", "$")
_OTHERS: Final = (
    *("", "", "# a", "Anything: x", "Crawl-delay: 1", "crawl-delay: 2.5", "Crawl-delay: x"),
    *("Sitemap: https://example.com/s", "sitemap:/t", "Sitemap:", "Content-Signal: search=yes"),
    *("Site-map: https://example.com/é", "Noindex: /a", "a: b: c", ":", "Disallow /a"),
)
_PLAIN_NAMES: Final = (*_AGENTS, "*", "Googlebot-News", "MJ12bot")
_ENCODED: Final = re.compile("(?i)%(?!2F|3F|26|3D|25)[2-7]")
_ENDS: Final = ("\n", "\n", "\r\n", "\r")


class File(Struct, frozen=True):
    """A robots.txt, an agent, and the URLs that it might fetch."""

    body: bytes
    agent: str
    urls: tuple[str, ...]


class Answer(Struct, frozen=True):
    """Which of the URLs are allowed, the delay, and the declared sitemaps; None if not compared."""

    allowed: tuple[bool | None, ...]
    delay: float | None = None
    sitemaps: tuple[str, ...] | None = None


class _Parser(Oracle[File]):
    """A parser of robots.txt."""

    in_tests = 100
    package: str
    paths: Sequence[str] = _PATHS
    names: Sequence[str] = _NAMES
    forms: Sequence[str] = _AGENT_FORMS
    rules: Sequence[str] = _RULES
    others: Sequence[str] = ("", "# a", "Crawl-delay: 1", "Sitemap: /s", "Anything: x")
    pieces: Sequence[str] = ()
    ends: Sequence[str] = ("\n",)
    marks: Sequence[bytes] = (b"",)

    def install(self, _tools: Tools) -> str:
        return f"{self.package} {version(self.package)}"

    def random_case(self, random: Random) -> File:
        end = random.choice(self.ends)
        lines = [self._line(random) for _ in range(random.randint(0, 10))]
        body = random.choice(self.marks) + end.join(lines).encode(errors="surrogateescape")
        paths = {self._path(random) for _ in range(4)}
        urls = sorted(filter(None, (normalize(f"{SITE}/{path.lstrip('/')}") for path in paths)))
        return File(body, random.choice(_AGENTS), tuple(urls))

    def _line(self, random: Random) -> str:
        chance = random.random()
        if chance < 0.3:
            return random.choice(self.forms).format(random.choice(self.names))
        if chance < 0.8:
            return f"{random.choice(self.rules)}: {self._path(random)}"
        return random.choice(self.others)

    def _path(self, random: Random) -> str:
        if not self.pieces or random.random() < 0.3:
            return random.choice(self.paths)
        return "/" + words(random, self.pieces, 5)

    def ours(self, cases: Sequence[File]) -> Iterable[Answer]:
        return (self._restrict(_read(case)) for case in cases)

    def theirs(self, cases: Sequence[File]) -> Iterable[Answer]:
        return (self._restrict(self.read(case)) for case in cases)

    def read(self, case: File) -> Answer:
        """Return the answer of the parser."""
        raise NotImplementedError

    def _restrict(self, answer: Answer) -> Answer:
        """Return the part of an answer that is compared."""
        return answer


def _read(case: File) -> Answer:
    row = Robots(SITE, _ROBOTS, final_url=_ROBOTS)
    policy = read_robots(Response(_ROBOTS, 200, {}, case.body), row)
    allowed = tuple(policy.allows(url, case.agent) for url in case.urls)
    sitemaps = tuple(line.value for line in row.sitemaps)
    return Answer(allowed, policy.crawl_delay(case.agent), sitemaps)


class _Google(_Parser):
    """The Python port of Google's parser."""

    name = "google"
    package = "gpyrobotstxt"
    names, forms, rules, others = _ODD_NAMES, _ODD_FORMS, _ODD_RULES, _OTHERS
    pieces, ends, marks = _PIECES, _ENDS, (b"", b"", b"\xef\xbb\xbf")
    explanations = (
        Explanation(
            "The port reads a name up to its first digit",
            "RFC 9309 section 2.2.1: such a product token is not valid, but MJ12bot is in use",
            lambda case, _theirs, _ours: re.search("[0-9]", case.agent),
            File(b"User-agent: MJ12bot\nDisallow: /", "MJ12bot", (f"{SITE}/",)),
        ),
        Explanation(
            "Crawlers of Google without a group obey that of Googlebot",
            "Google, List of common crawlers",
            lambda case, _theirs, _ours: agent_named(case.agent).also,
            File(b"User-agent: Googlebot\nDisallow: /", "Googlebot-News", (f"{SITE}/",)),
        ),
        Explanation(
            "The port compares encoded characters that separate nothing as they are written",
            "RFC 9309 section 2.2.2: they must be encoded, or decoded, prior to comparison",
            lambda case, _theirs, _ours: _ENCODED.search(f"{case.body!r}{case.urls}"),
            File(b"User-agent: *\nDisallow: /a%24b", "Other", (f"{SITE}/a$b",)),
        ),
    )

    def read(self, case: File) -> Answer:
        reader = _Declared()
        RobotsTxtParser(case.body, reader).parse()
        allowed = (
            RobotsMatcher().allowed_by_robots(case.body, [case.agent], url) for url in case.urls
        )
        return Answer(tuple(allowed), None, tuple(reader.sitemaps))

    def _restrict(self, answer: Answer) -> Answer:
        return Answer(answer.allowed, None, answer.sitemaps)


def _has_dollar(case: File) -> bool:
    return any("$" in url or "%24" in url for url in case.urls)


class _Declared(RobotsMatcher):  # type: ignore[misc]
    """Reads the declared sitemaps."""

    def __init__(self) -> None:
        super().__init__()
        self.sitemaps: list[str] = []
        self.init_user_agents_and_path([], "/")

    def handle_sitemap(self, _line: int, value: str) -> None:
        self.sitemaps.append(value)


def _kinds(case: File) -> str:
    """Return a letter for each line: u for User-agent, r for a rule, o for another one."""
    lines = re.split(rb"[\r\n]+", case.body.removeprefix(b"\xef\xbb\xbf"))
    texts = (line.partition(b"#")[0].strip().lower().decode(errors="replace") for line in lines)
    return "".join(_kind(text) for text in texts if text)


def _kind(text: str) -> str:
    return "u" if text.startswith("user") else "r" if re.match("(dis)?allow", text) else "o"


def _without_empty(answer: Answer) -> Answer:
    return structs.replace(answer, sitemaps=tuple(filter(None, answer.sitemaps or ())))


class _Protego(_Parser):
    """Protego alone: we let it match paths, and find the lines that an agent obeys ourselves."""

    name = "protego"
    package = "protego"
    names = _PLAIN_NAMES
    pieces = _PIECES
    others = _OTHERS
    explanations = (
        Explanation(
            "Protego omits a Sitemap line without a value",
            "we report it",
            lambda _case, theirs, ours: _without_empty(ours) == theirs,
            File(b"Sitemap:", "Other", ()),
        ),
        Explanation(
            "Protego ends the list of agents at any line",
            "Google: only a rule ends it, see RobotsMatcher",
            lambda case, _theirs, _ours: re.search("u[^r]*o[^r]*u", _kinds(case)),
            File(
                b"User-agent: Other\nAnything: x\nUser-agent: *\nDisallow: /",
                "Other",
                (f"{SITE}/",),
            ),
        ),
        Explanation(
            "Protego also reads $ at the end of a rule as a character",
            "RFC 9309 section 2.2.3: it is the end of the path",
            lambda case, _theirs, _ours: b"$" in case.body and _has_dollar(case),
            File(b"User-agent: *\nDisallow: /a$", "Other", (f"{SITE}/a$",)),
        ),
        Explanation(
            "Protego also matches encoded characters by % that begins no triplet",
            "Google's parser compares such a rule as it is written",
            lambda case, _theirs, _ours: re.search(b"%(?![0-9a-fA-F]{2})", case.body),
            File(b"User-agent: *\nDisallow: /*%", "Other", (f"{SITE}/a&b",)),
        ),
        Explanation(
            "Protego allows the folder of index.html only if the rule ends there",
            "Google's parser allows it for anything that begins with index.htm",
            lambda case, _theirs, _ours: re.search(b"(?i)allow *:.*/index\\.htm", case.body),
            File(b"User-agent: *\nDisallow: /\nAllow: /index.htm", "Other", (f"{SITE}/",)),
        ),
        Explanation(
            "Protego decodes the separators of a query",
            "RFC 9309 section 2.2.2, table; Google's parser compares them as they are written",
            lambda case, _theirs, _ours: re.search("(?i)%(3F|26|3D)", f"{case.body!r}{case.urls}"),
            File(b"User-agent: *\nDisallow: /*?", "Other", (f"{SITE}/Who%3F",)),
        ),
        Explanation(
            "Protego counts a reserved character as its triplet",
            "Google's parser counts a rule as it is written",
            lambda case, _theirs, _ours: re.search(b"(?i)allow *: *[^\r\n]*[?=&;!$%]", case.body),
            File(b"User-agent: *\nAllow: /a?\nDisallow: /a*b", "Other", (f"{SITE}/a?b",)),
        ),
    )

    def read(self, case: File) -> Answer:
        parsed = Protego.parse(case.body.decode("utf-8-sig", errors="replace"))
        allowed = tuple(parsed.can_fetch(url, case.agent) for url in case.urls)
        return Answer(allowed, parsed.crawl_delay(case.agent), tuple(parsed.sitemaps))


class _Robotspy(_Parser):
    """robotspy, with plain files: it decodes and shortens paths in its own way."""

    name = "robotspy"
    package = "robotspy"
    names = ("Googlebot", "Bingbot", "Other", "*", "Google", "bing", "Googlebot-News", "G")
    paths = ("", "/", "/a", "/b", "/ab", "/a/b")

    def random_case(self, random: Random) -> File:
        """Return a file in which no name occurs twice: its agents then share their rules."""
        while _repeats_name(case := super().random_case(random)):
            pass
        return case

    def read(self, case: File) -> Answer:
        parsed = RobotsParser.from_string(case.body.decode())
        return Answer(tuple(parsed.can_fetch(case.agent, url) for url in case.urls))

    def _restrict(self, answer: Answer) -> Answer:
        return Answer(answer.allowed)


def _repeats_name(case: File) -> bool:
    names = [name for group in read_groups(case.body.decode()) for name in group.agents]
    return len(set(names)) < len(names)


COMPARISONS: Final[Sequence[Comparison]] = (_Protego(), _Google(), _Robotspy())
