"""A website of many pages that counts the requests for each."""

from collections import Counter

from sitemapaudit.demo.documents import TEXT, entry, index, page, prose, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest

FILES = 8


class Site(Server):
    """Lists a number of URLs: six of twenty have a fault, and two lead to pages not listed."""

    def __init__(self, urls: int) -> None:
        super().__init__(self._reply)
        self.urls = urls

    def take_requests(self) -> Counter[str]:
        """Return the number of requests for each address since the last call."""
        requests, self.requests = self.requests, Counter()
        return requests

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            rules = "User-agent: *\nDisallow: /page/13\n"
            return Reply(f"{rules}Sitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(index(f"{self.origin}/sitemap-{file}.xml" for file in range(FILES)))
        kind, _, number = request.path[1:].partition("/")
        if kind.startswith("sitemap-"):
            return xml(self._sitemap(int(kind[8:-4])))
        return self._page(request.path, int(number)) if number.isdecimal() else Reply(status=404)

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
