"""Random websites, each with a model that says which pages a visitor finds."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from sitemapaudit.demo.documents import TEXT, entry, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest

HTML: Final = "text/html; charset=utf-8"
WAYS: Final = (
    "<a href='{}'>a</a>",
    "<a rel=nofollow href='{}'>a</a>",
    "<map><area href='{}'></map>",
    "<iframe src='{}'></iframe>",
    "<object data='{}'></object>",
    "<iframe srcdoc=\"<a href='{}'>a</a>\"></iframe>",
    "<div><template shadowrootmode=open><a href='{}'>a</a></template></div>",
    "<svg><a xlink:href='{}'>a</a></svg>",
    "<meta http-equiv=refresh content='3; url={}'>",
)
"""Links that the source of a page contains."""

SCRIPTS: Final = (
    "<script>document.write(\"<a href='{}'>a</a>\")</script>",
    "<button onclick=\"location='{}'\">b</button>",
)
"""Links that only scripts know."""

FIREWALL: Final = (400, 403, 405, 406, 418, 429, 444, 451, 503)
"""Statuses that crawlers get, and visitors do not."""

PROSE: Final = " ".join(f"word{number}" for number in range(80))


@dataclass
class Resource:
    """A URL: the links of its page, or where it redirects, and what a crawler gets instead."""

    links: list[tuple[str, str]] = field(default_factory=list)
    target: str | None = None
    canonical: str | None = None
    text: str = ""
    status: int = 200
    crawler_status: int = 200
    charset: str = "utf-8"
    is_frameset: bool = False


@dataclass
class Website:
    """The URLs of a website by path, those that are listed, and a sitemap that may not be read."""

    resources: dict[str, Resource]
    listed: list[str]
    other_listed: list[str] = field(default_factory=list)
    other_status: int = 404
    disallowed: list[str] = field(default_factory=list)

    def visited(self) -> set[str]:
        """Return the paths that a visitor reaches from the home page."""
        reached: set[str] = set()
        waiting = ["/"]
        while waiting:
            path = waiting.pop()
            resource = self.resources.get(path)
            if path in reached or resource is None or resource.status == 404:
                continue
            reached.add(path)
            waiting += [link for _, link in resource.links]
            waiting += [resource.target] if resource.target else []
        return reached

    def found(self) -> set[str]:
        """Return the paths whose page a visitor finds, there or at another address."""
        visited = self.visited()
        canonicals = {each for path in visited if (each := self.resources[path].canonical)}
        texts = {
            (self.resources[path].text, form(path))
            for path in visited
            if not self.resources[path].target
        }
        twins = {path for path, each in self.resources.items() if (each.text, form(path)) in texts}
        return visited | canonicals | twins


def form(path: str) -> str:
    """Return what addresses that differ in form only have in common."""
    return path.replace("%28", "(").removesuffix("index.html").rstrip("/")


def build(seed: int) -> Website:
    """Build a random website."""
    draw = random.Random(seed)
    paths = ["/", *(_path(number) for number in range(draw.randint(4, 14)))]
    paths += [f"{path}/" for path in paths[1:] if not {".", "?"} & {*path} and draw.random() < 0.1]
    resources = {path: _resource(draw, path, paths) for path in paths}
    kinds = draw.choice([(), (), ("redirect",), ("firewall",), ("script",), ("legacy", "frameset")])
    for path in paths[1:]:
        resource = resources[path]
        if draw.random() < 0.3:
            _complicate(draw, resource, path, paths, kinds)
    if "frameset" in kinds:
        resources["/"].is_frameset = True
    listed = [path for path in paths if draw.random() < 0.8]
    website = Website(resources, listed)
    if draw.random() < 0.3:
        website.other_listed = [path for path in paths if path not in listed]
        website.other_status = draw.choice([404, 503, 200])
    if draw.random() < 0.15:
        website.disallowed = [draw.choice(paths[1:])]
    return website


def _path(number: int) -> str:
    forms = ("/p{}", "/dir{}/index.html", "/File:{}.jpg", "/s{}?q=%E9", "/l{}%28x")
    return forms[0 if number % 2 else number // 2 % len(forms)].format(number)


def _resource(draw: random.Random, path: str, paths: list[str]) -> Resource:
    resource = Resource(text=f"Text of {form(path)}")
    if path != "/" and draw.random() < 0.15:
        resource.text = f"Text of {path}"
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        resource.links.append((draw.choice(WAYS), draw.choice(paths)))
    if path != "/" and draw.random() < 0.1:
        resource.canonical = draw.choice(paths)
    return resource


def _complicate(
    draw: random.Random, resource: Resource, path: str, paths: list[str], kinds: tuple[str, ...]
) -> None:
    for kind in kinds:
        if kind == "redirect":
            resource.target, resource.links, resource.canonical = draw.choice(paths), [], None
        elif kind == "firewall":
            resource.crawler_status = draw.choice(FIREWALL)
        elif kind == "script":
            resource.links.append((draw.choice(SCRIPTS), draw.choice(paths)))
        elif kind == "legacy":
            resource.charset = "iso-8859-1"
    if draw.random() < 0.1:
        resource.status, resource.links = 404, []


class VisitedSite(Server):
    """Serves a website to a crawler."""

    def __init__(self, website: Website) -> None:
        super().__init__(self._reply)
        self._website = website

    def _reply(self, request: ServerRequest) -> Reply:
        site = self._website
        match request.path:
            case "/robots.txt":
                rules = "".join(f"Disallow: {path}$\n" for path in site.disallowed)
                maps = "".join(f"Sitemap: {self.origin}/{name}.xml\n" for name in ("a", "b"))
                return Reply(f"User-agent: *\n{rules}{maps}", headers=[TEXT])
            case "/a.xml":
                return xml(urlset(entry(self.origin + path) for path in site.listed))
            case "/b.xml" if site.other_status == 200:
                return xml(urlset(entry(self.origin + path) for path in site.other_listed))
            case "/b.xml":
                return Reply("", site.other_status)
        resource = site.resources.get(request.path)
        if resource is None or resource.status == 404:
            return Reply("missing", 404)
        if resource.crawler_status != 200:
            return Reply("blocked", resource.crawler_status)
        if resource.target:
            return Reply("", 302, [("Location", resource.target)])
        source = "".join(self._source(resource)).encode(resource.charset)
        media = f"text/html; charset={resource.charset}"
        return Reply(source, headers=[("Content-Type", media)])

    def _source(self, resource: Resource) -> Iterator[str]:
        yield f"<!doctype html><html lang=en><head><title>{resource.text}</title>"
        if resource.canonical:
            yield f"<link rel=canonical href='{self.origin}{resource.canonical}'>"
        links = [(way, _written(link, resource)) for way, link in resource.links]
        if resource.is_frameset:
            frames = "".join(f"<frame src='{link}'>" for _, link in links)
            yield f"</head><frameset>{frames}</frameset></html>"
            return
        yield f"</head><body><main><h1>{resource.text}</h1><p>{PROSE}</p></main>"
        for way, link in links:
            yield way.format(link)
        yield "</body></html>"


def _written(path: str, resource: Resource) -> str:
    """Return an address as a page of its encoding may write it."""
    return path.replace("%E9", "é") if resource.charset != "utf-8" else path
