"""A server that nobody may contact."""

import socket
import threading
from typing import Self

from sitemapaudit.demo.server import LOOPBACK


class UntouchedServer:
    """Counts connections, and closes them; a context manager."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server((LOOPBACK, 0))
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def origin(self) -> str:
        """The origin of the server, with its IP address as the host."""
        return f"http://{LOOPBACK}:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            connection.close()
