"""The reason why an audit does not start."""

from sitemapaudit.cli.command import USAGE_ERROR


class NotStartedError(Exception):
    """An audit does not start: the message is one sentence, also if nothing is left to do."""

    def __init__(self, reason: str, exit_status: int = USAGE_ERROR) -> None:
        super().__init__(reason)
        self.exit_status = exit_status
