"""A real server that answers as the hosting of a build would."""

from sitemapaudit.builds.build import Build
from sitemapaudit.demo.server import Reply, Server, ServerRequest


class HostedServer(Server):
    """Serves a build folder; an unknown reply is a 501 with the reason."""

    def __init__(self, build: Build, port: int = 0) -> None:
        super().__init__(self._reply_hosted, port)
        self._build = build

    def _reply_hosted(self, request: ServerRequest) -> Reply:
        reply = self._build.reply(request.host, request.path)
        if reply.unknown is not None:
            return Reply(reply.unknown, 501)
        body = reply.file.read_bytes() if reply.file else b""
        return Reply(body, reply.status, reply.headers)
