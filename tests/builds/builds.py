"""Build folders, each in its own project: some hostings read files next to the build."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.replies import HostedReply

Files = Mapping[str, str] | tuple[str, ...]
"""The texts of files by their paths, which are relative to the build; or paths of empty files."""

GUIDE = ("file.html", "folder/index.html", "both.html", "both/index.html", "index.html")
"""The files of the trailing slash guide."""

TWINS = (*GUIDE, "empty/a.txt", "hidden.html", "hidden/a.txt", "twin", "twin.html")
"""More files with equal names."""

NOT_FOUND = ("404.html", "blog/404.html", "index.html")

PAGES = dict.fromkeys(
    ("index.html", "page.html", "404.html", "en/404.html", "app/index.html", "static/a.css"), ""
)
"""The files of sites with rules."""


def write_build(project: Path, files: Files = GUIDE) -> Path:
    """Write the files and return the build; ``../name`` is a file of the project."""
    folder = project / "project" / "public"
    folder.mkdir(parents=True, exist_ok=True)
    contents = files if isinstance(files, Mapping) else dict.fromkeys(files, "")
    for name, text in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def open_build(project: Path, hosting: str, files: Files) -> Build:
    return Build(write_build(project, files), hosting)


def describe(reply: HostedReply, folder: Path) -> str:
    """Return a reply as the tables have it: ``200 a.html``, ``301 /a/`` or ``unknown``."""
    if reply.unknown is not None:
        assert reply.headers == ()
        return "unknown"
    location = dict(reply.headers).get("Location")
    if location is not None:
        return f"{reply.status} {location}"
    name = "" if reply.file is None else reply.file.relative_to(folder.resolve()).as_posix()
    return f"{reply.status} {name}".strip()


def ask(build: Build, folder: Path, target: str, host: str = "example.com") -> str:
    return describe(build.reply(host, target), folder)


def robots_tag(reply: HostedReply) -> str | None:
    """Return the value of the only X-Robots-Tag header, None without one."""
    values = [value for name, value in reply.headers if name.lower() == "x-robots-tag"]
    assert len(values) <= 1
    return values[0] if values else None


def reply_to(project: Path, hosting: str, files: Files, target: str) -> str:
    """Write a build, and describe the reply to a request."""
    return replies_to(project, hosting, files, [target])[target]


def replies_to(project: Path, hosting: str, files: Files, targets: Iterable[str]) -> dict[str, str]:
    """Write a build, and describe the replies to several requests."""
    folder = write_build(project, files)
    build = Build(folder, hosting)
    return {target: ask(build, folder, target) for target in targets}


def guide_row(project: Path, hosting: str, status: int = 301, files: Files = ()) -> str:
    """Return the replies as a row of the trailing slash guide: "ok" is 200, a path a redirect.

    The URLs are ``/file``, ``/file/``, ``/file.html``, ``/folder``, ``/folder/``,
    ``/folder/index.html``, ``/both``, ``/both/``, ``/both.html`` and ``/both/index.html``.
    """
    write_build(project)
    targets = [f"/{name}" for name in ("file", "file/", "file.html", "folder", "folder/")]
    targets += [f"/{name}" for name in ("folder/index.html", "both", "both/", "both.html")]
    replies = replies_to(project, hosting, files, [*targets, "/both/index.html"])
    cells = (reply.removeprefix(f"{status} ") for reply in replies.values())
    return " ".join("ok" if cell.startswith("200 ") else cell for cell in cells)


def only_problem(project: Path, hosting: str, files: Files) -> tuple[str, int | None, str]:
    """Write a build, and return the file, the line and the reason of its only problem."""
    (problem,) = open_build(project, hosting, files).problems()
    return problem.file.name, problem.line, problem.reason
