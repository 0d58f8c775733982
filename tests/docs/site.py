"""A small website without faults, which stands for www.example.com in the documentation."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

PATHS = ("", "about.html", "blog/first.html", "blog/second.html")
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


class Site:
    """Serves the website from a folder, from entering to leaving the context."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.origin = f"http://{self.host}"
        self._write(folder)

    def _write(self, folder: Path) -> None:
        (folder / "blog").mkdir(parents=True)
        urls = [f"{self.origin}/{path}" for path in PATHS]
        entries = "".join(
            f"<url><loc>{url}</loc><lastmod>2026-11-{day:02}</lastmod></url>\n"
            for day, url in enumerate(urls, start=1)
        )
        (folder / "sitemap.xml").write_text(
            f'{DECLARATION}<urlset xmlns="{NAMESPACE}">\n{entries}</urlset>\n'
        )
        (folder / "robots.txt").write_text(f"User-agent: *\nSitemap: {self.origin}/sitemap.xml\n")
        for number, (path, url) in enumerate(zip(PATHS, urls, strict=True)):
            words = " ".join(f"word{number}x{count}" for count in range(300))
            (folder / (path or "index.html")).write_text(
                "<!doctype html><html lang=en><head><meta charset=utf-8>"
                f'<title>Page {number}</title><link rel="canonical" href="{url}"></head>'
                f"<body><main><h1>Page {number}</h1><p>{words}</p></main></body></html>"
            )

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
