"""Copy the notebooks into a folder."""

import shutil
from argparse import ArgumentParser, Namespace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say

_SUFFIXES: Final = (".ipynb", ".py")


class Command(BaseCommand):
    """Copies the notebooks, and the module with their charts; overwrites nothing."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder."""
        parser.add_argument("folder", metavar="FOLDER", help="a folder, which is created if needed")

    def run(self, options: Namespace, settings: Layers) -> int:
        """Copy the files."""
        folder = Path(options.folder)
        try:
            read_settings(settings)  # A misspelled setting is an error here too.
            with as_file(files("sitemapaudit") / "notebooks") as source:
                copied = _copy(source, folder)
        except ConfigError as error:
            return refuse(error)
        except OSError as error:
            return refuse_error(error, folder)
        say(f"{count_noun(copied, 'file')} in {folder}. To open them: jupyter lab {folder}")
        return SUCCESS


def _copy(source: Path, folder: Path) -> int:
    """Copy all files or none; return how many. Raises ConfigError or OSError."""
    found = sorted(file for file in source.iterdir() if file.suffix in _SUFFIXES)
    for file in found:
        if (folder / file.name).exists():
            raise ConfigError(f"{folder / file.name} exists; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for file in found:
        shutil.copyfile(file, folder / file.name)
    return len(found)
