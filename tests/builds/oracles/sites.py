"""Random files of sites, and random paths of requests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final
from urllib.parse import quote

_NAMES: Final = ("a", "b", "c", "index", "404", "é x", "x[1]", "a@b", "v1.2")
_FOLDERS: Final = ("a", "b", "c", "a", "index", "é x", "x[1]")
_SUFFIXES: Final = (".html", ".html", ".html", "", ".txt", ".htm")
_INDEXES: Final = ("index.html", "index.html", "index.html", "index.htm", "index.txt")


def random_files(random: Random) -> dict[str, str]:
    """Return a site: files whose content does not matter."""
    names = {*_names(random)}
    folders = {f"{name.rpartition('/')[0]}/" for name in names}
    kept = (name for name in names if not any(each.startswith(f"{name}/") for each in folders))
    return dict.fromkeys(sorted(kept), "")


def _names(random: Random) -> Iterator[str]:
    for _ in range(random.randint(6, 12)):
        folder = "/".join(random.choices(_FOLDERS, k=random.choice((0, 0, 1, 1, 2))))
        for name in (random.choice(_NAMES) + random.choice(_SUFFIXES), random.choice(_INDEXES)):
            if name not in _INDEXES or random.random() < 0.6:
                yield f"{folder}/{name}".lstrip("/")
    yield from random.sample(("index.html", "404.html"), k=random.randint(0, 2))


def random_path(random: Random, files: Sequence[str], *, dots: bool = True) -> str:
    """Return the path of a file, another path that may mean it, or that of no file."""
    file = "/" + random.choice(files)
    stem = file.removesuffix(".html").removesuffix("/index") or "/"
    others = "/".join(["", *random.choices(_NAMES, k=random.randint(1, 3))])
    folder = file.rpartition("/")[0]
    path = random.choice(
        [
            *(file, file, stem, f"{stem}/", f"{folder}/", folder or "/", f"{stem}.html"),
            *(f"{stem}/index.html", f"{stem}/index", f"{folder}/index.htm", f"{file}/"),
            *(others, f"{stem}/{random.choice(_NAMES)}", f"{folder}/gone"),
        ]
    )
    safe = "/!~*'()@[]" if random.random() < 0.5 else "/!~*'()"
    return _disturb(random, quote(path, safe=safe), dots=dots)


def _disturb(random: Random, path: str, *, dots: bool) -> str:
    """Insert slashes, dot segments or an encoded slash into some paths."""
    dotted = ("/./", "/a/../", "/%2e/", "/a/%2E%2e/", "/a/..%2F", "/a%2F../") if dots else ()
    inserted = random.choice(("//", "//", "%2F", *dotted))
    places = [at for at, letter in enumerate(path) if letter == "/"]
    if random.random() > 0.12 or not places:
        return path
    at = random.choice(places)
    changed = path[:at] + inserted + path[at + 1 :]
    return changed if changed.startswith("/") else f"/{changed}"
