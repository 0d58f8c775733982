"""The folder of audits that a server serves."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings


def add_folder(parser: ArgumentParser) -> None:
    """Add the folder to the arguments of a command."""
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        help="the folder with the run folders of all sites (default: AUDIT_DIR)",
    )


def read_folder(options: Namespace, settings: Layers) -> AuditFolder:
    """Return the folder of the command line, or AUDIT_DIR; raises ConfigError."""
    audits = read_settings(settings).dir  # A misspelled setting is an error in any case.
    folder = options.folder or audits
    if not folder.is_dir():
        raise ConfigError(f"{folder} is not a folder: name the one with the audits.")
    return AuditFolder(folder)
