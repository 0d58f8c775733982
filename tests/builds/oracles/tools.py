"""Installs the programs of oracles into a folder: packages of npm, PyPI and Debian."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class Tools:
    """A folder with programs; those that it has already are not installed again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def npm(self, *packages: str) -> str:
        """Install packages of npm, and return the name and the version of the first."""
        if not all((self.folder / "node_modules" / package).exists() for package in packages):
            options = ("--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
            run(["npm", "install", *options, "--prefix", str(self.folder), *packages], self.folder)
        about = self.folder / "node_modules" / packages[0] / "package.json"
        return f"{packages[0]} {json.loads(about.read_text())['version']}"

    def source(self, name: str, version: str) -> Path:
        """Download the source distribution of a package of PyPI; return its unpacked folder."""
        folder = self.folder / f"{name}-{version}"
        if not folder.exists():
            options = ("--quiet", "--no-deps", "--no-binary", name, "--dest", str(self.folder))
            old = self.folder / "build.txt"  # pip asks old packages what they need.
            old.write_text("setuptools<81\n")
            pip = (sys.executable, "-m", "pip", "download", "--build-constraint", str(old))
            run([*pip, *options, f"{name}=={version}"], self.folder)
            shutil.unpack_archive(folder.with_name(f"{folder.name}.tar.gz"), self.folder)
        return folder

    def debian(self, package: str, program: str) -> None:
        """Install a program of Debian, unless there is one; it is unpacked, and not started."""
        if shutil.which(program) is None and not self._unpacked(program).exists():
            archives = self.folder / package
            (archives / "partial").mkdir(parents=True, exist_ok=True)
            options = ("-o", f"Dir::Cache::archives={archives}", "-o", "Debug::NoLocking=1")
            install = ["apt-get", "install", "-qq", "-y", "-d", *options, package]
            try:
                run(install, self.folder)
            except subprocess.CalledProcessError:  # A new machine has no lists of packages.
                run(["apt-get", "update", "-qq"], self.folder)
                run(install, self.folder)
            for archive in archives.glob("*.deb"):
                run(["dpkg-deb", "-x", str(archive), str(self.folder / "debian")], self.folder)

    def program(self, name: str) -> str:
        """Return the path of a program of Debian."""
        return shutil.which(name) or str(self._unpacked(name))

    def version(self, name: str, option: str) -> str:
        """Return the first line that a program prints about itself."""
        done = subprocess.run(
            [self.program(name), option],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
            env=self.environment,
        )
        return done.stdout.partition("\n")[0]

    def place(self, path: str) -> str:
        """Return the path of a file of Debian, such as ``/usr/lib/apache2``."""
        unpacked = self.folder / "debian" / path.lstrip("/")
        return str(unpacked) if unpacked.exists() else path

    def fresh(self, name: str) -> Path:
        """Return an empty folder."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment in which unpacked programs find their libraries."""
        libraries = sorted((self.folder / "debian" / "usr" / "lib").glob("*-linux-gnu"))
        return {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, libraries))}

    def _unpacked(self, name: str) -> Path:
        places = (self.folder / "debian" / "usr" / place / name for place in ("bin", "sbin"))
        return next((place for place in places if place.exists()), Path(name))


def run(command: Sequence[str], folder: Path, text: str = "") -> str:
    """Run a command, and return what it prints. Raises CalledProcessError."""
    done = subprocess.run(
        command, cwd=folder, input=text, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout
