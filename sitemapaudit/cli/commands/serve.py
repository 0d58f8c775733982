"""Serve a local website of all runs."""

from argparse import ArgumentParser, Namespace

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.folder_argument import add_folder, read_folder
from sitemapaudit.cli.opening import open_address
from sitemapaudit.cli.options import as_type
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.readers import whole_number
from sitemapaudit.output import say


class Command(BaseCommand):
    """Shows all runs in the browser, compares them, starts and stops audits; on loopback only."""

    setting_names = ("dir",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder and the port."""
        add_folder(parser)
        parser.add_argument(
            "--port",
            type=as_type(_read_port),
            metavar="N",
            default=0,
            help="port on loopback (default: any free one)",
        )
        parser.add_argument("--open", action="store_true", help="open the website in the browser")

    def run(self, options: Namespace, settings: Layers) -> int:
        """Serve until Ctrl+C; then stop the audits that were started here."""
        try:
            folder = read_folder(options, settings)
            from sitemapaudit.serving.server import serve  # noqa: PLC0415 - in an extra
        except ConfigError as error:
            return refuse(error)
        except ImportError:
            return refuse("serve: install sitemapaudit[serve]")

        def announce(address: str) -> None:
            say(address)
            say("Ctrl+C ends the server, and the audits that it started.", error=True)
            if options.open:
                open_address(address)

        try:
            serve(folder, options.port, announce)
        except OSError as error:
            return refuse(f"--port: {options.port} cannot be used: {error.strerror or error}")
        return SUCCESS


def _read_port(given: str) -> int:
    port = whole_number(0)(given)
    if port > 65_535:
        raise ValueError(f"{given!r} is not a port: at most 65535")
    return port
