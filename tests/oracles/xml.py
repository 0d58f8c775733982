"""XML: the files that the schema of sitemaps accepts have none of the findings about it."""

import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from sitemapaudit.audit import Audit
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from tests.builds.oracles.tools import Tools
from tests.conformance.cases import read_cases, read_suite
from tests.oracles.oracle import Comparison, Explanation, Oracle

SITE: Final = "https://www.example.com"
_NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NAMESPACES: Final = (
    *(_NAMESPACE,) * 12,
    *("", f"{_NAMESPACE}/", "http://www.google.com/schemas/sitemap/0.84"),
)
_LOCS: Final = (
    *("/", "/a", "/a?b=1&amp;c=2", "/ä", "/a b", "/%", "/%zz", "/<![CDATA[a&b]]>", "/a<!-- b -->"),
    *("/&", "/&x;", "/<", "/<b/>", "/" + "a" * 2030, "/" + "a" * 2020),
)
_LASTMODS: Final = (
    *("2026-05-01", "2026-05-01T10:00:00Z", "2026-05-01T10:00:00.5+02:00", "2026-05-01T10:00:00"),
    *("2026", "2026-05", "2026-05-01T10:00Z", "2026-02-30", "01.05.2026", "", " 2026-05-01 "),
    *("2026-05-01T24:00:00Z", "2026-05-01T25:00:00Z", "2026-5-1", "2026-05-01T10:00:00+0200"),
    *("1960-01-01", "2026-05-01 10:00:00", "2026-05-01T10:00:60Z", "2026-05-01T10:00:00+15:00"),
)
_FREQUENCIES: Final = ("always", "daily", "never", "Daily", "sometimes", "", " daily", "yearly")
_PRIORITIES: Final = (
    *("0", "1", "0.5", "1.0", ".5", "1.", "+0.5", "-0", "1.1", "-0.1", "0,5", "1e-1", "", " 0.5 "),
    *("00.50", "0.5.5", "NaN", "high"),
)
_OTHERS: Final = (
    *("<b/>", "<x:a/>", "<x:a><x:b>c</x:b></x:a>", "<x:a><loc>c</loc></x:a>", "<title>a</title>"),
    *("<!-- a -->", "<?a b?>", "\n  ", "<a xmlns=''/>", "<x:loc/>", "<sitemap/>"),
)
_BETWEEN: Final = ("<b/>", "<!-- a -->", "<loc>https://www.example.com/a</loc>", "<urlset/>", "\n")

_RULES: Final = frozenset(
    {
        *("sitemap-xml-malformed", "sitemap-namespace", "sitemap-leading-content", "loc-missing"),
        *("lastmod-invalid", "changefreq-invalid", "priority-invalid"),
        "loc-too-long",
    }
)
"""The rules about what the schema says, besides those about elements and their order."""


class File(msgspec.Struct, frozen=True):
    """A urlset."""

    body: bytes


_LOC: Final = f"<loc>{SITE}/a</loc>"
_PLAIN_LOC: Final = re.compile(rb"https?://[a-z0-9.-]+(:[0-9]+)?(/([A-Za-z0-9/?=;&.,+~_-])*)?")


def _document(entries: str) -> bytes:
    return f'<urlset xmlns="{_NAMESPACE}" xmlns:x="urn:x">{entries}</urlset>'.encode()


def _has_odd_loc(case: File) -> bool:
    locs = re.findall(rb"<loc[^>]*>\s*(.*?)\s*</loc", case.body, re.DOTALL)
    return any(not _PLAIN_LOC.fullmatch(loc) or not 12 <= len(loc) <= 2_047 for loc in locs)


class _Schema(Oracle[File]):
    """xmllint with the schema of urlsets."""

    name = "xmllint"
    explanations = (
        Explanation(
            "A loc has a length and the characters of RFC 2396 in the schema",
            "engines read it by the URL Standard, as our findings about locs do",
            lambda case, _theirs, _ours: _has_odd_loc(case),
            File(_document("<url><loc>http://a.b/</loc></url>")),
        ),
        Explanation(
            "A sitemap with a DOCTYPE has a finding of its own, and its entities stay as they are",
            "an entity may be a file of the server",
            lambda case, _theirs, _ours: re.search(b"<!DOCTYPE", case.body),
            File(
                b'<!DOCTYPE urlset [<!ENTITY a "b">]>'
                + _document(f"<url>{_LOC[:-6]}&a;</loc></url>")
            ),
        ),
        Explanation(
            "The schema has no white space around a changefreq",
            "engines trim it",
            lambda case, _theirs, _ours: re.search(rb"<changefreq>( |[a-z]+ )", case.body),
            File(_document(f"<url>{_LOC}<changefreq> daily</changefreq></url>")),
        ),
        Explanation(
            "The schema has hour 24, and no zones beyond 14 hours",
            "W3C, Date and Time Formats: hours are 00 to 23",
            lambda case, _theirs, _ours: re.search(rb"T24:|[+-]15:00", case.body),
            File(_document(f"<url>{_LOC}<lastmod>2026-05-01T24:00:00Z</lastmod></url>")),
        ),
        Explanation(
            "A date before 1970 has a finding",
            "Search Console rejects it",
            lambda case, _theirs, _ours: re.search(b"<lastmod>19[0-6]", case.body),
            File(_document(f"<url>{_LOC}<lastmod>1960-01-01</lastmod></url>")),
        ),
        Explanation(
            "The schema has no attributes",
            "engines ignore them, and we report none",
            lambda case, _theirs, ours: ours and re.search(rb"<(url|loc)\s+[^>]*=", case.body),
            File(_document(f"<url id='1'>{_LOC}</url>")),
        ),
        Explanation(
            "Between entries, the schema allows other namespaces before the first one only",
            "engines ignore such elements, wherever they are",
            lambda case, _theirs, ours: ours and re.search(rb"</url>\s*<(x:|url xmlns)", case.body),
            File(_document(f"<url>{_LOC}</url><x:a/>")),
        ),
    )

    def install(self, tools: Tools) -> str:
        tools.debian("libxml2-utils", "xmllint")
        self._tools = tools
        self._schema = tools.folder / "sitemap.xsd"
        release = tools.npm("sitemap")
        official = tools.folder / "node_modules" / "sitemap" / "schema" / "sitemap.xsd"
        # The schemas of extensions are elsewhere: their elements are not validated.
        strict, lax = (f'processContents="{each}"' for each in ("strict", "lax"))
        self._schema.write_text(official.read_text().replace(strict, lax))
        version = tools.version("xmllint", "--version").rpartition(" ")[2]
        return f"xmllint {version}, schema of {release}"

    def known_cases(self) -> Iterator[File]:
        for topic in read_suite().topics:
            for case in read_cases(topic):
                for reply in case.replies(SITE).values():
                    if b"<urlset" in reply.body[:300]:
                        yield File(reply.body)

    def random_case(self, random: Random) -> File:
        namespace = random.choice(_NAMESPACES)
        bound = f' xmlns="{namespace}"' if namespace else ""
        entries = "".join(_random_entry(random) for _ in range(random.randint(1, 3)))
        if random.random() < 0.1:
            entries += random.choice(_BETWEEN)
        text = f'<urlset{bound} xmlns:x="urn:x">{entries}</urlset>'
        return File((text if random.random() > 0.03 else text[:-5]).encode())

    def theirs(self, cases: Sequence[File]) -> Iterable[bool]:
        folder = self._tools.fresh("sitemaps")
        files = [folder / f"{number}.xml" for number in range(len(cases))]
        for case, file in zip(cases, files, strict=True):
            file.write_bytes(case.body)
        valid = {
            name
            for at in range(0, len(files), 1_000)
            for name in self._valid(files[at : at + 1_000])
        }
        return (str(file) in valid for file in files)

    def _valid(self, files: Sequence[Path]) -> Iterator[str]:
        """Yield the names of valid files."""
        program = self._tools.program("xmllint")
        options = ("--noout", "--nonet", "--huge", "--schema", str(self._schema))
        done = subprocess.run(
            [program, *options, *map(str, files)],
            env=self._tools.environment,
            capture_output=True,
            check=False,
        )
        for line in done.stderr.decode(errors="replace").splitlines():
            if line.endswith(" validates"):
                yield line.removesuffix(" validates")

    def ours(self, cases: Sequence[File]) -> Iterable[bool]:
        return (not _problems(case) for case in cases)


def _random_entry(random: Random) -> str:
    pools = {
        "loc": _LOCS,
        "lastmod": _LASTMODS,
        "changefreq": _FREQUENCIES,
        "priority": _PRIORITIES,
    }
    fields = [
        f"<{name}>{_random_value(random, name, pool)}</{name}>"
        for name, pool in pools.items()
        if random.random() < (0.95 if name == "loc" else 0.4)
    ]
    if random.random() < 0.2:
        fields.append(random.choice(_OTHERS))
    if random.random() < 0.1:
        random.shuffle(fields)
    if fields and random.random() < 0.05:
        fields.append(random.choice(fields))
    return f"<url>{''.join(fields)}</url>"


def _random_value(random: Random, name: str, pool: Sequence[str]) -> str:
    """Return a value; most are valid."""
    value = random.choice(pool[:3] if random.random() < 0.7 else pool)
    return f"{SITE}{value}" if name == "loc" else value


def _problems(case: File) -> set[str]:
    """Return the names of what violates the schema."""
    url = f"{SITE}/sitemap.xml"
    row = Sitemap(url)
    entries = list(
        SitemapReader(Response(url, 200, {"content-type": ["application/xml"]}, case.body), row)
    )
    audit = Audit()
    found = [*audit.examine(row), *audit.examine(Entries(url, entries))]
    problems = {finding.rule for finding in found} & _RULES
    if not entries:
        problems.add("no entries")
    if row.unexpected_elements:
        problems.add("unexpected elements")
    return problems | {name for entry in entries for name in _structure(entry)}


def _structure(entry: Entry) -> Iterator[str]:
    """Yield the faults of the structure of an entry."""
    for name in ("unknown_elements", "repeated_elements", "out_of_order"):
        if getattr(entry, name):
            yield name


COMPARISONS: Final[Sequence[Comparison]] = (_Schema(),)
