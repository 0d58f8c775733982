"""The server of a build answers over HTTP as the build says."""

import http.client
from pathlib import Path

from tests.builds.builds import GUIDE, open_build
from tests.builds.server import HostedServer


def test_the_server_answers_as_the_build(tmp_path: Path) -> None:
    files = {**dict.fromkeys(GUIDE, "here"), "404.html": "gone", "_headers": "/*\n A: b"}
    build = open_build(tmp_path, "cloudflare", files)
    with HostedServer(build) as server:
        for path, status, body in (
            ("/file", 200, b"here"),
            ("/file.html", 308, b""),
            ("/gone", 404, b"gone"),
            ("/cdn-cgi/trace", 501, b"is served by Cloudflare"),
        ):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("GET", path, headers={"Host": "example.com"})
            response = connection.getresponse()
            assert (response.status, response.read()) == (status, body)
            expected = build.reply("example.com", path).headers
            assert set(expected) <= set(response.getheaders())
            connection.close()
