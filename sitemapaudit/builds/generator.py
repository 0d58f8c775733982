"""The generator of a build, by the names of files in it and next to it."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from sitemapaudit.builds.folder import Folder
from sitemapaudit.generators.generator import Where
from sitemapaudit.generators.recognition import find_generator_of_files

_MAX_ANCESTORS: Final = 4
_PROJECTS: Final = (".git", "package.json", "pyproject.toml", "Gemfile")
"""Files of a project: what is above it made something else."""


def find_generator_of_build(folder: Folder) -> str | None:
    """Return the name of the known generator of a build; None if no file shows one."""

    def is_built(path: str) -> bool:
        path = f"{folder.mount}/{path}"
        return folder.file(path) is not None or folder.has_folder(path)

    if found := find_generator_of_files(Where.FILE, is_built):
        return found
    for project in islice(folder.root.parents, _MAX_ANCESTORS):
        names = partial(_has_file, project)
        if found := find_generator_of_files(Where.PROJECT, names):
            return found
        if any((project / name).exists() for name in _PROJECTS):
            break
    return None


def _has_file(folder: Path, name: str) -> bool:
    return (folder / name).is_file()
