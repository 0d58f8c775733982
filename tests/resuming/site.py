"""A website of many pages, most of them good, that counts how often each was asked for."""

from collections import Counter

from sitemapaudit.demo.documents import TEXT, entry, index, page, prose, urlset, xml
from sitemapaudit.demo.server import Asked, Reply, Server

FILES = 8


class Site(Server):
    """Serves so many listed URLs; of twenty six have a fault, and two lead to pages not listed."""

    def __init__(self, urls: int) -> None:
        super().__init__(self._reply)
        self.urls = urls

    def take_asked(self) -> Counter[str]:
        """Return how often each address was asked for since this was called last."""
        asked, self.asked = self.asked, Counter()
        return asked

    def _reply(self, asked: Asked) -> Reply:
        if asked.path == "/robots.txt":
            rules = "User-agent: *\nDisallow: /page/13\n"
            return Reply(f"{rules}Sitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if asked.path == "/sitemap.xml":
            return xml(index(f"{self.origin}/sitemap-{file}.xml" for file in range(FILES)))
        kind, _, number = asked.path[1:].partition("/")
        if kind.startswith("sitemap-"):
            return xml(self._sitemap(int(kind[8:-4])))
        return self._page(asked.path, int(number)) if number.isdecimal() else Reply(status=404)

    def _sitemap(self, file: int) -> str:
        locs = (f"{self.origin}/page/{number}" for number in range(file, self.urls, FILES))
        return urlset([*map(entry, locs), entry(f"not an address {file}")])

    def _page(self, path: str, number: int) -> Reply:
        here, text = self.origin + path, prose(path)
        if path.startswith("/page/"):
            match number % 20:
                case 1:
                    return Reply(status=404)
                case 2:
                    return Reply(status=301, headers=[("Location", f"/target/{number}")])
                case 3:
                    return page(path, canonical=f"{self.origin}/preferred/{number}", body=text)
                case 4:
                    return page(path, canonical=here, head="<meta name=robots content=noindex>")
                case 5:
                    return page(path, canonical=here, body="<p>Few words.</p>")
                case 6:
                    return Reply(status=302, headers=[("Location", f"/page/{number - 6}")])
        return page(path, canonical=here, body=text)
