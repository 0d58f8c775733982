"""Build folders for the tests: each in a project of its own, since hosts look beside a build."""

from collections.abc import Mapping
from pathlib import Path

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.replies import HostedReply

GUIDE = ("file.html", "folder/index.html", "both.html", "both/index.html", "index.html")
"""The files of the trailing slash guide."""


def write_build(project: Path, files: Mapping[str, str] | tuple[str, ...] = GUIDE) -> Path:
    """Write the files, their paths relative to the build, and return the build."""
    folder = project / "project" / "public"
    folder.mkdir(parents=True, exist_ok=True)
    contents = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    for name, text in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def open_build(project: Path, hosting: str, files: Mapping[str, str] | tuple[str, ...]) -> Build:
    return Build(write_build(project, files), hosting)


def describe(reply: HostedReply, folder: Path) -> str:
    """Return a reply as the tables have it: ``200 a.html``, ``301 /a/`` or ``unknown``."""
    if reply.unknown is not None:
        return "unknown"
    location = dict(reply.headers).get("Location")
    if location is not None:
        return f"{reply.status} {location}"
    name = "" if reply.file is None else reply.file.relative_to(folder.resolve()).as_posix()
    return f"{reply.status} {name}".strip()


def ask(build: Build, folder: Path, target: str, host: str = "example.com") -> str:
    return describe(build.reply(host, target), folder)
